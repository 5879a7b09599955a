"""A family as text: one value changed and all else left, and recipes from texts.

Comments, order and blanks of a family file survive a change, because only the one
value's text is replaced (tomlkit).
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.model import Family
from director_gui.families.reading import parsed, read_family
from director_gui.store import own_families
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.sets import StoredSet
from director_gui.study.sets import Recipe

Value = object  # what TOML can hold: numbers, texts, lists, tables of numbers
_STEP = re.compile(r"[^.\[\]]+|\[\d+\]")


def value_at(text: str, path: str) -> Any:  # noqa: ANN401 - whatever TOML holds
    """Return the value at a path such as ``partitions[0].width``, None for none.

    Raises:
        UserError: The text is not TOML.
    """
    return value_in(parsed(text.encode()), path)


def value_in(tables: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - whatever TOML holds
    """Return the value at a path in the tables of a family file, None for none."""
    found: Any = tables
    for step in _steps(path):
        try:
            found = found[step]
        # A place that is not there is a value that is not set.
        except (KeyError, IndexError, TypeError):
            return None
    return found


def with_value(text: str, path: str, value: Value) -> str:
    """Return the text with another value at `path`; a None takes the key out.

    Unlike `families.writing.changed` it also adds keys, keeps tables of shares on
    their line, and leaves it to the caller to read the new text.

    Raises:
        UserError: The text is not TOML, or has no such place.
    """
    # Untouched, so that showing a form never rewrites a file.
    if value_at(text, path) == value:
        return text
    *way, last = _steps(path)
    try:
        document = tomlkit.parse(text)
        place: Any = document
        for step in way:
            place = place[step]
        if value is None:
            del place[last]
        else:
            place[last] = _inline(value) if isinstance(value, dict) else _plain(value)
        return tomlkit.dumps(document)
    except (TOMLKitError, KeyError, IndexError, TypeError) as error:
        raise UserError("the family has no such place", where=path) from error


def recipe_in(
    study: Study, text: str, *, count: int | None, seed: int | None, name: str = ""
) -> Recipe:
    """Return the recipe of a family's text, which may rearrange another's.

    Args:
        study: Where the other family is looked for first.
        text: The family.
        count: How many scenes, instead of the family's own number.
        seed: Where the draws begin, instead of the family's own.
        name: The set's name, instead of the family's.

    Raises:
        UserError: The text is no family; `where` is the path of the value.
    """
    family = family_in(study, text).with_(count, seed)
    source = None
    if family.rearranges:
        # A copy needs the originals, so they are made with it, by the same count and
        # seed.
        base = text_named(study, family.rearranges)
        source = Recipe(family_in(study, base).with_(count, seed), base)
    named = replace(family, name=name) if name else family
    return Recipe(named, text, source)


def recipe_of_set(study: Study, item: StoredSet) -> Recipe:
    """Return the recipe that goes on with a set that was begun.

    Raises:
        UserError: The set was imported, or was made by a family that is refused now.
    """
    if not item.family:
        raise UserError("an imported set has no family", where=item.name)
    recipe = recipe_in(
        study, item.family, count=item.count, seed=item.seed, name=item.name
    )
    if item.original is not None:
        first = rows.find_set(study, item.original)
        recipe = replace(recipe, source=recipe_of_set(study, first) if first else None)
    # Scenes of two recipes in one set would be neither's.
    if recipe.set_id != item.id:
        raise UserError(
            "this version of the program would make another set",
            where=item.name,
            todo="Sample the family anew under another name",
        )
    return recipe


def family_in(study: Study, text: str) -> Family:
    """Return the family in a text; what it rearranges is the study's or built in.

    Raises:
        UserError: The text is no family; `where` is the path of the value.
    """
    return read_family(text.encode(), finder(study))


def finder(study: Study | None) -> Callable[[str], Family]:
    """Return what finds a family by name: the study's own first, then a built-in."""

    def find(name: str) -> Family:
        own = own_families.family_texts(study) if study is not None else {}
        if name in own:
            # Without `find`: a rearrangement of a rearrangement is refused anyway.
            return read_family(own[name].encode())
        return library.family(name)

    return find


def text_named(study: Study, name: str) -> str:
    """Return the text of the study's own family, or of a built-in one.

    Raises:
        UserError: There is neither.
    """
    own = own_families.family_texts(study)
    return own[name] if name in own else library.built_in(name).text


def free_name(name: str, taken: set[str]) -> str:
    """Return `name`, or with the first number that is free, such as ``main-2``."""
    if name not in taken:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _steps(path: str) -> list[str | int]:
    return [
        int(step[1:-1]) if step.startswith("[") else step
        for step in _STEP.findall(path)
    ]


def _inline(value: dict[str, int]) -> Value:
    """Return a table that stays on its line, where its comment is."""
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _plain(value: Value) -> Value:
    """Return whole floats as integers, as a person would write them."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        short = round(value, 6)
        return int(short) if short == int(short) else short
    return value
