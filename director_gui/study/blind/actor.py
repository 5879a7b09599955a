"""Who acts, for the study's log."""

import getpass


def user_name() -> str:
    """Return the name of the user of this machine, or a word in its place."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unnamed user"  # no account has this number, as in some containers
