"""Two seeded practice coders, who code practice traces with a stated error rate."""

import random
import re
from dataclasses import dataclass
from typing import TypeVar, get_args

from director_gui.runner.practice.draws import generator
from director_gui.runner.practice.mixture import Reading
from director_gui.runner.practice.traces import Codes, SeesChoice, YesNo

READINGS: tuple[Reading, ...] = get_args(Reading)
SEES_CHOICE: tuple[SeesChoice, ...] = get_args(SeesChoice)
WORKS_OUT: tuple[YesNo, ...] = get_args(YesNo)
DEFAULT_ERROR_RATE = 0.06
_SENTENCE = re.compile(r"[^\s.?!](?:[^.?!\n]|[.?!](?=\S))*[.?!]")  # 5.3 ends none

Code = TypeVar("Code", bound=str)


@dataclass(frozen=True, slots=True)
class PracticeCoder:
    """A coder whose mistakes are planted: each code is wrong at `error_rate`.

    Two coders' mistakes are independent, so they agree on a two-way code at
    ``(1 - e)**2 + e**2`` and on a code with k values at
    ``(1 - e)**2 + e**2 / (k - 1)``.
    """

    alias: str
    seed: int
    error_rate: float = DEFAULT_ERROR_RATE

    def code(self, text: str, truth: Codes) -> Codes:
        """Code one item; the same item always gets the same codes.

        Args:
            text: The item as the coder sees it.
            truth: The codes that it states.

        Returns:
            The coder's codes, with a quote that occurs verbatim in `text`.

        Raises:
            ValueError: The text is empty, so there is nothing to quote.
        """
        if not text.strip():
            raise ValueError("an empty item cannot be coded")
        # By the text, not by the item's id: ids are new in every packet.
        rng = generator("coder", self.alias, self.seed, text)
        reading = self._slip(rng, truth.reading, READINGS)
        return Codes(
            reading=reading,
            sees_choice=self._slip(rng, truth.sees_choice, SEES_CHOICE),
            works_out=self._slip(rng, truth.works_out, WORKS_OUT),
            quote=_quote(rng, text, truth.quote if reading == truth.reading else ""),
        )

    def _slip(self, rng: random.Random, code: Code, codes: tuple[Code, ...]) -> Code:
        if rng.random() >= self.error_rate:
            return code
        return rng.choice([other for other in codes if other != code])


def two_coders(
    seed: int, error_rate: float = DEFAULT_ERROR_RATE
) -> tuple[PracticeCoder, PracticeCoder]:
    """Return two coders who err independently of each other."""
    return (
        PracticeCoder("practice-coder-1", seed, error_rate),
        PracticeCoder("practice-coder-2", seed, error_rate),
    )


def _quote(rng: random.Random, text: str, wanted: str) -> str:
    if wanted and wanted in text:
        return wanted
    # A coder who misread points at some other sentence; without any, at all of it.
    sentences: list[str] = _SENTENCE.findall(text)
    return rng.choice(sentences or [text.strip()])
