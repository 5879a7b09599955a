"""The error of the blind side, in the shape that the program's surfaces expect.

`coding` imports nothing of the program around it, so it has an error class of its
own; the command line and the window turn it into theirs, word for word.
"""


class CodingError(Exception):
    """The input or the surroundings are at fault, never the code.

    Args:
        what: What happened, a clause without a full stop.
        where: The file, the entry or the path of a value; empty when it is plain.
        todo: What the user can do next; empty when nothing is to be done.
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.todo = todo

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. {self.todo}" if self.todo else head
