"""Model profiles: which server, which model, which settings, where the key is.

A profile never holds a key, only the place where one is found (`runner.keys`).
Presets ship in ``resources/profiles/*.toml``; a user's own are JSON in the settings
folder, so they belong to the person and not to a study.
"""

import json
import os
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from director_gui import assets
from director_gui.errors import UserError
from director_gui.home import settings_folder
from director_gui.ids import Json, hash_of
from director_gui.runner.prices import priced

Wire = Literal["chat", "responses"]
KEY_SOURCES = ("none", "keyring", "memory")  # and env:NAME
FILE_NAME = "profiles.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How to ask one model.

    Attributes:
        name: What the user calls it; unique among profiles.
        base_url: Address of the OpenAI-compatible API, such as
            ``https://api.openai.com/v1``.
        model: The model's name on that server.
        wire: Chat Completions or Responses.
        effort: Reasoning effort; None leaves the parameter out.
        summary: Responses only: ask for summaries of the reasoning (`auto`); None
            leaves the parameter out, as some accounts may not ask.
        max_tokens: Limit of the reply with its reasoning; None leaves it out.
        key_source: ``none``, ``env:NAME``, ``keyring`` or ``memory``.
        input_price: US dollars per million input tokens; None when unknown.
        cached_price: The same for input tokens read from a cache; None: as input.
        output_price: The same for output tokens, reasoning included.
        practice: The server is the practice reader, not a model.
        concurrency: Most requests in flight at a time.
        timeout: Wall-clock limit of one request, seconds.
    """

    name: str
    base_url: str
    model: str
    wire: Wire = "chat"
    effort: str | None = "medium"
    summary: str | None = None
    max_tokens: int | None = None
    key_source: str = "none"
    input_price: float | None = None
    cached_price: float | None = None
    output_price: float | None = None
    practice: bool = False
    concurrency: int = 8
    timeout: float = 600.0

    @property
    def price_known(self) -> bool:
        """Whether the cost of a call can be computed."""
        return self.input_price is not None and self.output_price is not None

    @property
    def settings_hash(self) -> str:
        """Hash of what shapes a reply beside the model; prices and limits do not."""
        # The practice reader's port changes with every start and means nothing.
        server = "practice" if self.practice else self.base_url
        return hash_of(
            {
                "server": server,
                "wire": self.wire,
                "effort": self.effort,
                "summary": self.summary,
                "max_tokens": self.max_tokens,
            }
        )


def profile_of(value: Json, where: str) -> Profile:
    """Return the profile in a JSON or TOML table.

    Raises:
        UserError: A key is unknown or missing, or a value cannot be; `where` is named.
    """
    if not isinstance(value, dict):
        raise UserError("a profile is a table of settings", where=where)
    known = {item.name for item in fields(Profile)}
    for key in value:
        if key not in known:
            raise UserError(f"unknown setting {key!r}", where=where)
    for key in ("name", "base_url", "model"):
        if not isinstance(value.get(key), str) or not value[key].strip():
            raise UserError(f"{key!r} is missing or empty", where=where)
    profile = Profile(**value)
    _check(profile, where)
    return profile


def _check(profile: Profile, where: str) -> None:
    if not profile.base_url.startswith(("http://", "https://")):
        raise UserError("the base URL starts with http:// or https://", where=where)
    if profile.wire not in get_args(Wire):
        raise UserError("the wire is `chat` or `responses`", where=where)
    source = profile.key_source
    if source not in KEY_SOURCES and not (source.startswith("env:") and source[4:]):
        raise UserError(
            "the key source is none, env:NAME, keyring or memory", where=where
        )
    _check_numbers(profile, where)


def _check_numbers(profile: Profile, where: str) -> None:
    for name in ("input_price", "cached_price", "output_price"):
        price = getattr(profile, name)
        if price is not None and not (_is_number(price) and price >= 0):
            raise UserError(f"{name} is a price in dollars or nothing", where=where)
    for name, least in (("concurrency", 1), ("timeout", 0.01), ("max_tokens", 1)):
        number = getattr(profile, name)
        if name == "max_tokens" and number is None:
            continue
        if not _is_number(number) or not least <= number < float("inf"):
            raise UserError(f"{name} is a number of at least {least}", where=where)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def presets() -> tuple[Profile, ...]:
    """Return the profiles that ship with the program, with list prices.

    Raises:
        UserError: A resource is broken.
    """
    found: list[Profile] = []
    for name in assets.names("profiles", ".toml"):
        table = tomllib.loads(assets.read_text(name))
        found += [priced(profile_of(item, name)) for item in table["profile"]]
    return tuple(found)


def _saved() -> Path:
    """Return where the user's own profiles are, or will be, kept."""
    folder = settings_folder()
    # Where earlier versions kept them: beside the folder when it was moved, and on
    # Windows in a folder inside it.
    moved = bool(os.environ.get("DIRECTOR_GUI_HOME"))
    before = folder.parent if moved else folder / folder.name
    old, path = before / FILE_NAME, folder / FILE_NAME
    return old if old.exists() and not path.exists() else path


def load_profiles() -> tuple[Profile, ...]:
    """Return the user's own profiles, in the order they were saved.

    Raises:
        UserError: The file cannot be read.
    """
    path = _saved()
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise UserError(
            f"the saved profiles cannot be read ({error})",
            where=str(path),
            todo="Repair or remove this file",
        ) from error
    if not isinstance(value, list):
        raise UserError("the saved profiles are not a list", where=str(path))
    return tuple(profile_of(item, str(path)) for item in value)


def save_profiles(profiles: tuple[Profile, ...]) -> None:
    """Replace the user's own profiles; a crash leaves the old file or the new one.

    Raises:
        UserError: Two profiles share a name, or the folder cannot be written.
    """
    names = [profile.name for profile in profiles]
    for name in names:
        if names.count(name) > 1:
            raise UserError("two profiles have this name", where=name)
    path = settings_folder() / FILE_NAME
    text = json.dumps([asdict(p) for p in profiles], indent=1, ensure_ascii=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved over, which the system does as one step.
        draft = path.with_suffix(".tmp")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise UserError(
            f"the profiles cannot be saved ({error.strerror})", where=str(path)
        ) from error


def find_profile(name: str) -> Profile:
    """Return the user's profile of this name, or else the preset.

    Raises:
        UserError: There is none; the known names are listed.
    """
    # A user's own profile goes before a preset of the same name.
    known = {p.name: p for p in (*presets(), *load_profiles())}
    if name in known:
        return known[name]
    raise UserError(
        "there is no such model profile",
        where=name,
        todo="Known: " + ", ".join(sorted(known)),
    )
