"""A provider's files and batches, by the `openai` library."""

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from director_gui.runner.batching import endpoint
from director_gui.runner.keys import redact
from director_gui.runner.openai_client import OpenAIClient
from director_gui.runner.profiles import Profile

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from openai import AsyncOpenAI

TOKEN = "director_gui_job"  # noqa: S105 - the metadata's key, no secret
_LISTED = 1000  # batches that are looked through for one of ours


@dataclass(frozen=True, slots=True)
class BatchState:
    """Where a batch is.

    Attributes:
        status: The provider's word.
        files: Ids of its result and error files, as far as there are any.
        message: Why it failed; else empty.
    """

    status: str
    files: tuple[str, ...]
    message: str

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in ("completed", "failed", "expired", "cancelled")


class BatchError(Exception):
    """A request about a batch went wrong.

    Args:
        message: What happened, in words without a key.
        passing: Whether the same request may succeed later.
    """

    def __init__(self, message: str, *, passing: bool) -> None:
        super().__init__(message)
        self.message = message
        self.passing = passing


class BatchClient(Protocol):
    """Talks to a provider about batches; every method may raise `BatchError`."""

    async def upload(self, profile: Profile, name: str, data: bytes) -> str:
        """Keep a file of requests at the provider; return its id."""

    async def create(self, profile: Profile, file: str, job: str) -> str:
        """Begin a batch of an uploaded file; return its id."""

    async def find(self, profile: Profile, job: str) -> str | None:
        """Return the id of the batch that was begun for a job, None without one."""

    async def look(self, profile: Profile, batch: str) -> BatchState:
        """Return where a batch is."""

    async def fetch(self, profile: Profile, file: str) -> bytes:
        """Return a file's bytes."""

    async def close(self) -> None:
        """Release all connections."""


class OpenAIBatchClient(OpenAIClient):
    """Implements `BatchClient`; use it in one event loop."""

    async def upload(self, profile: Profile, name: str, data: bytes) -> str:
        """Keep a file of requests at the provider; return its id."""
        async with self._ask(profile) as client:
            file = await client.files.create(file=(name, data), purpose="batch")
            return file.id

    async def create(self, profile: Profile, file: str, job: str) -> str:
        """Begin a batch of an uploaded file; return its id."""
        async with self._ask(profile) as client:
            batch = await client.batches.create(
                input_file_id=file,
                endpoint=endpoint(profile.wire),
                completion_window="24h",
                metadata={TOKEN: job},
            )
            return batch.id

    async def find(self, profile: Profile, job: str) -> str | None:
        """Return the id of the batch that was begun for a job, None without one."""
        async with self._ask(profile) as client:
            seen = 0
            async for batch in client.batches.list(limit=100):
                if (batch.metadata or {}).get(TOKEN) == job:
                    return batch.id
                seen += 1
                if seen >= _LISTED:
                    break
        return None

    async def look(self, profile: Profile, batch: str) -> BatchState:
        """Return where a batch is."""
        async with self._ask(profile) as client:
            found = await client.batches.retrieve(batch)
        files = (found.output_file_id, found.error_file_id)
        errors = (found.errors.data or []) if found.errors else []
        words = "; ".join(error.message or error.code or "" for error in errors)
        return BatchState(found.status, tuple(name for name in files if name), words)

    async def fetch(self, profile: Profile, file: str) -> bytes:
        """Return a file's bytes."""
        key = self._keys.resolve(profile)
        async with self._ask(profile) as client:
            content = await client.files.content(file)
            return redact(content.content, key)

    @asynccontextmanager
    async def _ask(self, profile: Profile) -> "AsyncIterator[AsyncOpenAI]":
        import openai

        key = self._keys.resolve(profile)
        try:
            with self._borrowed(profile, key) as client:
                yield client.with_options(timeout=profile.timeout)
        except openai.APIStatusError as error:
            passing = error.status_code in (408, 409, 429) or error.status_code >= 500
            text = redact(error.response.content[:500], key).decode("utf-8", "replace")
            message = f"HTTP {error.status_code}: {text}"
            raise BatchError(message, passing=passing) from None
        except openai.APIConnectionError as error:
            text = redact(str(error.__cause__ or error).encode(), key).decode()
            raise BatchError(text, passing=True) from None
        except (openai.OpenAIError, ValueError, AttributeError) as error:
            # A body that is no file or batch fails where it is read.
            words = f"the server's answer about a batch makes no sense ({error})"
            raise BatchError(words, passing=False) from None
