"""Errors that a user can mend, kept apart from bugs.

A `UserError` carries what happened, where, and what to do; the command line and
the window print it as it is. Any other exception is a bug and keeps its traceback.
"""


class UserError(Exception):
    """The input or the surroundings are at fault.

    Args:
        what: What happened, a clause without a full stop.
        where: The file, the path of a value or the field; empty when it is plain.
        todo: What the user can do next; empty when nothing is to be done.
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.todo = todo

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        if not self.todo:
            return head
        stop = "" if head.endswith((".", "?", "…")) else "."
        return f"{head}{stop} {self.todo}"


class CheckFailedError(UserError):
    """A check that the user asked for does not hold (exit code 3)."""


def for_terminal(text: str) -> str:
    """Return a text fit for a terminal: signs that could drive one are replaced.

    Names out of strangers' files stand in messages.
    """
    return "".join(map(_harmless, text))


def _harmless(sign: str) -> str:
    wide = sign >= "\xa0" and sign.isspace()  # blanks that do not break are ours
    return sign if sign.isprintable() or sign in "\n\t" or wide else "\ufffd"
