"""Thinking that a model writes into its reply, between markers (METHOD §5, rule 2)."""

CLOSING = ("</think>", "◁/think▷")
OPENING = ("<think>", "◁think▷")


def split_thoughts(text: str) -> tuple[str, str]:
    """Return (thinking, reply): the reply is what follows the last closing marker.

    Everything after an opening marker that is never closed is thinking too.
    """
    cut = max((text.rfind(m) + len(m) for m in CLOSING if m in text), default=0)
    head, rest = text[:cut], text[cut:]
    opened = min((rest.find(m) for m in OPENING if m in rest), default=len(rest))
    return head + rest[opened:], rest[:opened]
