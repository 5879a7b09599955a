"""Which column means what; remembered for files with the same columns."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from director_gui import home
from director_gui.errors import UserError
from director_gui.ids import hash_of

FILE = "reply-mappings.json"
# What columns are often called, best first; the names are compared in lower case.
_USUAL: Mapping[str, tuple[str, ...]] = {
    "scene": ("scene", "item", "item_id", "scene_id", "stimulus", "question_id", "id"),
    "condition": ("condition", "prompt", "arm", "variant", "eval.task"),
    "y": ("y", "hidden_choice", "correct", "outcome", "score", "label"),
    "reply": ("reply", "response", "text", "completion", "output.completion"),
    "target": ("hidden", "target", "answer", "key"),
    "sample": ("sample", "epoch", "repeat", "trial"),
    "model": ("model", "model_name", "eval.model"),
    "batch": ("batch",),
}


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The column of each part; empty where there is none.

    Attributes:
        scene: The cluster: replies to one scene or item belong together.
        condition: What is compared.
        y: 0, 1 or empty; or else `reply` and `target` are given.
        reply: The reply's text, scored by the last JSON object with a `choice`.
        target: The number whose choice is the event.
        sample: Only shown; every row is one reply.
        model: Models are analysed apart.
        batch: Comparisons across batches are refused.
    """

    scene: str = ""
    condition: str = ""
    y: str = ""
    reply: str = ""
    target: str = ""
    sample: str = ""
    model: str = ""
    batch: str = ""

    def names(self) -> frozenset[str]:
        """Return the columns that are named."""
        return frozenset(name for name in asdict(self).values() if name)

    def check(self, columns: Iterable[str]) -> None:
        """Check that the analysis can be made.

        Raises:
            UserError: A part is missing, or names no column of the file.
        """
        if not (self.scene and self.condition):
            raise UserError("choose the columns of the scene and the condition")
        if not self.y and not (self.reply and self.target):
            raise UserError(
                "choose the column of 0 and 1",
                todo="Or the reply and the number whose choice counts",
            )
        held = set(columns)
        for part, name in asdict(self).items():
            if name and name not in held:
                raise UserError(
                    f"the file has no column {name!r}, or it has it twice", where=part
                )


def suggested(columns: Iterable[str]) -> ColumnMap:
    """Return the mapping that was used for these columns before, or a guess."""
    listed = list(columns)
    # Sorted: another order of columns is the same kind of file.
    kept = _kept().get(hash_of(sorted(listed)))
    if isinstance(kept, dict):
        # A file that other versions and hands may have written.
        return ColumnMap(**{k: str(v) for k, v in kept.items() if k in _USUAL})
    lower: dict[str, str] = {}
    for name in listed:
        # The first of two columns that differ in case alone.
        lower.setdefault(name.strip().lower(), name)
    guess = {
        part: next((lower[name] for name in usual if name in lower), "")
        for part, usual in _USUAL.items()
    }
    # A file with outcomes needs no scoring; both would contradict each other.
    if guess["y"]:
        guess |= {"reply": "", "target": ""}
    return ColumnMap(**guess)


def remember(mapping: ColumnMap, columns: Iterable[str]) -> None:
    """Keep a mapping for files with the same columns.

    Raises:
        UserError: It cannot be kept.
    """
    value = {**_kept(), hash_of(sorted(columns)): asdict(mapping)}
    path = home.settings_folder() / FILE
    try:
        path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    except OSError as error:
        what = f"the mapping cannot be kept ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error


def _kept() -> dict[str, object]:
    try:
        value = json.loads((home.settings_folder() / FILE).read_text(encoding="utf-8"))
    # A memory that cannot be read is none; the user chooses again.
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
