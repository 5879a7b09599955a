"""References to the things in a scene that can be selected and edited."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["block", "partition", "director", "camera", "table"]


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """One thing in a scene: a block by its digit, a partition by its index.

    The director, the camera and the table are one of a kind; their key is 0.
    """

    kind: Kind
    key: int = 0

    def __str__(self) -> str:
        if self.kind == "block":
            return f"block {self.key}"
        if self.kind == "partition":
            return f"partition {self.key + 1}"
        return self.kind
