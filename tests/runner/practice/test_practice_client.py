"""The program's own client reads the practice reader like any other server."""

import asyncio
from collections.abc import Callable

import pytest

from director_gui.runner.client import TransportError
from director_gui.runner.keys import Keys
from director_gui.runner.openai_client import OpenAIClient
from director_gui.runner.practice.server import Server
from director_gui.runner.practice.traces import true_codes
from director_gui.runner.profiles import Profile, Wire
from director_gui.runner.reading import Reading, read
from director_gui.runner.records import CallInput
from director_gui.runner.wire import request_body

Ask = Callable[..., Reading]


@pytest.fixture
def ask(
    running: Server,
    picture: Callable[[int], bytes],
    prompt: Callable[[str], tuple[str, ...]],
) -> Ask:
    def send(
        model: str,
        wire: Wire = "chat",
        condition: str = "move.ask",
        replies: tuple[str, ...] = (),
        number: int = 0,
    ) -> Reading:
        profile = Profile(
            name="p", base_url=running.base_url, model=model, wire=wire, practice=True
        )
        call = CallInput(turns=prompt(condition), image=picture(number))

        async def main() -> Reading:
            client = OpenAIClient(Keys())
            try:
                return read(
                    await client.send(profile, request_body(profile, call, replies))
                )
            finally:
                await client.close()

        return asyncio.run(main())

    return send


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_a_reply_is_read_whole(ask: Ask, wire: Wire) -> None:
    found = ask("practice-reader-open", wire)
    assert found.verdict == "reply"
    assert found.content is not None
    assert '"choice"' in found.content.text
    assert true_codes(found.content.reasoning or "") is not None
    assert found.content.finish_reason in {"stop", "completed"}
    assert found.content.model == "practice-reader-open"
    assert found.content.usage.input
    assert found.content.usage.reasoning
    assert (found.request_id or "").startswith("req_")


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_a_second_turn_answers_the_rest(ask: Ask, wire: Wire) -> None:
    first = ask("practice-reader", wire, "move.first_turn")
    assert first.content is not None
    assert '"visible"' in first.content.text
    second = ask("practice-reader", wire, "move.first_turn", (first.content.text,))
    assert second.content is not None
    assert '"choice"' in second.content.text
    assert '"visible"' not in second.content.text


@pytest.mark.parametrize(
    ("suffix", "verdict"),
    [
        ("429=1", "rate_limit"),
        ("quota", "quota"),
        ("500=1", "server"),
        ("nonsense=1", "malformed"),
        ("unheard-of", "rejected"),
    ],
)
def test_faults_are_judged_as_what_they_stand_for(
    ask: Ask, suffix: str, verdict: str
) -> None:
    found = ask(f"practice-reader+{suffix}")
    assert found.verdict == verdict
    assert (found.retry_after == 1.0) == (verdict == "rate_limit")


def test_a_reset_is_a_lost_connection(ask: Ask) -> None:
    with pytest.raises(TransportError) as caught:
        ask("practice-reader+reset=1")
    assert caught.value.kind == "connection"


def test_an_unknown_picture_is_rejected_in_words(ask: Ask) -> None:
    found = ask("practice-reader", number=99)
    assert found.verdict == "rejected"
    assert "does not know this picture" in found.message
