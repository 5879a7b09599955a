"""What each address answers, without any network: method, path and body to a reply."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from director_gui.ids import Json, sha256_hex
from director_gui.runner.practice.answering import (
    chat_json,
    error_json,
    models_json,
    responses_json,
    within_limit,
)
from director_gui.runner.practice.asking import (
    Ask,
    RefusedError,
    Wire,
    read_request,
)
from director_gui.runner.practice.catalogue import Catalogue
from director_gui.runner.practice.draws import Tally, generator
from director_gui.runner.practice.faults import Fault, Faults, split_model
from director_gui.runner.practice.mixture import Mixture, presets
from director_gui.runner.practice.reader import PracticeReader

_WIRES: dict[str, Wire] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
}
_NONSENSE = b"<html><body><h1>Bad gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A reply as it goes on the wire; `reset` stands for none at all."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay_s: float = 0.0
    reset: bool = False


class Service:
    """Answers requests; it holds nothing but how often each one came."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        seed: int,
        faults: Faults,
        readers: Mapping[str, Mixture] | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._seed = seed
        self._faults = faults
        self._readers = dict(readers if readers is not None else presets())
        self._attempts = Tally()
        self._arrivals = Tally()

    def handle(self, method: str, path: str, body: bytes) -> HttpReply:
        """Answer one request; what is wrong with it becomes an error reply."""
        try:
            return self._route(method, path.partition("?")[0].rstrip("/"), body)
        except RefusedError as error:
            return refusal(error)

    def _route(self, method: str, path: str, body: bytes) -> HttpReply:
        if path == "/v1/models":
            _expect(method, "GET")
            return _reply(models_json(sorted(self._readers)))
        if path not in _WIRES:
            raise RefusedError(f"there is no {path or '/'} here", status=404)
        _expect(method, "POST")
        ask = read_request(_WIRES[path], body)
        return self._answer(ask, sha256_hex(path.encode() + b"\n" + body))

    def _answer(self, ask: Ask, body: str) -> HttpReply:
        mixture, faults = self._reader(ask.model)
        # Attempts decide the faults, arrivals the replies: a refused attempt must not
        # use up a draw, or a rough line would change what a run finds.
        attempt = self._attempts.next(body)
        fault = faults.draw(generator("fault", self._seed, body, attempt))
        if fault is not None:
            reply = _failed(fault, faults)
        else:
            reply = self._read(replace(ask, model=mixture.name), mixture, body)
        request_id = "req_" + sha256_hex(f"{self._seed} {body} {attempt}".encode())[:24]
        headers = {**reply.headers, "x-request-id": request_id}
        return replace(reply, headers=headers, delay_s=faults.delay_s)

    def _reader(self, model: str) -> tuple[Mixture, Faults]:
        try:
            name, faults = split_model(model, self._faults)
            return self._readers[name], faults
        except (KeyError, ValueError) as error:
            known = ", ".join(sorted(self._readers))
            raise RefusedError(
                f"there is no model {model[:80]!r} here; known are {known}",
                status=404,
                code="model_not_found",
            ) from error

    def _read(self, ask: Ask, mixture: Mixture, body: str) -> HttpReply:
        scene = self._catalogue.get(ask.picture_sha256)
        if scene is None:
            raise RefusedError(
                "the practice reader does not know this picture "
                f"(sha256 {ask.picture_sha256[:16]}...); it answers about the pictures "
                "of the study that it serves, byte for byte as they are stored",
                code="unknown_picture",
            )
        arrival = self._arrivals.next(body)
        draw = arrival if ask.seed is None else f"seed {ask.seed}"
        reply = PracticeReader(mixture, self._seed).reply(scene, ask.turns, body, draw)
        # The arrival is part of it even under a seed: every reply has its own id.
        token = sha256_hex(f"{self._seed} {body} {draw} {arrival}".encode())[:24]
        encode = chat_json if ask.wire == "chat" else responses_json
        return _reply(encode(ask, within_limit(ask, reply), token))


def refusal(error: RefusedError) -> HttpReply:
    """Return the error reply that tells what is wrong with a request."""
    return _reply(error_json(error), error.status)


def _reply(value: Json, status: int = 200) -> HttpReply:
    return HttpReply(status, json.dumps(value).encode())


def _expect(method: str, wanted: str) -> None:
    if method != wanted:
        raise RefusedError(f"this address answers {wanted} only", status=405)


def _failed(fault: Fault, faults: Faults) -> HttpReply:
    if fault == "reset":
        return HttpReply(0, b"", reset=True)
    if fault == "nonsense":
        return HttpReply(200, _NONSENSE, content_type="text/html")
    if fault == "server_error":
        kind = "server_error"
        return refusal(RefusedError("the server had an error", status=500, kind=kind))
    if fault == "quota":
        code = "insufficient_quota"
        return refusal(
            RefusedError("the quota is used up", status=429, code=code, kind=code)
        )
    slow = RefusedError(
        "too many requests; wait and try again",
        status=429,
        code="rate_limit_exceeded",
        kind="requests",
    )
    return replace(refusal(slow), headers={"retry-after": f"{faults.retry_after_s:g}"})
