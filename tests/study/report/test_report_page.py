"""The page says what the study says, loads nothing, and labels practice."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import library
from director_gui.stats.display import interval_text, p_text, points_text
from director_gui.store.conditions import StoredCondition
from director_gui.study.report import facts as facts_module
from director_gui.study.report.charts import SHARES
from director_gui.study.report.facts import Facts
from director_gui.study.report.figures import write_figures
from director_gui.study.report.page import SECTIONS, page
from director_gui.study.report.value import report_value
from tests.study.report.test_markup import read

pytestmark = pytest.mark.render
EMPTY = {"img", "meta", "br", "circle", "line", "path", "rect"}


def test_the_same_study_gives_the_same_page(short: Facts) -> None:
    assert page(short) == page(short)


def test_nothing_is_loaded_from_anywhere(short: Facts) -> None:
    made = page(short)
    found = read(made)
    addresses = [v for n, v in found.attributes if n in ("src", "href", "srcset")]
    assert addresses
    assert all(a and a.startswith(("data:image/", "#")) for a in addresses)
    assert not {"script", "link", "iframe", "object", "form"} & set(found.tags)
    assert not re.search(r"url\(|@import|https?://", made)
    assert "default-src 'none'" in found_policy(made)


def found_policy(made: str) -> str:
    policy = dict(read(made).attributes).get("content") or ""
    names = [v for n, v in read(made).attributes if n == "content"]
    return next((str(v) for v in names if v and "default-src" in v), policy)


def test_scenes_that_were_left_out_are_named_with_their_reasons(short: Facts) -> None:
    assert "Scenes left out" not in read(page(short)).text
    out = [
        {"set": "main", "scene": f"main-000{n}", "reason": f"<b>shade</b> {n}"}
        for n in (2, 5)
    ]
    settings = {**short.run.settings, "left_out": out}
    run = replace(short.run, settings=settings)
    said = read(page(replace(short, run=run))).text
    assert "Scenes left out (2)" in said
    assert "main-0002 of main (<b>shade</b> 2); main-0005 of main" in said


def test_every_element_is_closed(short: Facts) -> None:
    made = re.sub(r"<style>.*?</style>", "", page(short), flags=re.DOTALL)
    opened = [t for t in re.findall(r"<([a-z][a-z0-9]*)", made) if t not in EMPTY]
    closed = re.findall(r"</([a-z][a-z0-9]*)>", made)
    assert sorted(opened) == sorted(closed)


def test_ids_are_unique_and_every_link_leads_somewhere(short: Facts) -> None:
    found = read(page(short))
    ids = [v for n, v in found.attributes if n == "id"]
    assert len(ids) == len(set(ids))
    assert {v for n, v in found.attributes if n == "href"} == {
        f"#{name}" for name, _, _ in SECTIONS
    }


def test_every_picture_has_words(short: Facts) -> None:
    found = read(page(short))
    words = [v for n, v in found.attributes if n == "alt"]
    assert len(words) == found.tags.count("img") == 2 * len(short.scenes)
    assert all(words)


def test_all_rates_and_differences_are_there(short: Facts) -> None:
    said = read(page(short)).text
    for arm in short.arms:
        assert arm.condition in said
        assert points_text(arm.hidden.share) in said
        assert f"{arm.answered} of {sum(arm.statuses.values())}" in said
    for result in short.results:
        assert f"{result.test} − {result.reference}" in said
        assert points_text(result.comparison.estimate, signed=True) in said
        assert result.call in said


def rows_of(made: str, caption: str) -> dict[str, list[str]]:
    """Return the rows of the table with this caption: heading to cells."""
    table = next(t for t in re.split(r"(?=<table)", made) if f"<caption>{caption}" in t)
    body = table.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [
        [read(cell).text for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in re.findall(r"<tr>.*?</tr>", body)
    ]
    return {row[0]: row[1:] for row in rows}


def test_each_comparison_stands_in_its_row(short: Facts) -> None:
    rows = rows_of(page(short), "Differences in the hidden-block")
    assert len(rows) == len(short.results)
    for one in short.results:
        found = one.comparison
        difference, interval, _, p, adjusted, call = rows[
            f"{one.test} − {one.reference}"
        ]
        assert difference == points_text(found.estimate, signed=True)
        assert interval == interval_text(found.ci_low, found.ci_high, signed=True)
        assert (p, adjusted) == (p_text(found.p), p_text(one.adjusted))
        assert re.fullmatch(rf"{one.call}[\d,]*", call)


def test_each_condition_stands_in_its_row(short: Facts) -> None:
    rows = rows_of(page(short), "Rates are shares")
    for arm in short.arms:
        answered, *_, hidden, _, accuracy, joint = rows[arm.condition]
        assert answered == f"{arm.answered} of {sum(arm.statuses.values())}"
        for said, share in ((hidden, arm.hidden), (accuracy, arm.accuracy)):
            assert said.startswith(points_text(share.share) if share else "not asked")
        joined = arm.joint.share if arm.joint else None
        assert joint.startswith("not asked" if joined is None else points_text(joined))


def test_choices_add_up_to_the_answers_and_fill_their_bar(short: Facts) -> None:
    made = page(short)
    rows = rows_of(made, "What was chosen")
    for arm in short.arms:
        assert sum(map(int, rows[arm.condition][1:])) == sum(arm.kinds.values())
    bars = re.findall(r"<svg[^>]*>((?:<rect[^>]*/>)+)</svg>", made)
    assert len(bars) == len(short.arms)
    for bar in bars:
        lefts = [float(x) for x in re.findall(r' x="([\d.]+)"', bar)]
        widths = [float(x) for x in re.findall(r'width="([\d.]+)"', bar)]
        assert lefts[-1] + widths[-1] == pytest.approx(SHARES.x(1), abs=1)


def test_accuracy_is_that_of_the_reports(short: Facts) -> None:
    (found,) = short.accuracy
    rates = {}
    for name in (found.reference, found.test):
        own = [i.score for i in short.scored if i.reply.call.condition == name]
        right = [s.report_correct for s in own if s and s.report_correct is not None]
        rates[name] = sum(right) / len(right)
    assert (found.test, found.reference) == ("move.ask", "mean.ask")
    difference = rates["move.ask"] - rates["mean.ask"]
    assert found.comparison.estimate == pytest.approx(difference)
    assert found.adjusted is None


def test_pieces_are_those_of_the_stored_message_or_none(short: Facts) -> None:
    asked, first = short.asked[0], short.scenes[0]

    def found(stored: StoredCondition, *turns: str) -> Prompt | None:
        return facts_module._prompt(first, stored, turns, library())

    assert found(asked.condition, *asked.turns) == asked.prompt
    assert found(asked.condition, "another\n") is None
    unknown = replace(asked.condition, name="of.my.own")
    assert found(unknown, *asked.turns) is None


def test_the_messages_are_shown_as_they_were_sent(short: Facts) -> None:
    said = read(page(short)).text.replace("(no question here)\n", "")
    assert len(short.asked) == 6
    for asked in short.asked:
        for turn in asked.turns:
            assert turn in said


def test_what_differs_is_lit(short: Facts) -> None:
    made = page(short)
    lit = re.findall(r'<span class="(lit2?)">([^<]*)</span>', made)
    asked = [words for kind, words in lit if kind == "lit" and "&quot;" in words]
    assert sum("director see" in words for words in asked) == 2
    assert sum("How many" in words for words in asked) == 2
    actions = [words for kind, words in lit if kind == "lit2"]
    assert sum("director mean" in words for words in actions) == 2
    assert sum("will you move" in words for words in actions) == 2
    assert made.count("(no question here)") == 2


def test_a_wording_that_is_ours_no_longer_is_shown_unlit(short: Facts) -> None:
    old = replace(short.asked[0], prompt=None, turns=("another wording\n",))
    changed = replace(short, asked=(old, *short.asked[1:]), pairs=())
    said = read(page(changed)).text
    assert "another wording" in said
    assert "words the condition differently today" in said


def test_the_verdicts_are_in_words(short: Facts) -> None:
    said = read(page(short)).text
    for shown in short.scenes:
        assert shown.scene.name in said
        assert f"The director does not see {shown.truth.key.hidden}." in said
    hidden = sum(
        state == "hidden"
        for shown in short.scenes
        for state in shown.truth.states["director"].values()
    )
    assert said.count("director: hidden, 0 %") == hidden


def test_agreement_and_readings_are_there(short: Facts) -> None:
    said = read(page(short)).text
    assert short.coded is not None
    for found in short.coded.fields().values():
        (pair,) = found["pairs"]
        assert f"{pair['kappa']:.3f}" in said
        assert f"{pair['agree']} of {pair['n']}" in said
    assert "after the packet was unblinded" in said
    assert "The key is the one committed to" in said


def test_a_key_that_was_changed_is_told(short: Facts) -> None:
    assert short.coded is not None
    opened = short.coded.packet
    stored = replace(opened.stored, salt=bytes(32))
    coded = replace(short.coded, packet=replace(opened, stored=stored))
    assert "The key is not the one" in read(page(replace(short, coded=coded))).text


def test_a_packet_that_is_still_blind_shows_no_reply(short: Facts) -> None:
    assert short.coded is not None
    blind = replace(short.coded, readings=None, traces=(), agreement=None)
    said = read(page(replace(short, coded=blind))).text
    assert "No packet is unblinded" in said
    assert "no figure is shown before" in said


def test_without_a_packet_the_page_says_so(short: Facts) -> None:
    alone = replace(short, coded=None)
    assert "nothing was coded" in read(page(alone)).text
    assert report_value(alone)["agreement"] == []


def test_a_real_run_is_not_called_practice(short: Facts) -> None:
    real = replace(short, run=replace(short.run, practice=False), coded=None)
    made = page(replace(real, name="A study"))
    assert "Everything here is practice" not in made
    assert 'class="badge"' not in made
    assert report_value(real)["practice"] is False


def test_two_models_are_told_apart(short: Facts, tmp_path: Path) -> None:
    other = [replace(arm, model="second") for arm in short.arms]
    results = [replace(result, model="second") for result in short.results]
    both = replace(
        short, arms=(*short.arms, *other), results=(*short.results, *results)
    )
    said = read(page(both)).text
    assert "second: move.ask" in said
    assert "second: move.ask − move.plain" in said
    assert len(report_value(both)["comparisons"]) == 12
    write_figures(both, tmp_path / "f")


def test_remarks_are_numbered_under_the_table(short: Facts) -> None:
    first, *rest = short.results
    lone = replace(
        first.comparison, method="none", reason="too_few_scenes", ci_low=None,
        ci_high=None, p=None, fewest_scenes=2, flags=(),
    )  # fmt: skip
    result = replace(first, comparison=lone, adjusted=None, call="no interval")
    made = page(replace(short, results=(result, *rest)))
    assert "Needs at least 3 scenes with answers in each condition; found 2." in made
    assert "no interval<sup>1" in made
    assert f"of which {len(short.results) - 1} have a p-value" in made


def test_three_coders_are_named_pair_by_pair(short: Facts) -> None:
    assert short.coded is not None
    agreement = short.coded.agreement
    assert agreement is not None
    doubled = {
        name: replace(found, pairs=(*found.pairs, replace(found.pairs[0], b="third")))
        for name, found in agreement.fields.items()
    }
    coded = replace(short.coded, agreement=replace(agreement, fields=doubled))
    said = read(page(replace(short, coded=coded))).text
    for label in agreement.labels.values():
        assert f"{label}: practice-coder-1, practice-coder-2" in said
        assert f"{label}: practice-coder-1, third" in said
    assert "Cross-tables: rows the first coder named" in said
    assert len(report_value(replace(short, coded=coded))["agreement"]) == 6
