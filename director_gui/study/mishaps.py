"""What went wrong with a call, and what a person can do about it."""

from director_gui.errors import UserError
from director_gui.runner.attempting import STOPPING, ErrorKind
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt

_WHAT: dict[ErrorKind, str] = {
    "": "no reply came",
    "rate_limit": "the server asks to wait",
    "quota": "the account has no credit left",
    "auth": "the server refused the key",
    "rejected": "the server refused the request",
    "server": "the server broke down",
    "malformed": "the server answered something that is no reply",
    "connection": "nothing answers at this address",
    "timeout": "the reply took too long",
}
_TODO: dict[ErrorKind, str] = {
    "": "Send the open calls again",
    "rate_limit": "It goes on by itself; fewer requests at a time may help",
    "quota": "Top the account up, then send the open calls again",
    "auth": "Check the key",
    "rejected": "Check the model’s name, the effort and the wire of the profile",
    "server": "Wait, then send the open calls again",
    "malformed": "Check that the base URL is the API’s, which mostly ends in /v1",
    "connection": "Start the server or correct its address in the profile",
    "timeout": "Raise the profile’s timeout or lower the effort",
}


def mishap(attempt: Attempt, profile: Profile) -> UserError:
    """Return what an attempt without a reply means, as a message with a next step."""
    kind = _kind(attempt.error_kind)
    status = f"HTTP {attempt.http_status}" if attempt.http_status else ""
    said = (
        f": {attempt.error_message or status}"
        if attempt.error_message or status
        else ""
    )
    # The practice reader's address is none of the user's business.
    where = profile.name if profile.practice else f"{profile.name}, {profile.base_url}"
    return UserError(f"{_WHAT[kind]}{said}", where=where, todo=_todo(kind, profile))


def words_of(kind: str) -> str:
    """Return what a kind of error means, in a clause."""
    return _WHAT[_kind(kind)]


def goes_on(attempt: Attempt) -> bool:
    """Return whether the same call is tried again by itself."""
    return not attempt.terminal and attempt.error_kind not in STOPPING


def _todo(kind: ErrorKind, profile: Profile) -> str:
    source = profile.key_source
    if kind != "auth":
        return _TODO[kind]
    # A local server without a key never answers so; a hosted one always does.
    if source == "none":
        return (
            "Say in the profile where its key is found, then send the open calls again"
        )
    place = {"keyring": "in the system keyring", "memory": "entered in this session"}
    held = place.get(source, f"in {source.removeprefix('env:')}")
    return f"Check the key {held}, then send the open calls again"


def _kind(text: str) -> ErrorKind:
    # A newer program may have written a kind that this one does not know.
    return next((kind for kind in _WHAT if kind == text), "")
