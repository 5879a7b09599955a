"""Plan files: what a run is to be, written down before it, as TOML.

``docs/running.md`` describes the format. A plan holds no key and no result; it can go
into a preregistration as it is.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from director_gui.errors import UserError
from director_gui.ids import Json, hash_of
from director_gui.runner.plan import Batch
from director_gui.runner.prices import priced
from director_gui.runner.profiles import Profile, find_profile, profile_of
from director_gui.study.running import DEFAULT_SAMPLES

FORMAT = "director-plan/1"
Transport = Literal["live", "batch"]
_TRANSPORTS: tuple[Transport, ...] = ("live", "batch")
_MOST_SAMPLES = 1000
_TOP = {
    "format", "name", "profiles", "profile", "samples", "order_seed", "cost_ceiling",
    "transport", "batch_price_factor", "scenes", "batch", "family",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SceneChoice:
    """Which scenes of the study a plan shows.

    Attributes:
        sets: All scenes of these sets, but the dropped ones.
        names: Scenes by name. With neither, every scene of the study.
    """

    sets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclaredFamily:
    """Comparisons that are corrected together, declared before the run.

    Attributes:
        name: What the user calls it.
        pairs: Test against reference, by condition name.
    """

    name: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a plan file says.

    Attributes:
        name: Names the run in its study; one plan of a name is run once.
        scenes: What is shown.
        batches: Conditions that are sampled together; their bases join.
        profiles: The models.
        samples: Replies per scene, condition and model.
        order_seed: Seed of the order; None draws one, which is stored.
        ceiling: The most that the run may cost, US dollars; None for no ceiling.
        families: Declared comparisons.
        transport: One request a call, or the provider's batch API.
        batch_price_factor: What a call costs in a batch, as a share of its price.
    """

    name: str
    batches: tuple[Batch, ...]
    profiles: tuple[Profile, ...]
    scenes: SceneChoice = SceneChoice()
    samples: int = DEFAULT_SAMPLES
    order_seed: int | None = None
    ceiling: float | None = None
    families: tuple[DeclaredFamily, ...] = ()
    transport: Transport = "live"
    batch_price_factor: float = 1.0

    @property
    def identity(self) -> str:
        """Hash of all that decides what is asked and compared, not how it is sent."""
        return hash_of(
            {
                "scenes": [self.scenes.sets, self.scenes.names],
                "batches": [[batch.name, batch.conditions] for batch in self.batches],
                # Prices, timeouts and addresses are how it is sent; they may change in
                # a run.
                "profiles": [[p.name, p.model, p.settings_hash] for p in self.profiles],
                "samples": self.samples,
                "order_seed": self.order_seed,
                "families": self.families_value(),
            }
        )

    def families_value(self) -> Json:
        """Return the declared families as JSON."""
        return [
            {"name": family.name, "pairs": [list(pair) for pair in family.pairs]}
            for family in self.families
        ]


def read_plan(path: Path) -> Plan:
    """Return the plan in a TOML file.

    Raises:
        UserError: The file cannot be read, or says something that no plan can say.
    """
    where = str(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UserError(
            f"this plan cannot be read ({error.strerror})", where=where
        ) from error
    # Not TOMLDecodeError alone: a number can have too many digits to be read.
    except (ValueError, RecursionError) as error:
        raise UserError(f"this plan is not TOML ({error})", where=where) from error
    return _Table(table, where).plan(default_name=path.stem)


class _Table:
    """Takes a plan file's values out of it, and says where one is wrong."""

    def __init__(self, table: Json, where: str) -> None:
        self._table, self._where = table, where

    def plan(self, default_name: str) -> Plan:
        # A misspelt setting would else be ignored, and a run be paid for that nobody
        # meant.
        self._only(self._table, _TOP, "")
        if self._table.get("format", FORMAT) != FORMAT:
            raise self._error(f"the format is not {FORMAT!r}", "format")
        return Plan(
            # A plan without a name goes by its file's.
            name=self._text(self._table.get("name", default_name), "name"),
            scenes=self._scenes(),
            batches=self._batches(),
            profiles=self._profiles(),
            samples=self._whole("samples", DEFAULT_SAMPLES, 1, _MOST_SAMPLES),
            order_seed=self._seed(),
            ceiling=self._number("cost_ceiling"),
            families=self._families(),
            transport=self._transport(),
            batch_price_factor=self._number("batch_price_factor", 1.0) or 0.0,
        )

    def _scenes(self) -> SceneChoice:
        value = self._table.get("scenes", {"all": True})
        if not isinstance(value, dict):
            raise self._error("this is a table with `all`, `sets` or `names`", "scenes")
        self._only(value, {"all", "sets", "names"}, "scenes.")
        sets = self._texts(value.get("sets", []), "scenes.sets")
        names = self._texts(value.get("names", []), "scenes.names")
        # Said in words: an empty list that means everything would be a costly slip.
        if (value.get("all") is True) == bool(sets or names):
            raise self._error("say `all = true`, or name sets or scenes", "scenes")
        return SceneChoice(sets, names)

    def _batches(self) -> tuple[Batch, ...]:
        found = []
        for at, value in enumerate(self._tables("batch")):
            where = f"batch[{at}]"
            self._only(value, {"name", "conditions"}, f"{where}.")
            name = self._text(value.get("name", str(at + 1)), f"{where}.name")
            texts = self._texts(value.get("conditions", []), f"{where}.conditions")
            if not texts:
                raise self._error("a batch needs conditions", f"{where}.conditions")
            found.append(Batch(name, texts))
        if not found:
            raise self._error("a plan needs at least one [[batch]]", "batch")
        return tuple(found)

    def _profiles(self) -> tuple[Profile, ...]:
        names = self._texts(self._table.get("profiles", []), "profiles")
        own = tuple(
            priced(profile_of(value, f"{self._where}: profile[{at}]"))
            for at, value in enumerate(self._tables("profile"))
        )
        found = (*map(find_profile, names), *own)
        if not found:
            raise self._error("a plan needs at least one model profile", "profiles")
        called = [profile.name for profile in found]
        # Calls name their profile; two of one name would be one arm.
        if len(set(called)) < len(called):
            raise self._error("two profiles have the same name", "profiles")
        return found

    def _families(self) -> tuple[DeclaredFamily, ...]:
        found = []
        for at, value in enumerate(self._tables("family")):
            where = f"family[{at}]"
            self._only(value, {"name", "pairs"}, f"{where}.")
            name = self._text(value.get("name", str(at + 1)), f"{where}.name")
            pairs = self._pairs(value.get("pairs"), f"{where}.pairs")
            found.append(DeclaredFamily(name, pairs))
        return tuple(found)

    def _pairs(self, value: Json, where: str) -> tuple[tuple[str, str], ...]:
        rows = value if isinstance(value, list) else []
        found = tuple(self._texts(row, f"{where}[{at}]") for at, row in enumerate(rows))
        if not found or any(len(row) != 2 for row in found):
            raise self._error("a family is a list of pairs [test, reference]", where)
        return tuple((first, second) for first, second in found)

    def _transport(self) -> Transport:
        value = self._table.get("transport", "live")
        for known in _TRANSPORTS:
            if value == known:
                return known
        raise self._error("the transport is `live` or `batch`", "transport")

    def _seed(self) -> int | None:
        # TOML has no null: what is not there is drawn.
        if "order_seed" not in self._table:
            return None
        return self._whole("order_seed", 0, 0, 2**63 - 1)

    def _whole(self, key: str, default: int, least: int, most: int) -> int:
        value = self._table.get(key, default)
        # In Python true is the number 1.
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and least <= value <= most:
            return int(value)
        raise self._error(f"this is a whole number from {least} to {most}", key)

    def _number(self, key: str, default: float | None = None) -> float | None:
        value = self._table.get(key, default)
        if value is None:
            return None
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and 0 <= value < float("inf"):
            return float(value)
        raise self._error("this is a number of at least 0", key)

    def _tables(self, key: str) -> list[Json]:
        value = self._table.get(key, [])
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return value
        raise self._error(f"write it as [[{key}]]", key)

    def _texts(self, value: Json, where: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._error("this is a list of names", where)
        return tuple(dict.fromkeys(self._text(item, where) for item in value))

    def _text(self, value: Json, where: str) -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise self._error("this is a text, and not empty", where)

    def _only(self, value: Mapping[str, Json], known: set[str], path: str) -> None:
        for key in value:
            if key not in known:
                raise self._error(
                    f"there is no such setting; known are {', '.join(sorted(known))}",
                    path + key,
                )

    def _error(self, what: str, where: str) -> UserError:
        return UserError(what, where=f"{self._where}: {where}")
