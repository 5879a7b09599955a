"""The supplement of a study: everything that its figures rest on, as plain files.

It is made of what the study holds and of nothing else, in a fixed order and without a
date of its own: two exports of one study are byte-identical.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from director_gui.ids import Json, canonical_json
from director_gui.scene.model import VIEWS
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.conditions import conditions
from director_gui.store.corrections import current_corrections
from director_gui.store.database import Study
from director_gui.store.packets import results_of
from director_gui.store.runs import Run, runs
from director_gui.store.scenes import StoredScene, image, scenes, stimulus
from director_gui.study.blind.auto_report import automatic_rows
from director_gui.study.blind.guessing import guesses_of
from director_gui.study.blind.keys import Opened, all_opened
from director_gui.study.blind.passes import passes_of, unblinding_of
from director_gui.study.export.estimates import estimates
from director_gui.study.export.figures import figure_bytes, has_figure
from director_gui.study.export.folder import Target, target_at
from director_gui.study.export.note import note
from director_gui.study.export.tables import latex, markdown, to_csv
from director_gui.study.results.columns import SceneFact
from director_gui.study.results.outcome import Keys, score_with
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer
from director_gui.study.scored import keys_of

Told = Callable[[float, str], None]
# Of a profile, what shaped the replies; addresses and places of keys stay at home.
_PROFILE = ("name", "model", "wire", "effort", "summary", "max_tokens", "practice")
_README = """# Supplement of “{name}”
{practice}
- `stimuli/`: every scene as canonical JSON with its pictures, byte for byte as sent
- `keys.jsonl`: answer keys and scene properties
- `prompts/`: condition versions in pieces, and every text that was sent, by SHA-256
- `replies/`: one line a call with its reply, its reasoning, its automatic score and,
  where a person corrected that, the correction with its reason
- `coding/`: packets that were unblinded, with coder sheets; sealed ones stay sealed.
  `automatic.jsonl` tells of each automatic coder: model, request, calibration, cost
- `results/`: comparisons and contrasts at full precision, tables and figures, run by
  run; corrections by hand count, and `automatic.json` has the estimates without them
- `method.md`: the paper's choices and ours, versions
- `manifest.json`: SHA-256 of every file
"""


def export_supplement(
    study: Study, path: Path, tell: Told = lambda _share, _text: None
) -> list[dict[str, str]]:
    """Write a study's supplement; return path and SHA-256 of each file, sorted.

    Args:
        study: The study.
        path: A new or empty folder or an earlier supplement; or a name in ``.zip``.
        tell: Told what is being written.

    Raises:
        UserError: Something else is at the path, or it cannot be written.
    """
    cache, target = ReplyCache(study), target_at(path)
    listed = runs(study)
    steps: list[tuple[str, Iterator[tuple[str, bytes]]]] = [
        ("scenes", _stimuli(study, cache)),
        ("prompts", _prompts(study)),
        *((f"replies of {r.label or r.id}", _replies(study, r, cache)) for r in listed),
        # After the replies: what is counted there is then at hand.
        *((f"results of {r.label or r.id}", _results(study, r, cache)) for r in listed),
        ("coding", _coding(study)),
        ("method note", _notes(study, listed)),
    ]
    for at, (words, files) in enumerate(steps):
        tell(at / len(steps), f"Writing {words}")
        _write(target, files)
    return target.finish()


def _write(target: Target, files: Iterator[tuple[str, bytes]]) -> None:
    for name, data in files:
        target.write(name, data)


def _stimuli(study: Study, cache: ReplyCache) -> Iterator[tuple[str, bytes]]:
    every = scenes(study)
    facts = cache.facts({one.hash for one in every})
    lines = []
    for number, one in enumerate(every, start=1):
        stem = f"{number:04d}-{_word(one.name)}"
        yield f"stimuli/{stem}.json", one.json
        pictures = {}
        for view in VIEWS:
            shown = stimulus(study, one.hash, view)
            if shown is not None:
                kept = image(study, shown.image)
                yield f"stimuli/{stem}-{view}.png", kept.png
                pictures[view] = {"sha256": kept.sha256, "renderer": kept.renderer}
        lines.append(_key(one, stem, facts[one.hash], pictures))
    yield "keys.jsonl", _lines(lines)


def _key(one: StoredScene, stem: str, fact: SceneFact, pictures: Json) -> Json:
    features = fact.features
    return {
        "scene": one.hash, "name": one.name, "file": f"stimuli/{stem}.json",
        "digits": fact.digits, "hidden": fact.hidden, "sees": fact.sees,
        "director_view": fact.director_view, "pictures": pictures,
        "blocks": features.blocks, "hidden_rank": features.hidden_rank,
        "hidden_has_largest_digit": features.hidden_has_largest,
        "smaller_visible_has_larger_digit": features.smaller_outranks,
        "apparent_size_confound": features.confound,
    }  # fmt: skip


def _prompts(study: Study) -> Iterator[tuple[str, bytes]]:
    rows = [
        {"condition": c.name, "version": c.hash, "pieces": c.pieces}
        # By name and hash, as the order of storing differs between copies.
        for c in sorted(conditions(study), key=lambda c: (c.name, c.hash))
    ]
    yield "prompts/conditions.jsonl", _lines(rows)
    texts = study.query("SELECT sha256, text FROM prompts ORDER BY sha256")
    yield "prompts/texts.jsonl", _lines(texts)


def _replies(study: Study, run: Run, cache: ReplyCache) -> Iterator[tuple[str, bytes]]:
    found = replies_of(study, run.id)
    keys = keys_of(study, {reply.call.condition_hash for reply in found})
    facts = cache.facts({reply.call.scene for reply in found})
    corrected = current_corrections(study, run.id)
    rows = []
    for reply in found:
        call = reply.call
        row = _reply(reply, keys[call.condition_hash], facts[call.scene])
        mended = corrected.get(call.id)
        if mended is not None:
            row["correction"] = {"score": mended.score, "reason": mended.reason}
        rows.append(row)
    about = {
        "id": run.id, "kind": run.kind, "label": run.label, "created": run.created,
        "practice": run.practice, "settings": _settings(run.settings),
    }  # fmt: skip
    yield f"replies/{run.id}.json", canonical_json(about) + b"\n"
    yield f"replies/{run.id}.jsonl", _lines(rows)


def _reply(reply: Reply, keys: Keys, fact: SceneFact) -> dict[str, Json]:
    call, last, usage = reply.call, reply.last, reply.usage
    row: dict[str, Json] = {
        "call": call.id, "batch": call.batch, "condition": call.condition,
        "version": call.condition_hash, "scene": call.scene, "image": call.image,
        "profile": call.profile, "model": call.model, "sample": call.sample,
        "status": reply.status, "texts": reply.texts, "reasonings": reply.reasonings,
        "attempts": reply.attempts, "cost": reply.cost,
        "tokens": [usage.input, usage.output, usage.reasoning, usage.cached],
    }  # fmt: skip
    if last is not None:
        row |= {
            "finish_reason": last.finish_reason, "model_returned": last.model_returned,
            "fingerprint": last.fingerprint, "request_sha256": last.request_hash,
            "started": last.started, "latency": last.latency, "sdk": last.sdk,
            "error_kind": last.error_kind,
        }  # fmt: skip
    # An open call is no failure; a score would call it one.
    if reply.status != "open":
        # The text of a failed attempt is an error's, not the model's.
        text = reply.text if reply.status == "reply" else None
        finish = last.finish_reason if last is not None else None
        row["score"] = score_with(fact, keys, text, reply.turn1_text, finish).value()
    return row


def _settings(settings: Json) -> Json:
    profiles = [
        {name: profile.get(name) for name in _PROFILE}
        for profile in settings.get("profiles", ())
    ]
    return {**settings, "profiles": profiles}


def _results(study: Study, run: Run, cache: ReplyCache) -> Iterator[tuple[str, bytes]]:
    found = answer(study, cache, Question(run=run.id))
    if found is None:
        return
    where = f"results/{run.id}"
    mended = found.columns.corrected
    scores = "as corrected by hand" if mended else "automatic"
    value = estimates(found, found.columns, scores)
    yield f"{where}/estimates.json", canonical_json(value) + b"\n"
    if mended:
        plain = cache.columns(run.id, automatic=True)
        # Beside them, so that nobody has to take our corrections on trust.
        value = estimates(found, plain, "automatic")
        yield f"{where}/automatic.json", canonical_json(value) + b"\n"
    for name, sheet in found.sheets.items():
        if not sheet.rows:
            continue  # nothing to compare: a table of titles says no more
        yield f"{where}/{name}.csv", to_csv(sheet).encode()
        yield f"{where}/{name}.md", markdown(sheet).encode()
        yield f"{where}/{name}.tex", latex(sheet).encode()
        if has_figure(sheet):
            for suffix in (".svg", ".pdf"):
                yield (
                    f"{where}/{name}{suffix}",
                    figure_bytes(sheet, suffix, found.caveat),
                )


def _coding(study: Study) -> Iterator[tuple[str, bytes]]:
    for opened in all_opened(study):
        packet = opened.stored
        # Its key in a public folder would unblind every coder still at work.
        if unblinding_of(study, packet.id) is None:
            continue
        where = f"coding/{packet.id}"
        yield f"{where}/packet.codepack", packet.file
        yield f"{where}/key.json", canonical_json(packet.key) + b"\n"
        for result in results_of(study, packet.id):
            yield f"{where}/{_word(result.alias)}.jsonl", result.data
        yield f"{where}/codes.jsonl", _lines(_codes(study, opened))
        if guesses := guesses_of(study, packet.id):
            yield f"{where}/guesses.jsonl", _lines([g.value() for g in guesses])
        if automatic := automatic_rows(study, opened):
            yield f"{where}/automatic.jsonl", _lines(automatic)


def _codes(study: Study, opened: Opened) -> list[Json]:
    return [
        {
            "coder": one.alias,
            "item": item,
            "call": opened.calls.get(item),
            "codes": dict(state.values),
            "quotes": [quote.text for quote in state.quotes.values()],
        }
        for one in passes_of(study, opened, adjudicated=True)
        for item, state in sorted(one.states.items())
    ]


def _notes(study: Study, listed: list[Run]) -> Iterator[tuple[str, bytes]]:
    # One practice run is enough: files are passed on one by one.
    practice = any(run.practice for run in listed)
    told = "\nPractice: no figure here says anything about any model.\n"
    name = study.meta("name") or study.path.stem
    text = _README.format(name=name, practice=told if practice else "")
    yield "README.md", text.encode()
    yield "method.md", note(study).encode()


def _lines(values: list[Json]) -> bytes:
    return b"".join(canonical_json(value) + b"\n" for value in values)


def _word(text: str) -> str:
    # A name may hold anything; the number before it keeps equal ones apart.
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:40] or "unnamed"
