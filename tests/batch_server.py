"""A provider of our own with files and batches, for tests; it forgets nothing."""

import email
import email.policy
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


@dataclass
class Batch:
    id: str
    file: str
    endpoint: str
    metadata: dict[str, str]
    looks: int = 0
    status: str = "in_progress"
    output: str | None = None
    errors: str | None = None


@dataclass
class Provider:
    """Holds files and batches; `answer` says what each request line gets.

    Attributes:
        answer: A request line to its response (`status_code` and `body`), or None
            when the batch expired before the line was reached.
        status: Where a batch ends.
        looks: How often a batch is looked at before it is there.
        lose: How many answers to ``POST /batches`` never arrive.
        failure: Why a failed batch failed.
        refuse: HTTP statuses that the next requests of a path get.
    """

    answer: Answer
    status: str = "completed"
    looks: int = 1
    lose: int = 0
    failure: str = ""
    refuse: dict[str, list[int]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Batch] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        provider = self

        class Handler(_Handler):
            served = provider

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)

    def keep(self, data: bytes) -> str:
        name = f"file-{len(self.files)}"
        self.files[name] = data
        return name

    def begin(self, value: dict[str, Any]) -> Batch:
        batch = Batch(
            f"batch-{len(self.batches)}",
            value["input_file_id"],
            value["endpoint"],
            value["metadata"],
        )
        self.batches[batch.id] = batch
        return batch

    def look(self, batch: Batch) -> None:
        batch.looks += 1
        if batch.looks < self.looks or batch.status != "in_progress":
            return
        batch.status = self.status
        if self.status == "failed":
            return
        good, bad = [], []
        for line in self.files[batch.file].splitlines():
            asked = json.loads(line)
            self.asked.append(asked)
            response = self.answer(asked)
            value = {"id": "r", "custom_id": asked["custom_id"], "response": None}
            if response is None:
                error = {"code": "batch_expired", "message": "not run in time"}
                bad.append({**value, "error": error})
            else:
                (good if response["status_code"] == 200 else bad).append(
                    {**value, "response": {"request_id": "req", **response}}
                )
        # Another order than asked, as providers do.
        batch.output = self.keep(_lines(good[::-1])) if good else None
        batch.errors = self.keep(_lines(bad)) if bad else None


def _lines(values: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


class _Handler(BaseHTTPRequestHandler):
    served: Provider
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        self.served.requests.append(f"POST {self.path}")
        if self._refused(f"POST {self.path}"):
            return
        if self.path == "/v1/files":
            name = self.served.keep(self._part(data))
            value = {"id": name, "object": "file", "bytes": 1, "created_at": 1}
            more = {"filename": "x", "purpose": "batch", "status": "processed"}
            self._send(value | more)
            return
        batch = self.served.begin(json.loads(data))
        if self.served.lose:
            self.served.lose -= 1
            self.close_connection = True
            self.connection.close()
            return
        self._send(self._value(batch))

    def do_GET(self) -> None:
        name = f"GET {self.path.split('?')[0]}"
        self.served.requests.append(name)
        if self._refused(name):
            return
        parts = self.path.split("?")[0].split("/")[2:]
        if parts[0] == "files":
            self._bytes(self.served.files[parts[1]])
        elif len(parts) == 1:
            found = [self._value(batch) for batch in self.served.batches.values()]
            self._send({"object": "list", "data": found[::-1], "has_more": False})
        else:
            batch = self.served.batches[parts[1]]
            self.served.look(batch)
            self._send(self._value(batch))

    def _refused(self, name: str) -> bool:
        statuses = self.served.refuse.get(name)
        if not statuses:
            return False
        key = self.headers.get("authorization", "")
        self._bytes(json.dumps({"error": {"message": key}}).encode(), statuses.pop(0))
        return True

    def _part(self, data: bytes) -> bytes:
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        message = email.message_from_bytes(head + data, policy=email.policy.HTTP)
        for part in message.iter_parts():
            if part.get_param("name", header="content-disposition") == "file":
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                return content
        raise AssertionError("no file")

    def _value(self, batch: Batch) -> dict[str, Any]:
        failed = self.served.failure if batch.status == "failed" else ""
        errors = {"object": "list", "data": [{"message": failed}]} if failed else None
        return {
            "id": batch.id, "object": "batch", "endpoint": batch.endpoint,
            "input_file_id": batch.file, "completion_window": "24h",
            "created_at": 1, "status": batch.status, "metadata": batch.metadata,
            "output_file_id": batch.output, "error_file_id": batch.errors,
            "errors": errors,
        }  # fmt: skip

    def _send(self, value: dict[str, Any]) -> None:
        self._bytes(json.dumps(value).encode())

    def _bytes(self, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass
