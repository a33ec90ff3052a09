"""What an agent kind serves behind a real HTTP endpoint: `/v1/chat/completions` on loopback, stateless."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from reach_tui.agents.kind import Served
from reach_tui.agents.loop import approximate_tokens
from reach_tui.core.canonical import digest

_LARGEST = 32 * 1024 * 1024


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, served: Served) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.served = served


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "reach"
    sys_version = ""
    # Buffered, so that head and body leave in one write: two would wait for each other's acknowledgement.
    wbufsize = -1

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            self._answer(
                200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.served.models]}
            )
        else:
            self._refuse(404, f"nothing at {self.path}")

    def do_POST(self) -> None:
        size = self.headers.get("content-length", "")
        if not size.isdigit() or int(size) > _LARGEST:
            self.close_connection = True
            self._refuse(
                413 if size.isdigit() else 411, f"a body of at most {_LARGEST} bytes with its length is needed"
            )
            return
        raw = self.rfile.read(int(size))
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._refuse(404, f"nothing at {self.path}")
            return
        try:
            body = json.loads(raw)
            messages, tools = body["messages"], body.get("tools") or []
            if not (isinstance(messages, list) and isinstance(tools, list)):
                raise TypeError("messages and tools are lists")
            if not all(isinstance(entry, dict) for entry in (*messages, *tools)):
                raise TypeError("messages and tools are lists of objects")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._refuse(400, f"not a chat-completions request: {error}")
            return
        model, models = body.get("model"), self.server.served.models
        if model not in models:
            self._refuse(404, f"no model {model!r}; there are {', '.join(models)}")
            return
        try:
            message = self.server.served.answer(body)
        except ValueError as error:
            self._refuse(400, str(error))
            return
        self._answer(200, _completion(message, messages, body))

    def _refuse(self, status: int, message: str) -> None:
        self._answer(status, {"error": {"message": message, "code": status}})

    def _answer(self, status: int, value: Mapping[str, Any]) -> None:
        payload = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what is asked is recorded by the one who asks."""


def _completion(message: Mapping[str, Any], messages: list[Any], body: Mapping[str, Any]) -> dict[str, Any]:
    tokens_in, tokens_out = approximate_tokens(messages), approximate_tokens([message])
    return {
        "id": "sim-" + digest(body).hex()[:16],
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [
            {"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
        ],
        "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out},
    }


class ModelServer:
    """A running endpoint on 127.0.0.1; `base_url` is what `--base-url` takes. A context manager."""

    def __init__(self, served: Served, port: int = 0) -> None:
        self._server = _Server(port, served)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread: threading.Thread | None = None

    def serve(self) -> None:
        """Serve until interrupted."""
        self._server.serve_forever(poll_interval=0.2)

    def __enter__(self) -> ModelServer:
        self._thread = threading.Thread(target=self.serve, name="model-endpoint", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self.close()

    def close(self) -> None:
        """Free the port."""
        self._server.server_close()
