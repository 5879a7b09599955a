"""The practice reader as an automatic coder: a loopback server that codes its traces.

It answers the requests that a model would get, word for word, with planted mistakes
and planted replies that cannot be used. Whatever it codes is practice.
"""

import json
import random
from dataclasses import replace
from typing import Self

from director_gui.ids import Json, sha256_hex
from director_gui.runner.practice.answering import (
    Sent,
    Usage,
    chat_json,
    responses_json,
)
from director_gui.runner.practice.asking import Ask, Wire
from director_gui.runner.practice.catalogue import Catalogue
from director_gui.runner.practice.coders import DEFAULT_ERROR_RATE, PracticeCoder
from director_gui.runner.practice.draws import Tally, generator
from director_gui.runner.practice.faults import Faults
from director_gui.runner.practice.reader import count_tokens
from director_gui.runner.practice.server import Server
from director_gui.runner.practice.service import HttpReply, Service
from director_gui.runner.practice.traces import true_codes
from director_gui.runner.profiles import Profile
from director_gui.study.blind.auto_prompt import item_text_in

DEFAULT_BROKEN = 0.05  # share of replies that cannot be used, so that this is rehearsed
_WIRES: dict[str, Wire] = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}
_STRANGE = "This text is no practice trace, and the practice reader codes no other."


class CoderService(Service):
    """Answers requests that hold a coding item and no picture; others as a reader."""

    def __init__(
        self,
        *,
        seed: int = 0,
        error_rate: float = DEFAULT_ERROR_RATE,
        broken: float = DEFAULT_BROKEN,
    ) -> None:
        super().__init__(Catalogue(), seed=seed, faults=Faults())
        self._coder_seed = seed
        self._error_rate, self._broken = error_rate, broken
        self._asked = Tally()

    def handle(self, method: str, path: str, body: bytes) -> HttpReply:
        """Answer one request."""
        wire = _WIRES.get(path)
        text = _item(body) if wire and method == "POST" else None
        if wire is None or text is None:
            return super().handle(method, path, body)
        # By how often the text was asked: a second pass draws anew, as a model does.
        number = self._asked.next(text)
        said = self._say(text, number)
        value = json.loads(body)
        ask = Ask(wire, str(value.get("model")), (), b"", "", None, None)
        usage = Usage(len(body) // 4, 0, count_tokens(said))
        encode = chat_json if wire == "chat" else responses_json
        token = sha256_hex(f"{self._coder_seed} {number} {text}".encode())[:24]
        reply = encode(ask, Sent(said, None, "stop", usage), token)
        return HttpReply(200, json.dumps(reply).encode())

    def _say(self, text: str, number: int) -> str:
        # A model would code anything; a guess here would look like a finding.
        truth = true_codes(text)
        if truth is None:
            return _STRANGE
        coder = PracticeCoder("practice-auto-coder", number, self._error_rate)
        codes = coder.code(text, truth)
        value = {
            "reading": codes.reading,
            "quote": codes.quote,
            "sees_choice": codes.sees_choice,
            "works_out": codes.works_out,
        }
        rng = generator("broken", self._coder_seed, number, text)
        if rng.random() < self._broken:
            return _spoilt(rng, value)
        # Fenced, as many models answer whatever they are told.
        return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"


class PracticeCoding:
    """The practice coder of a session, started when first needed; close it at the end.

    Args:
        service: Answers; one with planted mistakes by default.
    """

    def __init__(self, service: CoderService | None = None) -> None:
        self._service = service or CoderService()
        self._server: Server | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ready(self, profile: Profile) -> Profile:
        """Return a practice profile with the address of the running coder.

        Any other profile is returned as it is.

        Raises:
            UserError: No port can be had.
        """
        if not profile.practice:
            return profile
        if self._server is None:
            server = Server(Catalogue(), self._service, 0)
            server.listen()
            self._server = server
        return replace(profile, base_url=self._server.base_url)

    def close(self) -> None:
        """Stop the coder."""
        if self._server is not None:
            self._server.close()
            self._server = None


def _item(body: bytes) -> str | None:
    """Return the coding item in a request's body; None when it holds another."""
    try:
        value = json.loads(body)
        said = (value.get("messages") or value["input"])[-1]["content"]
        texts = [part["text"] for part in said]
    except (
        ValueError,
        RecursionError,
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
    ):
        return None  # for the reader to refuse in its own words
    return item_text_in("".join(texts))


def _spoilt(rng: random.Random, value: dict[str, str]) -> str:
    """Return a reply that cannot be used, as models give them."""
    kinds: tuple[Json, ...] = (
        {**value, "reading": "both"},
        {**value, "quote": f"{value['quote']} and so on"},
        {key: code for key, code in value.items() if key != "sees_choice"},
    )
    # A comma before the closing brace is no JSON.
    texts = [json.dumps(kind) for kind in kinds]
    return rng.choice([*texts, json.dumps(value)[:-1] + ",}", "I cannot tell."])
