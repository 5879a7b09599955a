"""The server through the real OpenAI client, on both wires."""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.runner.practice import server
from director_gui.runner.practice.catalogue import Catalogue, KnownScene
from director_gui.runner.practice.faults import Faults
from director_gui.runner.practice.server import Server
from director_gui.runner.practice.traces import true_codes

if TYPE_CHECKING:
    import openai

Url = Callable[[int], str]
Prompt = Callable[[str], tuple[str, ...]]


@pytest.fixture
def client(running: Server) -> "Iterator[openai.OpenAI]":
    import openai

    with openai.OpenAI(
        base_url=running.base_url, api_key="sk-anything", max_retries=0, timeout=20
    ) as opened:
        yield opened


def chat_messages(url: str, text: str) -> Any:  # noqa: ANN401
    picture = {"type": "image_url", "image_url": {"url": url}}
    return [{"role": "user", "content": [picture, {"type": "text", "text": text}]}]


def input_messages(url: str, text: str) -> Any:  # noqa: ANN401
    picture = {"type": "input_image", "image_url": url, "detail": "auto"}
    part = {"type": "input_text", "text": text}
    return [{"role": "user", "content": [picture, part]}]


def test_chat_completions(
    client: "openai.OpenAI", data_url: Url, prompt: Prompt
) -> None:
    raw = client.chat.completions.with_raw_response.create(
        model="practice-reader-open",
        messages=chat_messages(data_url(0), prompt("move.ask")[0]),
        reasoning_effort="medium",
    )
    reply = raw.parse()
    assert raw.headers["x-request-id"].startswith("req_")
    assert reply.model == "practice-reader-open"
    message = reply.choices[0].message
    assert '"choice"' in (message.content or "")
    trace = (message.model_extra or {})["reasoning_content"]
    assert true_codes(trace) is not None
    assert reply.usage is not None
    details = reply.usage.completion_tokens_details
    assert details is not None
    assert details.reasoning_tokens


def test_responses(client: "openai.OpenAI", data_url: Url, prompt: Prompt) -> None:
    reply = client.responses.create(
        model="practice-reader-open",
        input=input_messages(data_url(0), prompt("move.ask")[0]),
        reasoning={"effort": "medium"},
    )
    assert reply.status == "completed"
    assert '"choice"' in reply.output_text
    item = reply.output[0]
    assert item.type == "reasoning"
    assert true_codes(item.summary[0].text) is not None
    assert reply.usage is not None
    assert reply.usage.output_tokens_details.reasoning_tokens > 0


def test_a_conversation_of_two_turns(
    client: "openai.OpenAI", data_url: Url, prompt: Prompt
) -> None:
    first, second = prompt("move.first_turn")
    messages = chat_messages(data_url(1), first)
    one = client.chat.completions.create(model="practice-reader", messages=messages)
    report = one.choices[0].message.content or ""
    assert '"visible"' in report
    assert '"choice"' not in report
    messages += [
        {"role": "assistant", "content": report},
        {"role": "user", "content": second},
    ]
    two = client.chat.completions.create(model="practice-reader", messages=messages)
    final = two.choices[0].message.content or ""
    assert '"choice"' in final
    assert '"visible"' not in final


def test_models_are_listed(client: "openai.OpenAI") -> None:
    assert "practice-null" in [model.id for model in client.models.list()]


def test_an_unknown_picture_is_a_bad_request(
    client: "openai.OpenAI", data_url: Url
) -> None:
    import openai

    with pytest.raises(openai.BadRequestError, match="does not know this picture"):
        client.chat.completions.create(
            model="practice-reader", messages=chat_messages(data_url(99), "?")
        )


def test_a_picture_can_be_added_while_it_runs(
    client: "openai.OpenAI",
    running: Server,
    picture: Callable[[int], bytes],
    scene: KnownScene,
    data_url: Url,
) -> None:
    running.catalogue.add(sha256_hex(picture(99)), scene)
    reply = client.chat.completions.create(
        model="practice-reader", messages=chat_messages(data_url(99), "?")
    )
    assert reply.choices


def test_faults_reach_the_client_as_its_own_errors(
    client: "openai.OpenAI", data_url: Url
) -> None:
    import openai

    messages = chat_messages(data_url(0), "?")

    def ask(suffix: str) -> None:
        client.chat.completions.create(
            model=f"practice-reader+{suffix}", messages=messages
        )

    with pytest.raises(openai.RateLimitError) as limited:
        ask("429=1")
    assert limited.value.response.headers["retry-after"] == "1"
    with pytest.raises(openai.RateLimitError) as spent:
        ask("quota")
    assert spent.value.code == "insufficient_quota"
    with pytest.raises(openai.InternalServerError):
        ask("500=1")
    with pytest.raises(openai.APIConnectionError):
        ask("reset=1")
    with pytest.raises(openai.NotFoundError):
        ask("unheard-of")
    with pytest.raises(openai.APITimeoutError):
        client.with_options(timeout=0.05).chat.completions.create(
            model="practice-reader+slow=5", messages=messages
        )
    with pytest.raises(openai.BadRequestError, match="streaming"):
        client.chat.completions.create(
            model="practice-reader", messages=messages, stream=True
        )


def gather(url: str, requests: list[tuple[str, str]], at_once: int) -> list[str]:
    """Ask everything at once; return the replies' texts in the requests' order."""
    import openai

    async def main() -> list[str]:
        gate = asyncio.Semaphore(at_once)
        async with openai.AsyncOpenAI(
            base_url=url, api_key="x", max_retries=0, timeout=60
        ) as client:

            async def ask(picture: str, text: str) -> str:
                async with gate:
                    reply = await client.chat.completions.create(
                        model="practice-reader", messages=chat_messages(picture, text)
                    )
                return reply.choices[0].message.content or ""

            return await asyncio.gather(*(ask(*request) for request in requests))

    return asyncio.run(main())


def test_concurrency_does_not_change_the_replies(
    catalogue: Catalogue, data_url: Url, prompt: Prompt
) -> None:
    texts = [prompt(name)[0] for name in ("move.ask", "move.plain", "mean.ask")]
    requests = [(data_url(i), text) for i in range(8) for text in texts]
    found = []
    for order, at_once in ((1, 1), (-1, 24)):
        with server.start(catalogue, seed=3) as running:
            found.append(gather(running.base_url, requests[::order], at_once)[::order])
    assert found[0] == found[1]
    assert len(set(found[0])) > 8


def test_samples_of_one_request_are_the_same_set_at_any_concurrency(
    catalogue: Catalogue, data_url: Url, prompt: Prompt
) -> None:
    requests = [(data_url(0), prompt("move.ask")[0])] * 30
    found = []
    for at_once in (1, 30):
        with server.start(catalogue, seed=3) as running:
            found.append(sorted(gather(running.base_url, requests, at_once)))
    assert found[0] == found[1]


def test_the_seed_of_the_server_matters(
    catalogue: Catalogue, data_url: Url, prompt: Prompt
) -> None:
    requests = [(data_url(i), prompt("move.ask")[0]) for i in range(8)]
    found = []
    for seed in (1, 2):
        with server.start(catalogue, seed=seed) as running:
            found.append(gather(running.base_url, requests, 4))
    assert found[0] != found[1]


def test_no_key_is_kept(
    client: "openai.OpenAI", running: Server, data_url: Url
) -> None:
    key = "sk-" + "canary-of-this-test"
    with client.with_options(api_key=key) as other:
        other.chat.completions.create(
            model="practice-reader", messages=chat_messages(data_url(0), "?")
        )
    kept = [running.catalogue, running._service, vars(running), vars(running._service)]
    for value in kept + gc.get_referents(*kept):
        assert "canary-of-this-test" not in repr(value)


def test_it_ends_with_its_thread_and_can_be_closed_twice(catalogue: Catalogue) -> None:
    before = threading.active_count()
    running = server.start(catalogue)
    assert running.alive
    assert threading.active_count() == before + 1
    running.close()
    running.close()
    assert not running.alive
    assert threading.active_count() == before


def test_closing_cuts_a_request_that_waits(catalogue: Catalogue, data_url: Url) -> None:
    import openai

    running = server.start(catalogue, faults=Faults(delay_s=60))
    threading.Timer(0.2, running.close).start()
    with (
        openai.OpenAI(base_url=running.base_url, api_key="x", max_retries=0) as client,
        pytest.raises(openai.APIConnectionError),
    ):
        client.chat.completions.create(
            model="practice-reader", messages=chat_messages(data_url(0), "?")
        )
    running.close()


def test_it_listens_on_loopback_alone(running: Server) -> None:
    assert running.base_url == f"http://127.0.0.1:{running.port}/v1"


def test_a_port_that_is_taken_is_said(running: Server, catalogue: Catalogue) -> None:
    with pytest.raises(UserError, match="cannot listen on port") as caught:
        server.start(catalogue, port=running.port)
    assert "another port" in caught.value.todo


def test_a_start_that_takes_too_long_is_said(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = threading.Event()

    async def stuck(self: Server) -> None:
        del self
        late.wait(5)

    monkeypatch.setattr(server, "START_S", 0.01)
    monkeypatch.setattr(Server, "_main", stuck)
    with pytest.raises(UserError, match="did not start in time"):
        server.start(catalogue)
    late.set()
