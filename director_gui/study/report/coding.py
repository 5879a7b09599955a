"""Blind coding: agreement of the passes, cross-tables, readings by condition."""

from director_gui.ids import Json
from director_gui.stats.display import interval_text, points_text
from director_gui.study.blind.itemtext import FORM_WORDS
from director_gui.study.blind.joining import Joined, JoinedPass
from director_gui.study.report.charts import KAPPA, axis, interval
from director_gui.study.report.coded import Coded
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, col, join, num, table, tag, td, th

NO_CODING = "No packet was made of this run, so nothing was coded."


def section(facts: Facts) -> Markup:
    """Return the section on blind coding."""
    coded = facts.coded
    if coded is None:
        return tag("p", NO_CODING)
    fields = coded.fields()
    return join(
        tag("p", _packet(coded)),
        tag("p", _gives_away(coded), class_="note"),
        _agreement(coded, fields) if fields else tag("p", _WAITING),
        _matrices(coded, fields) if fields else None,
        _readings(coded.readings) if coded.readings else None,
    )


_NOT_MEASURED = "What the text itself gives away was not measured."
_WAITING = "Fewer than two coders are done; no figure is shown before."


def _packet(coded: Coded) -> str:
    items = len(coded.packet.packet.items)
    names = [one.name for one in coded.agreement.passes] if coded.agreement else []
    form = next((w for f, w in FORM_WORDS.items() if f == coded.packet.stored.form), "")
    kept = "is" if coded.packet.keeps_commitment() else "is not"
    return (
        f"A sealed packet of {items} items was drawn from the stored replies ({form}). "
        f"It was coded by {' and '.join(names) or 'nobody yet'}, metadata-blind: "
        "nothing beside the text told a coder the model, the condition or the scene. "
        f"The key {kept} the one committed to before release "
        f"({coded.packet.stored.commitment[:16]}…)."
    )


def _gives_away(coded: Coded) -> str:
    return f"{coded.gives_away}." if coded.gives_away else _NOT_MEASURED


def _agreement(coded: Coded, fields: Json) -> Markup:
    head = (
        col("decision"),
        *[col(words, num=True) for words in ("agree", "percent", "κ")],
        col(axis(KAPPA)),
        *[col(words, num=True) for words in ("SE", "κ max", "AC1", "α")],
    )
    caption = (
        "Agreement on items coded by both. Percent with the Clopper–Pearson interval; "
        "Cohen’s κ with the interval of 2,000 resamples of whole scenes and the "
        "standard error of Fleiss, Cohen and Everitt; Gwet’s AC1; Krippendorff’s α."
    )
    pairs = _labelled(coded, fields)
    notes = [
        tag("li", f"{label}: {note}")
        for label, pair in pairs
        for note in (*_undefined(pair), *pair["notes"])
    ]
    rows = [_pair(label, pair) for label, pair in pairs]
    return join(
        table(caption, head, rows), tag("ul", notes, class_="note") if notes else None
    )


def _undefined(pair: Json) -> list[str]:
    # κ is undefined when a coder used one code for all; a dash alone would puzzle.
    reasons = (pair["kappa_undefined"], pair["ci_scenes_missing"])
    return [reason for reason in reasons if reason]


def _pair(label: str, pair: Json) -> list[Markup]:
    # By scenes, as replies about one scene are alike and items are not independent.
    low, high = pair["ci_scenes"] or (None, None)
    percent = pair["percent_ci"] or (None, None)
    return [
        th(label),
        num(f"{pair['agree']} of {pair['n']}"),
        num(points_text(pair["percent"]), " ", _ci(interval_text(*percent))),
        num(_figure(pair["kappa"]), " ", _ci(_between(low, high))),
        td(interval(KAPPA, _drawn(pair["kappa"]), _drawn(low), _drawn(high))),
        num(_figure(pair["se"])),
        num(_figure(pair["kappa_max"])),
        num(_figure(pair["ac1"])),
        num(_figure(pair["alpha"])),
    ]


def _drawn(value: float | None) -> float | None:
    # The drawing begins at 0; a figure below it stands in the text.
    return None if value is None else max(value, 0.0)


def _matrices(coded: Coded, fields: Json) -> Markup:
    pairs = _labelled(coded, fields)
    first = pairs[0][1]
    one = f"Cross-tables: rows {first['a']}, columns {first['b']}."
    several = "Cross-tables: rows the first coder named, columns the second."
    return join(
        tag("p", one if _one_pair(fields) else several, class_="note"),
        tag("div", [_matrix(*pair) for pair in pairs], class_="matrices"),
    )


def _matrix(label: str, pair: Json) -> Markup:
    codes, counts = pair["table"]["codes"], pair["table"]["counts"]
    # Codes that nobody used would be rows and columns of zeros.
    used = [
        i for i in range(len(codes)) if any(counts[i]) or any(row[i] for row in counts)
    ]
    rows = [
        [th(codes[i]), *[_count(counts[i][j], same=i == j) for j in used]] for i in used
    ]
    head = (col("code"), *[col(codes[i], num=True) for i in used])
    return table(label, head, rows)


def _labelled(coded: Coded, fields: Json) -> list[tuple[str, Json]]:
    """Return every field's pairs, named by the coders too where there are several."""
    labels = coded.agreement.labels if coded.agreement else {}
    one = _one_pair(fields)
    return [
        (labels[name] if one else f"{labels[name]}: {pair['a']}, {pair['b']}", pair)
        for name, found in fields.items()
        for pair in found["pairs"]
    ]


def _one_pair(fields: Json) -> bool:
    return all(len(found["pairs"]) == 1 for found in fields.values())


def _count(count: int, *, same: bool) -> Markup:
    # The diagonal is marked, since agreement is read there.
    return tag("td", str(count), class_="num same" if same else "num")


def _readings(joined: Joined) -> Markup:
    # The same here; the codebook lists them all.
    used = [
        code
        for code in joined.codes
        if any(arm.shares[code].k for one in joined.passes for arm in one.arms)
    ]
    caption = (
        f"{joined.label}, by condition, after the packet was unblinded (logged with "
        "its reason): percent of coded traces, with the interval over scenes."
    )
    head = (
        col("condition"),
        col("coder"),
        col("n", num=True),
        *[col(joined.labels[code], num=True) for code in used],
    )
    rows = [row for one in joined.passes for row in _reading(one, used)]
    return table(caption, head, rows)


def _reading(one: JoinedPass, used: list[str]) -> list[list[Markup]]:
    return [
        [
            th(tag("span", arm.condition, class_="mono")),
            td(one.name),
            num(str(arm.n)),
            *[
                num(
                    points_text(arm.shares[code].share),
                    " ",
                    _ci(
                        interval_text(arm.shares[code].ci_low, arm.shares[code].ci_high)
                    ),
                )
                for code in used
            ],
        ]
        for arm in one.arms
    ]


def _ci(words: str) -> Markup:
    return tag("span", words, class_="ci")


def _figure(value: float | None) -> str:
    return (
        "not defined"
        if value is None
        else f"{value:.3f}".replace("-", "\N{MINUS SIGN}")
    )


def _between(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "no interval"
    return f"[{_figure(low)}, {_figure(high)}]"
