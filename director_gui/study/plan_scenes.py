"""Which scenes a plan shows, and whether each is fit to be shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.scene.model import Scene
from director_gui.scene.serialize import canonical_bytes, read_scene
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.marks import dropped, marks_of
from director_gui.study.checking import check_scenes
from director_gui.study.plan_file import SceneChoice

_TOLD = 5  # unfit scenes that a refusal names, and dropped ones that a line names


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A scene that a choice would show, had nobody dropped it.

    Attributes:
        set: The set that it was dropped from.
        scene: Its name.
        reason: Why, in the person's words.
    """

    set: str
    scene: str
    reason: str


def chosen_scenes(study: Study, choice: SceneChoice) -> tuple[Scene, ...]:
    """Return the scenes of a choice, each once, in the order of the study.

    What was dropped from a set is left out of it (`left_out`); a scene that is chosen
    by its own name is shown all the same.

    Raises:
        UserError: A set or a scene is not in the study, or nothing is chosen.
    """
    hashes = _chosen(study, choice)
    if not hashes:
        raise _nothing(study, left_out(study, choice))
    return tuple(read_scene(stored.scene(study, item).json) for item in hashes)


def left_out(study: Study, choice: SceneChoice) -> tuple[LeftOut, ...]:
    """Return what a choice leaves out because it was dropped, in the sets' order.

    Raises:
        UserError: A set or a scene is not in the study.
    """
    shown = _chosen(study, choice)
    whole = not (choice.sets or choice.names)
    sets = [rows.set_named(study, name) for name in choice.sets]
    return tuple(
        LeftOut(item.name, _name(study, scene), reason)
        for item in (rows.sets(study) if whole else sets)
        for scene, reason in _dropped_from(study, item.id)
        # It may be shown all the same, by its name or by another set.
        if scene not in shown
    )


def choice_of(
    study: Study, hashes: Sequence[str], out: Iterable[Mapping[str, str]]
) -> SceneChoice:
    """Return a choice that names these scenes: whole sets first, the rest by name.

    Args:
        study: Open.
        hashes: The scenes.
        out: What was left out when they were chosen, as `LeftOut` holds it.

    Raises:
        UserError: The study does not hold a scene.
    """
    rest, gone = dict.fromkeys(hashes), {(item["set"], item["scene"]) for item in out}
    named = []
    for item in rows.sets(study):
        members = [row.scene for row in rows.set_scenes(study, item.id)]
        # A set with other scenes beside those dropped then or since was not meant.
        others = set(members) - {*hashes} - dropped(study, item.id)
        if rest.keys().isdisjoint(members) or any(
            (item.name, _name(study, scene)) not in gone for scene in others
        ):
            continue
        named.append(item.name)
        rest = {scene: None for scene in rest if scene not in members}
    names = dict.fromkeys(_name(study, scene) for scene in rest)
    return SceneChoice(tuple(named), tuple(names))


def dropped_in_words(gone: Sequence[LeftOut]) -> str:
    """Return how many scenes are left out and why; empty when none is."""
    if not gone:
        return ""
    count = (
        "1 dropped scene is" if len(gone) == 1 else f"{len(gone)} dropped scenes are"
    )
    each = "; ".join(f"{item.scene} ({item.reason})" for item in gone[:_TOLD])
    more = f"; and {len(gone) - _TOLD} more" if len(gone) > _TOLD else ""
    return f"{count} left out: {each}{more}"


def refuse_unfit(study: Study, scenes: Sequence[Scene]) -> None:
    """Refuse scenes that no model should be shown.

    Scenes of a set were judged when they were made; others are judged now, by both
    witnesses.

    Raises:
        UserError: At least one scene has a problem that makes it unfit.
    """
    known = _judged(study)
    unknown = [item for item in scenes if _hash(item) not in known]
    wrong = [known[_hash(item)] for item in scenes if known.get(_hash(item))]
    # Only then: it opens a window, which a machine may not have.
    if unknown:
        wrong += [text for text in _problems(unknown) if text]
    if wrong:
        more = f", and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise UserError(
            f"unfit as stimuli: {'; '.join(wrong[:_TOLD])}{more}",
            where=str(study.path),
            todo="Mend these scenes, or choose others by set or by name",
        )


def _chosen(study: Study, choice: SceneChoice) -> dict[str, None]:
    """Return the hashes of a choice, in order."""
    if not (choice.sets or choice.names):
        return dict.fromkeys(_all(study))
    return dict.fromkeys((*_of_sets(study, choice.sets), *_named(study, choice)))


def _nothing(study: Study, gone: Sequence[LeftOut]) -> UserError:
    if gone:
        return UserError(
            f"every scene of this choice was dropped: {dropped_in_words(gone)}",
            where=str(study.path),
            todo="Clear the mark of those that are to be shown",
        )
    return UserError(
        "this study has no scenes to run",
        where=str(study.path),
        todo="Make a set first: director-gui scenes make main -o STUDY",
    )


def _dropped_from(study: Study, set_id: str) -> Iterator[tuple[str, str]]:
    marks = {m.scene: m for m in marks_of(study, set_id).values() if m.kind == "drop"}
    # In the set's order, which is the order that people know.
    for row in rows.set_scenes(study, set_id) if marks else ():
        if row.scene in marks:
            yield row.scene, marks[row.scene].reason


def _of_sets(study: Study, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        found = rows.set_named(study, name)
        gone = dropped(study, found.id)
        members = [row.scene for row in rows.set_scenes(study, found.id)]
        yield from (scene for scene in members if scene not in gone)


def _named(study: Study, choice: SceneChoice) -> Iterator[str]:
    if not choice.names:
        return
    # Of two scenes with one name, the newer is meant: it is an edit of the other.
    known = {scene.name: scene.hash for scene in stored.scenes(study)}
    for name in choice.names:
        if name not in known:
            raise UserError("the study holds no scene of this name", where=name)
        yield known[name]


def _all(study: Study) -> Iterator[str]:
    # Dropped from one set is dropped: here no set is named that could keep it.
    gone = {item for found in rows.sets(study) for item in dropped(study, found.id)}
    yield from (item.hash for item in stored.scenes(study) if item.hash not in gone)


def _judged(study: Study) -> dict[str, str]:
    """Return what the stored facts say of each scene of a set; empty when fit."""
    found: dict[str, str] = {}
    for item in rows.sets(study):
        for row in rows.set_scenes(study, item.id):
            codes = [p["code"] for p in row.facts["problems"] if p["blocks_stimulus"]]
            # Empty for a fit scene, which still says that it was judged.
            found[row.scene] = f"scene {row.position + 1} of {item.name}" * bool(codes)
            if codes:
                found[row.scene] += f" ({', '.join(codes)})"
    return found


def _problems(scenes: Iterable[Scene]) -> Iterator[str]:
    for check in check_scenes(scenes):
        codes = [p.code for p in check.problems if p.blocks_stimulus]
        yield f"{check.scene.name} ({', '.join(codes)})" if codes else ""


def _name(study: Study, scene: str) -> str:
    return read_scene(stored.scene(study, scene).json).name


def _hash(scene: Scene) -> str:
    return sha256_hex(canonical_bytes(scene))
