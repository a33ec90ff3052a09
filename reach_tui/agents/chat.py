"""A model behind any OpenAI-compatible `/chat/completions` endpoint, over httpx.

An outage, an error body under status 200 or an unreadable reply is the endpoint's mistake: it is retried, every attempt
is recorded, and what remains is raised as AgentSideError, never booked as the agent's failure.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import stamina

from reach_tui.agents.loop import ModelRequest
from reach_tui.agents.transport import client_options
from reach_tui.core.canonical import canonical, digest_text
from reach_tui.core.draws import seed_number
from reach_tui.core.protocols import AgentSideError
from reach_tui.core.redaction import MASK, redact_text
from reach_tui.core.trajectory import CANCELLED_REQUEST, Exchange

# Every attempt is an exchange of its own in the store; the library's log lines would only say it twice.
stamina.instrumentation.set_on_retry_hooks([])

ATTEMPTS = 5
LONGEST_WAIT = 60.0
"""Seconds that a server may ask us to wait (`Retry-After`); asked for more, the trial ends as infrastructure error."""
_SPREAD = 1.0
"""Seconds over which waiting requests are spread, so that they do not come back in lockstep."""
_RETRIED_STATUSES = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_EXCERPT = 300
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Where and how to ask. `key` is the secret itself: it lives in memory only. Times in seconds."""

    base_url: str
    model: str
    key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    sampling: Mapping[str, Any] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 120.0
    attempts: int = ATTEMPTS


class _Retry(Exception):
    """An attempt failed in a way that another may not; `after` is the wait that the server asked for, in seconds."""

    def __init__(self, what: str, after: float | None = None) -> None:
        super().__init__(what)
        self.after = after


class ChatModel:
    """One endpoint and model; shared by all trials of a run, and holding nothing of any."""

    def __init__(self, options: ChatOptions) -> None:
        self._options = options
        self._url = options.base_url.rstrip("/") + "/chat/completions"
        # Looked at now, so that an address nobody can use is refused before a run starts.
        self._reaching = client_options(self._url)
        self._client: httpx.AsyncClient | None = None

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        """The assistant message, after as many attempts as it takes and the options allow."""
        body = self._body(request)
        # Canonical text is what is sent, so that a stored exchange, put together again, proves itself by its digest.
        content = canonical(body)
        if not content.isascii() and _SURROGATE.search(content):
            content = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        attempt_number, failed_at = 0, 0.0
        try:
            async for attempt in stamina.retry_context(
                on=self._wait_for, attempts=self._options.attempts, timeout=None, wait_initial=0.5, wait_max=8.0
            ):
                with attempt:
                    attempt_number += 1
                    waited = int((time.monotonic() - failed_at) * 1000) if failed_at else 0
                    try:
                        return await self._attempt(request, body, content, attempt_number, waited, record)
                    except _Retry:
                        failed_at = time.monotonic()
                        raise
        except _Retry as error:
            raise AgentSideError(f"{error} (after {attempt_number} attempt{'s' * (attempt_number > 1)})") from None
        raise AssertionError("the retry loop ends by return or raise")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        # What the condition says of model, messages, tools and seed is not for further options to replace.
        body: dict[str, Any] = {
            **self._options.sampling, **self._options.extra_body, "model": self._options.model,
            "messages": list(request.messages), "seed": seed_number(request.seed),
        }  # fmt: skip
        return {**body, "tools": list(request.tools)} if request.tools else body

    @staticmethod
    def _wait_for(error: Exception) -> bool | float:
        if not isinstance(error, _Retry):
            return False
        if error.after is None:
            return True
        return error.after + random.uniform(0, _SPREAD) if error.after <= LONGEST_WAIT else False

    async def _attempt(
        self,
        request: ModelRequest,
        body: Mapping[str, Any],
        content: str,
        attempt: int,
        waited: int,
        record: Callable[[Exchange], None],
    ) -> Mapping[str, Any]:
        begun = time.monotonic()
        status, received, finish = None, None, None
        usage: Mapping[str, Any] = {}
        failure: str | None = CANCELLED_REQUEST
        try:
            response = await self._http().post(self._url, content=content.encode("utf-8"))
            status = response.status_code
            received = self._masked(_json_or_text(response))
            message, usage, finish = _read(response, received)
            failure = None
            return message
        except httpx.HTTPError as error:
            failure = self._without_key(f"{type(error).__name__}: {error}".rstrip(": "))
            raise _Retry(f"{self._url}: {failure}") from None
        except _Retry as error:
            failure = self._without_key(str(error))
            raise _Retry(failure, error.after) from None
        except AgentSideError as error:
            failure = self._without_key(str(error))
            raise AgentSideError(failure) from None
        finally:
            record(
                Exchange(
                    turn=request.turn,
                    attempt=attempt,
                    messages=tuple(request.messages),
                    tools=tuple(request.tools),
                    options={key: value for key, value in body.items() if key not in ("messages", "tools")},
                    response=received,
                    model=self._options.model,
                    status=status,
                    error=failure,
                    finish=finish,
                    tokens_in=_count(usage.get("prompt_tokens")),
                    tokens_out=_count(usage.get("completion_tokens")),
                    waited_ms=waited,
                    took_ms=int((time.monotonic() - begun) * 1000),
                    request_digest=digest_text(content),
                )
            )

    def _without_key(self, text: str) -> str:
        """A text in which the endpoint's key, should it stand there, is masked whatever its shape."""
        return text.replace(self._options.key, MASK) if self._options.key else text

    def _masked(self, received: Any) -> Any:
        """What came back, without the key: an endpoint may echo it."""
        if not self._options.key:
            return received
        if isinstance(received, str):
            return self._without_key(received)
        text = json.dumps(received, ensure_ascii=False)
        return json.loads(self._without_key(text)) if self._options.key in text else received

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            headers = {"content-type": "application/json", **self._options.headers}
            if self._options.key:
                headers["authorization"] = f"Bearer {self._options.key}"
            self._client = httpx.AsyncClient(
                headers=headers, timeout=httpx.Timeout(self._options.timeout, connect=10.0), **self._reaching
            )
        return self._client


def _json_or_text(response: httpx.Response) -> Any:
    try:
        return response.json()
    except (ValueError, UnicodeDecodeError):
        return response.text


def _read(response: httpx.Response, received: Any) -> tuple[Mapping[str, Any], Mapping[str, Any], str | None]:
    """(message, usage, finish reason) of a response; raises _Retry or AgentSideError where there is no message."""
    if response.status_code != 200:
        failure = f"status {response.status_code}: {_error_text(received)}"
        if response.status_code not in _RETRIED_STATUSES:
            raise AgentSideError(failure)
        after = _retry_after(response)
        if after is not None and after > LONGEST_WAIT:
            raise AgentSideError(f"{failure} (asked to wait {after:.0f} s, more than the {LONGEST_WAIT:.0f} s allowed)")
        raise _Retry(failure, after)
    if not isinstance(received, dict):
        raise _Retry(f"status 200, but not JSON: {_error_text(received)}")
    if received.get("error"):
        raise _Retry(f"status 200, but an error: {_error_text(received)}")
    choices = received.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _Retry(f"status 200, but no message in it: {_error_text(received)}")
    usage = received.get("usage")
    finish = choice.get("finish_reason")
    reply = message if "role" in message else {"role": "assistant", **message}
    return reply, usage if isinstance(usage, dict) else {}, finish if isinstance(finish, str) else None


def _error_text(received: Any) -> str:
    """What an endpoint said of its error, short, with nothing secret in it."""
    if isinstance(received, dict):
        error = received.get("error", received)
        received = error.get("message") if isinstance(error, dict) and error.get("message") else error
    text = received if isinstance(received, str) else json.dumps(received, ensure_ascii=False)
    return redact_text(" ".join(text.split())[:_EXCERPT]) or "nothing"


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds that the server asks us to wait: a number or an HTTP date; None where it says nothing readable."""
    value = response.headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
