"""The request body of a call, for both wires, and the call as text to copy.

Bodies of the conditions of a pair differ in the turns' text alone: everything else
here depends only on the profile and the picture. The picture stands before the text
of the first turn [ours]; no temperature and no seed is sent. A call without a picture,
such as one that codes a trace, has no place for one.
"""

import base64
import json
from collections.abc import Sequence
from functools import cached_property, lru_cache

from director_gui.ids import Json, canonical_json, sha256_hex
from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.thoughts import split_thoughts

PATHS = {"chat": "/chat/completions", "responses": "/responses"}
DEFAULT_VARIABLE = "MODEL_API_KEY"
PICTURES = 256  # whose base64 is kept: the scenes of a run, which take turns
_HEREDOC = "END_OF_BODY"
_STAND_IN = "data:image/png;base64,5d0c6a1e-the-picture-goes-here"


class Body(dict[str, Json]):
    """A request body with its bytes, made once; it is not changed after that."""

    @cached_property
    def data(self) -> bytes:
        """The canonical JSON: what is sent, and what `body_hash` is of."""
        return canonical_json(self)


def request_body(
    profile: Profile, call_input: CallInput, replies: Sequence[str] = ()
) -> Body:
    """Return the body that asks for turn ``len(replies) + 1``.

    Args:
        profile: Says the wire, the model and its settings.
        call_input: The user turns and the picture's PNG bytes, sent untouched.
        replies: The model's replies to earlier turns; thinking between markers is
            taken out, for reasoning is never sent back.
    """
    said = [split_thoughts(reply)[1] for reply in replies]
    # What is asked later must not be seen earlier.
    turns = call_input.turns[: len(said) + 1]
    make = _chat if profile.wire == "chat" else _responses
    url = _data_url(call_input.image) if call_input.image else ""
    body = make(profile, turns, said, url)
    # A picture outweighs all else; written out around a stand-in, it need not be
    # searched for characters to escape, which base64 has none of.
    shell = canonical_json(make(profile, turns, said, url and _STAND_IN))
    if shell.count(_STAND_IN.encode()) == 1:  # no text of a prompt holds it
        body.data = shell.replace(_STAND_IN.encode(), url.encode())
    return body


@lru_cache(maxsize=PICTURES)
def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()


def encoded(body: Json) -> bytes:
    """Return the bytes of a request body that are sent."""
    # A picture makes a body large; most are written out just once.
    return body.data if isinstance(body, Body) else canonical_json(body)


def body_hash(body: Json) -> str:
    """Return the SHA-256 of a request body's canonical JSON."""
    return sha256_hex(encoded(body))


def _chat(profile: Profile, turns: Sequence[str], said: list[str], url: str) -> Body:
    image = {"type": "image_url", "image_url": {"url": url}} if url else None
    messages = _messages(turns, said, "text", image)
    body = Body(model=profile.model, messages=messages)
    if profile.effort is not None:
        body["reasoning_effort"] = profile.effort
    if profile.max_tokens is not None:
        body["max_completion_tokens"] = profile.max_tokens
    return body


def _responses(
    profile: Profile, turns: Sequence[str], said: list[str], url: str
) -> Body:
    image = {"type": "input_image", "image_url": url} if url else None
    messages = _messages(turns, said, "input_text", image)
    # The server keeps nothing; turn 2 carries turn 1 itself.
    body = Body(model=profile.model, input=messages, store=False)
    reasoning = {"effort": profile.effort, "summary": profile.summary}
    asked = {key: value for key, value in reasoning.items() if value is not None}
    if asked:
        body["reasoning"] = asked
    if profile.max_tokens is not None:
        body["max_output_tokens"] = profile.max_tokens
    return body


def _messages(
    turns: Sequence[str], said: list[str], kind: str, image: Json
) -> list[Json]:
    messages: list[Json] = []
    for number, text in enumerate(turns):
        parts = [{"type": kind, "text": text}]
        # The picture is sent once; the second turn's server sees it in the first.
        content = [image, *parts] if number == 0 and image else parts
        messages.append({"role": "user", "content": content})
        if number < len(said):
            messages.append({"role": "assistant", "content": said[number]})
    return messages


def key_variable(profile: Profile) -> str | None:
    """Return the environment variable that copied code reads the key from.

    None when the profile's server wants no key.
    """
    if profile.key_source == "none":
        return None
    if profile.key_source.startswith("env:"):
        return profile.key_source.removeprefix("env:")
    return DEFAULT_VARIABLE


def as_curl(
    profile: Profile, call_input: CallInput, replies: Sequence[str] = ()
) -> str:
    """Return a shell command that sends the call; the key stays in its variable."""
    body = json.dumps(request_body(profile, call_input, replies), ensure_ascii=False)
    variable = key_variable(profile)
    key = f' \\\n  -H "Authorization: Bearer ${variable}"' if variable else ""
    url = profile.base_url.rstrip("/") + PATHS[profile.wire]
    # A here-document, for Linux refuses single arguments above 128 KiB.
    return (
        f"curl -sS {_quoted(url)}{key} \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        f"  --data-binary @- <<'{_HEREDOC}'\n{body}\n{_HEREDOC}\n"
    )


def as_python(
    profile: Profile, call_input: CallInput, replies: Sequence[str] = ()
) -> str:
    """Return a Python script that sends the call; the key stays in its variable."""
    variable = key_variable(profile)
    key = f"os.environ[{variable!r}]" if variable else "'none'"
    name = "chat.completions" if profile.wire == "chat" else "responses"
    return (
        "import os\n\nfrom openai import OpenAI\n\n"
        f"body = {request_body(profile, call_input, replies)!r}\n"
        f"client = OpenAI(base_url={profile.base_url!r}, api_key={key})\n"
        f"print(client.{name}.create(**body).model_dump_json(indent=1))\n"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
