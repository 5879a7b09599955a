"""Where a key is found, at the moment it is sent and not before.

Keys live in an environment variable, the system keyring, or the memory of this
session. No function here puts one into a text: not `repr`, not an error.
"""

import os

from director_gui.errors import UserError
from director_gui.runner.profiles import Profile

SERVICE = "director-gui"  # the name our entries have in the system keyring
REMOVED = b"[key removed]"


class Keys:
    """The keys of this session, and the way to all others."""

    def __init__(self) -> None:
        self._memory: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Keys(remembered for {sorted(self._memory)})"

    def remember(self, profile_name: str, key: str) -> None:
        """Hold a key in memory until the program ends."""
        self._memory[profile_name] = key

    def forget(self, profile_name: str) -> None:
        """Drop a remembered key; harmless when there is none."""
        self._memory.pop(profile_name, None)

    def resolve(self, profile: Profile) -> str | None:
        """Return the key of a profile, None when its server wants none.

        Raises:
            UserError: The key is missing or cannot be one; the text says where to
                put it and never shows it.
        """
        if profile.key_source == "none":
            return None
        # A pasted key often brings a line end with it.
        key = (self._find(profile) or "").strip()
        if not key:
            raise _missing(profile)
        # An HTTP library would quote a bad header value, key and all, in its error.
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UserError(
                "the key holds characters that no key has",
                where=profile.name,
                todo="Copy the key again",
            )
        return key

    def _find(self, profile: Profile) -> str | None:
        source = profile.key_source
        if source.startswith("env:"):
            return os.environ.get(source.removeprefix("env:"))
        if source == "memory":
            return self._memory.get(profile.name)
        return _from_keyring(profile)


def save_in_keyring(profile_name: str, key: str) -> None:
    """Put a profile's key into the system keyring.

    Raises:
        UserError: This system has no working keyring.
    """
    import keyring  # noqa: PLC0415 - slow to import, rarely used
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        keyring.set_password(SERVICE, profile_name, key)
    except KeyringError as error:
        raise _no_keyring(profile_name, type(error).__name__) from None


def redact(data: bytes, key: str | None) -> bytes:
    """Return `data` without the key, for servers that repeat it in an error."""
    return data.replace(key.encode(), REMOVED) if key else data


def _from_keyring(profile: Profile) -> str | None:
    import keyring  # noqa: PLC0415 - slow to import, rarely used
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(SERVICE, profile.name)
    except KeyringError as error:
        raise _no_keyring(profile.name, type(error).__name__) from None


def _no_keyring(where: str, reason: str) -> UserError:
    return UserError(
        f"the system keyring does not work ({reason})",
        where=where,
        todo="Use an environment variable, or a key for this session",
    )


def _missing(profile: Profile) -> UserError:
    source = profile.key_source
    if source.startswith("env:"):
        name = source.removeprefix("env:")
        what = f"the environment variable {name} holds no key"
        todo = f"Set {name} before starting the program, or choose another key source"
    elif source == "keyring":
        what = "the system keyring holds no key for this profile"
        todo = "Store one in the profile's settings"
    else:
        what = "no key was given in this session"
        todo = "Enter one in the profile's settings"
    return UserError(what, where=profile.name, todo=todo)
