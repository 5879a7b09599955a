"""A small world for the practice reader: pictures, scenes, prompts, a server."""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from director_gui.ids import sha256_hex
from director_gui.prompts.compose import compose
from director_gui.prompts.library import library
from director_gui.runner.practice import server
from director_gui.runner.practice.catalogue import Catalogue, KnownScene

Body = Callable[..., bytes]


def _scene(name: str) -> KnownScene:
    return KnownScene(
        name=name,
        digits=(3, 5, 8, 2),
        sizes={3: 0.20, 5: 0.15, 8: 0.11, 2: 0.09},
        sees=(2, 5, 8),
        hidden=3,
        director_view=5,
        model_view=3,
    )


def _picture(number: int) -> bytes:
    size = (1024).to_bytes(4, "big") + (768).to_bytes(4, "big")
    head = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + size
    return head + number.to_bytes(4, "big") * 15_000  # about 60 kB, as ours are


@pytest.fixture(scope="session")
def scene_named() -> Callable[[str], KnownScene]:
    return _scene


@pytest.fixture(scope="session")
def scene() -> KnownScene:
    return _scene("one")


@pytest.fixture(scope="session")
def picture() -> Callable[[int], bytes]:
    return _picture


@pytest.fixture(scope="session")
def data_url() -> Callable[[int], str]:
    def make(number: int) -> str:
        return "data:image/png;base64," + base64.b64encode(_picture(number)).decode()

    return make


@pytest.fixture(scope="session")
def prompt() -> Callable[[str], tuple[str, ...]]:
    """The user messages of a condition for the scene above."""

    def make(condition: str) -> tuple[str, ...]:
        return compose(library().condition(condition), _scene("").sees).texts

    return make


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue((sha256_hex(_picture(i)), _scene(f"scene {i}")) for i in range(8))


@pytest.fixture
def running(catalogue: Catalogue) -> Iterator[server.Server]:
    with server.start(catalogue, seed=7) as started:
        yield started


@pytest.fixture(scope="session")
def chat_body(
    data_url: Callable[[int], str], prompt: Callable[[str], tuple[str, ...]]
) -> Body:
    def make(condition: str = "move.ask", number: int = 0, **more: Any) -> bytes:  # noqa: ANN401
        content = [
            {"type": "image_url", "image_url": {"url": data_url(number)}},
            {"type": "text", "text": prompt(condition)[0]},
        ]
        body = {
            "model": "practice-reader",
            "messages": [{"role": "user", "content": content}],
        }
        return json.dumps({**body, **more}).encode()

    return make


@pytest.fixture(scope="session")
def last_object() -> Callable[[str], dict[str, Any] | None]:
    """The last JSON object in a text, read without the program's own scoring."""

    def find(text: str) -> dict[str, Any] | None:
        found, at = None, text.find("{")
        while at >= 0:
            try:
                found, end = json.JSONDecoder().raw_decode(text, at)
            except ValueError:
                end = at + 1
            at = text.find("{", end)
        return found

    return find
