"""Agreement as a JSON value and as lines for people."""

from collections.abc import Iterator

from coding.agreement import Agreement, Pair
from coding.kappa import CodeKappa

NOT_USED = "not used"


def json_value(found: Agreement) -> dict[str, object]:
    """Return agreement as a JSON value; shares are 0 to 1, None where none is."""
    return {
        "pairs": [pair_value(pair) for pair in found.pairs],
        "alpha": found.alpha.value,
        "alpha_undefined": found.alpha.undefined,
        "ac1": found.ac1,
        "codes": list(found.codes),
    }


def pair_value(pair: Pair) -> dict[str, object]:
    """Return one pair as a JSON value."""
    kappa, scenes = pair.kappa, pair.by_scene
    per_code = zip(pair.codes, pair.per_code, strict=True)
    return {
        "a": pair.a,
        "b": pair.b,
        "n": kappa.n,
        "agree": kappa.agree,
        "percent": pair.percent,
        "percent_ci": _list(pair.percent_ci),
        "kappa": kappa.value,
        "kappa_undefined": pair.kappa_undefined,
        "uninformative": kappa.constant is not None,
        "expected_agreement": kappa.expected,
        "se": kappa.se,
        "ci_fce": _list(kappa.ci),
        "ci_scenes": _list(scenes.ci) if scenes else None,
        "ci_scenes_missing": _why_not_by_scene(pair),
        "scenes": scenes.scenes if scenes else None,
        "resamples": scenes.draws if scenes else None,
        "resamples_undefined": scenes.undefined if scenes else None,
        "kappa_max": kappa.maximum,
        "table": {"codes": list(pair.codes), "counts": pair.table.tolist()},
        "per_code": {code: _code_value(one) for code, one in per_code},
        "ac1": pair.ac1,
        "alpha": pair.alpha.value,
        "alpha_undefined": pair.alpha.undefined,
        "prevalence_index": pair.prevalence_index,
        "bias_index": pair.bias_index,
        "notes": list(pair.notes),
    }


def lines(found: Agreement) -> Iterator[str]:
    """Yield agreement for people to read."""
    for pair in found.pairs:
        yield from _pair_lines(pair)
        yield ""
    alpha = _number(found.alpha.value) or f"not defined ({found.alpha.undefined})"
    yield f"all coders: alpha {alpha}, AC1 {_number(found.ac1) or 'not defined'}"


def _why_not_by_scene(pair: Pair) -> str | None:
    if pair.kappa.value is None:
        return "kappa is not defined"
    if pair.by_scene is None:
        return "the scenes are not known"
    return pair.by_scene.reason or None


def _pair_lines(pair: Pair) -> Iterator[str]:
    kappa = pair.kappa
    yield f"{pair.a} and {pair.b}"
    if pair.percent is None:
        yield f"  {pair.kappa_undefined}"
        return
    percent = f"{100 * pair.percent:.1f} %{_interval(pair.percent_ci, 100, 1)}"
    yield f"  agree      {kappa.agree} of {kappa.n}, {percent}"
    if kappa.value is None:
        yield f"  kappa      {pair.kappa_undefined}"
    else:
        yield f"  kappa      {_kappa_text(pair)}"
    yield f"  AC1        {_number(pair.ac1) or 'not defined'}"
    yield from (f"  note       {note}" for note in pair.notes)
    yield from _table_lines(pair)
    for code, one in zip(pair.codes, pair.per_code, strict=True):
        yield f"  {code}: {_code_text(one)}"


def _kappa_text(pair: Pair) -> str:
    kappa, scenes = pair.kappa, pair.by_scene
    text = f"{_number(kappa.value)}, greatest possible {_number(kappa.maximum)}"
    if kappa.ci:
        text += f", SE {_number(kappa.se)}{_interval(kappa.ci, 1, 3)}"
    if scenes and scenes.ci:
        text += f", over scenes{_interval(scenes.ci, 1, 3)}"
    elif scenes:
        text += f", no interval over scenes: {scenes.reason}"
    if scenes and scenes.undefined:
        text += f" ({scenes.undefined} of {scenes.draws} resamples undefined)"
    return text


def _table_lines(pair: Pair) -> Iterator[str]:
    # Unused codes would make the table wide; they are listed below it.
    used = [
        i
        for i in range(len(pair.codes))
        if pair.table[i].any() or pair.table[:, i].any()
    ]
    width = max(len(pair.codes[i]) for i in used) + 2
    yield f"  rows {pair.a}, columns {pair.b}"
    yield "  " + " " * width + "".join(f"{pair.codes[i]:>{width}}" for i in used)
    for i in used:
        cells = "".join(f"{int(pair.table[i, j]):>{width}}" for j in used)
        yield f"  {pair.codes[i]:<{width}}{cells}"


def _code_value(one: CodeKappa) -> dict[str, object]:
    return {
        "kappa": one.kappa,
        "n_a": one.n_a,
        "n_b": one.n_b,
        "n_both": one.n_both,
        "prevalence_index": one.prevalence_index,
        "bias_index": one.bias_index,
        "note": _code_note(one),
    }


def _code_note(one: CodeKappa) -> str | None:
    if one.n_a == one.n_b == 0:
        return NOT_USED
    return "used on every item by both" if one.kappa is None else None


def _code_text(one: CodeKappa) -> str:
    note = _code_note(one)
    if note:
        return note
    counts = f"{one.n_a} and {one.n_b} items, {one.n_both} by both"
    return f"kappa {_number(one.kappa)}, {counts}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _interval(ends: tuple[float, float] | None, scale: int, digits: int) -> str:
    if ends is None:
        return ""
    low, high = (f"{scale * end:.{digits}f}" for end in ends)
    return f" (95 % {low} to {high})"


def _list(ends: tuple[float, float] | None) -> list[float] | None:
    return list(ends) if ends else None
