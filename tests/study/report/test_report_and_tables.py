"""The report, read as a browser reads it: its numbers are those of the tables."""

import csv
import io
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from director_gui.store.corrections import add_correction
from director_gui.store.database import Study, open_study
from director_gui.store.runs import runs
from director_gui.study.correcting import corrected
from director_gui.study.export.tables import to_csv
from director_gui.study.report import facts as facts_module
from director_gui.study.report.facts import facts_of
from director_gui.study.report.page import page
from director_gui.study.results.contrasts import keep_contrast
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.shapes import offered
from director_gui.study.results.view import Found, Question, answer
from director_gui.study.scored import scored_replies
from director_gui.study.stimuli import truths_in
from tests.study.conftest import Made
from tests.study.results.planted import columns_of

pytestmark = pytest.mark.render
Table = dict[str, list[str]]


class Tables(HTMLParser):
    """Every table of a page: caption, titles and rows as text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, list[str], list[list[str]]]] = []
        self._into: list[str] | None = None
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [v or "" for n, v in attrs if n in ("src", "href", "action")]
        if tag == "table":
            self.found.append(("", [], []))
        elif tag == "tr":
            self.found[-1][2].append([])
        elif tag in ("td", "th"):
            self._into = self.found[-1][2][-1]
            self._into.append("")
        elif tag == "caption":
            self._into = ["caption"]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "caption"):
            if self._into is not None and self._into[0] == "caption":
                _, head, rows = self.found[-1]
                self.found[-1] = (self._into[-1], head, rows)
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is None:
            return
        if self._into == ["caption"]:
            self._into.append("")
        self._into[-1] += data


def table(made: str, caption: str) -> tuple[list[str], Table]:
    reader = Tables()
    reader.feed(made)
    rows = next(rows for text, _, rows in reader.found if text.startswith(caption))
    return rows[0], {row[0]: row[1:] for row in rows[1:]}


def sheet_rows(found: Found, name: str) -> list[dict[str, str]]:
    """Return a sheet's CSV, its titles made unique: the n-th interval is “…#n”."""
    lines = list(csv.reader(io.StringIO(to_csv(found.sheets[name]))))
    seen: dict[str, int] = {}
    titles = []
    for title in lines[0]:
        seen[title] = seen.get(title, 0) + 1
        titles.append(title if seen[title] == 1 else f"{title}#{seen[title]}")
    return [dict(zip(titles, line, strict=True)) for line in lines[1:]]


def ascii_of(text: str) -> str:
    return text.replace("−", "-").replace("–", "")


def share_and_interval(row: dict[str, str], share: str, around: str) -> str:
    return f"{row[share]} {row[around]}".strip()


@pytest.fixture
def own(made: Made, tmp_path: Path) -> Iterator[Study]:
    """A copy of the demo's study with contrasts and a correction by hand."""
    path = Path(shutil.copy(made.demo.study, tmp_path / "own.study"))
    with open_study(path) as study:
        (run,) = runs(study)
        for one in offered(run.settings["conditions"]):
            keep_contrast(study, one)
        item = next(
            one
            for one in scored_replies(study, run.id)
            if one.reply.call.condition == "move.ask"
            and one.score is not None
            and one.score.hidden_choice is False
        )
        call = item.reply.call
        shown = truths_in(study, {call.scene})[call.scene]
        value = corrected(shown, shown[1].key.hidden, ())
        add_correction(study, call.id, value, actor="me", reason="read it")
        yield study


@pytest.fixture
def both(own: Study) -> tuple[str, Found]:
    (run,) = runs(own)
    found = answer(own, ReplyCache(own), Question(run=run.id))
    assert found is not None
    return page(facts_of(own, run.id)), found


def test_comparisons_are_those_of_the_table(both: tuple[str, Found]) -> None:
    made, found = both
    _, shown = table(made, "Differences in the hidden-block")
    rows = sheet_rows(found, "comparisons")
    assert len(rows) == len(shown) > 3
    for row in rows:
        cells = shown[row["Comparison"].replace(" - ", " − ")]
        points, around, _, p, adjusted, call = map(ascii_of, cells)
        assert points.removeprefix("+") == row["Points"]
        assert around == row["95 % interval"]
        assert (p, adjusted) == (row["p"], row["Adjusted p"])
        assert call.rstrip("0123456789,") == row["What can be said"]


def test_rates_are_those_of_the_table(both: tuple[str, Found]) -> None:
    made, found = both
    head, shown = table(made, "Rates are shares")
    rows = sheet_rows(found, "rates")
    assert len(rows) == len(shown)
    for row in rows:
        cells = dict(zip(head[1:], map(ascii_of, shown[row["Condition"]]), strict=True))
        assert cells["answered"] == f"{row['answered']} of {row['Calls']}"
        for title, share, around in (
            ("hidden-block choices, %", "Hidden choice, %", "95 % interval"),
            ("visibility accuracy, %", "Right report, %", "95 % interval#2"),
            ("joint rate, %", "Joint, %", "95 % interval#3"),
        ):
            wanted = share_and_interval(row, share, around) or "not asked"
            assert cells[title].strip() == wanted, (row["Condition"], title)


def test_choices_are_those_of_the_table(both: tuple[str, Found]) -> None:
    made, found = both
    head, shown = table(made, "What was chosen")
    for row in sheet_rows(found, "choices"):
        cells = dict(zip(head[1:], shown[row["Condition"]], strict=True))
        total = int(row["Choices"])
        for title, share in row.items():
            kind = title.removesuffix(", %")
            if title != kind:
                assert 100 * int(cells[kind]) / total == pytest.approx(
                    float(share), abs=0.0501
                )


def test_contrasts_are_those_of_the_table(both: tuple[str, Found]) -> None:
    made, found = both
    _, shown = table(made, "Contrasts of hidden-block")
    rows = sheet_rows(found, "contrasts")
    assert rows
    for row in rows:
        formula, points, around, _, p, adjusted, call = shown[row["Contrast"]]
        assert ascii_of(formula) == row["Sum"]
        assert ascii_of(points).removeprefix("+") == row["Points"]
        assert ascii_of(around) == row["95 % interval"]
        assert [p, adjusted, call] == [
            row["p"], row["Adjusted p"], row["What can be said"],
        ]  # fmt: skip


def test_readings_are_those_of_the_table(both: tuple[str, Found]) -> None:
    made, found = both
    reader = Tables()
    reader.feed(made)
    label = found.sheets["traces"].title.removeprefix("Traces: ").capitalize()
    rows = next(r for text, _, r in reader.found if f"{label}, by condition" in text)
    shown = {(row[0], row[1]): dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    listed = sheet_rows(found, "traces")
    assert len(listed) == len(shown)
    for row in listed:
        cells = shown[row["Condition"], row["Coder"]]
        assert cells["n"] == row["Traces"]
        titles = [title for title in row if title.endswith(", %")]
        for at, title in enumerate(titles, start=1):
            name = title.removesuffix(", %")
            if name in cells:  # a code that nobody used has no column in the report
                around = "95 % interval" if at == 1 else f"95 % interval#{at}"
                wanted = share_and_interval(row, title, around)
                assert ascii_of(cells[name]).strip() == wanted


def test_a_correction_is_counted_and_said(both: tuple[str, Found]) -> None:
    made, found = both
    assert "1 score was corrected by hand, and the correction counts." in made
    assert found.columns.corrected == 1


def test_the_page_asks_for_nothing_from_outside(both: tuple[str, Found]) -> None:
    reader = Tables()
    reader.feed(both[0])
    assert reader.addresses
    assert all(a.startswith(("#", "data:image/")) for a in reader.addresses)
    for sign in ("http://", "https://", "//cdn", "@import", "url("):
        assert sign not in both[0]
    assert "<script" not in both[0]


def test_a_pair_of_several_batches_is_compared_in_each() -> None:
    columns = columns_of({"a": 0.6, "b": 0.2})
    twice = replace(columns, batches=("1", "2"), batch=columns.scene % 2)
    pairs = (("a", "b"),)
    first, second = facts_module._compared(twice, pairs)
    assert (first.batch, second.batch) == ("1", "2")
    assert first.comparison.n == second.comparison.n == (120, 120)
    (alone,) = facts_module._compared(columns, pairs)
    assert alone.batch == ""
