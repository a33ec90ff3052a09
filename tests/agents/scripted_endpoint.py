"""A real HTTP server on loopback that answers from a script, for tests of the chat agent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], Any]


def reply(content: str | None = None, **message: Any) -> Answer:
    """A good answer: status 200 and one choice."""
    body = {"choices": [{"message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}]}
    return 200, {}, body


def call(name: str, arguments: Any, call_id: str = "c1") -> dict[str, Any]:
    """One call in the chat-completions form."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


class ScriptedEndpoint:
    """Answers each POST by `script(number, body)` (number from 1); keeps (arrival, body) of every request."""

    def __init__(self, script: Callable[[int, dict[str, Any]], Answer]) -> None:
        self.requests: list[tuple[float, dict[str, Any]]] = []
        lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with lock:
                    endpoint.requests.append((time.monotonic(), body))
                    number = len(endpoint.requests)
                status, headers, answer = script(number, body)
                payload = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(payload)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

        self._server = Server(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ScriptedEndpoint:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
