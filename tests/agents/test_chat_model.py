"""An endpoint's mistake is retried, recorded and never booked as the agent's."""

import asyncio
import email.utils
import time
from typing import Any

import pytest

from reach_tui.agents.chat import ChatModel, ChatOptions
from reach_tui.agents.loop import ModelRequest
from reach_tui.core.canonical import digest
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import AgentSideError
from reach_tui.core.trajectory import Exchange
from tests.agents.scripted_endpoint import Answer, ScriptedEndpoint, reply

REQUEST = ModelRequest(1, ({"role": "user", "content": "订单"},), (), "seed")


def ask(base_url: str, attempts: int = 3, **options: Any) -> tuple[Any, list[Exchange]]:
    """(message or error, the recorded exchanges) of one decision."""
    seen: list[Exchange] = []

    async def go() -> Any:
        model = ChatModel(ChatOptions(base_url, "m", attempts=attempts, **options))
        try:
            return await model.complete(REQUEST, seen.append)
        except AgentSideError as error:
            return error
        finally:
            await model.close()

    return asyncio.run(go()), seen


@pytest.mark.parametrize(
    "bad",
    [
        (200, {}, {"error": {"message": "overloaded", "code": 529}}),
        (200, {}, {"id": None, "choices": None, "usage": None}),
        (200, {}, {"choices": []}),
        (200, {}, "<html>gateway</html>"),
        (503, {}, "busy"),
    ],
)
def test_an_outage_under_any_status_is_retried_and_each_attempt_is_kept(bad: Any) -> None:
    with ScriptedEndpoint(lambda number, body: bad if number == 1 else reply("hello")) as endpoint:
        message, seen = ask(endpoint.base_url)
    assert message["content"] == "hello"
    assert [(exchange.attempt, exchange.error is None) for exchange in seen] == [(1, False), (2, True)]


def test_an_outage_that_persists_is_the_endpoints_error_with_its_words() -> None:
    bad: Answer = (200, {}, {"error": {"message": "overloaded", "code": 529}})
    with ScriptedEndpoint(lambda number, body: bad) as endpoint:
        error, seen = ask(endpoint.base_url, attempts=2)
    assert isinstance(error, AgentSideError)
    assert "overloaded" in str(error)
    assert len(seen) == 2


def test_an_empty_error_field_is_no_error_and_missing_usage_is_unknown_not_zero() -> None:
    status, headers, body = reply("fine")
    with ScriptedEndpoint(lambda n, b: (status, headers, {**body, "error": None, "usage": None})) as endpoint:
        message, seen = ask(endpoint.base_url)
    assert message["content"] == "fine"
    assert len(endpoint.requests) == 1
    assert (seen[0].tokens_in, seen[0].tokens_out) == (None, None)


def test_the_trials_seed_is_sent_and_the_digest_is_that_of_the_request() -> None:
    with ScriptedEndpoint(lambda n, b: reply("ok")) as endpoint:
        _, seen = ask(endpoint.base_url, sampling={"temperature": 0})
    body = endpoint.requests[0][1]
    assert isinstance(body["seed"], int)
    assert body["temperature"] == 0
    assert seen[0].request_digest == digest(body)


def test_a_refusal_to_serve_is_not_retried() -> None:
    with ScriptedEndpoint(lambda n, b: (401, {}, {"error": {"message": "no key"}})) as endpoint:
        error, _ = ask(endpoint.base_url)
    assert "no key" in str(error)
    assert len(endpoint.requests) == 1


def test_a_key_never_comes_back_in_an_error() -> None:
    key = "sk-" + "a" * 24
    with ScriptedEndpoint(lambda n, b: (401, {}, {"error": {"message": f"bad key {key}"}})) as endpoint:
        error, _ = ask(endpoint.base_url, key=key)
    assert key not in str(error)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_waiting_as_long_as_told_and_not_in_lockstep(form: str) -> None:
    def script(number: int, body: dict[str, Any]) -> Any:
        if number > 8:
            return reply("ok")
        wait = "2" if form == "seconds" else email.utils.formatdate(time.time() + 2, usegmt=True)
        return 429, {"Retry-After": wait}, "slow down"

    async def go() -> list[Any]:
        model = ChatModel(ChatOptions(endpoint.base_url, "m"))
        try:
            return await asyncio.gather(*(model.complete(REQUEST, lambda e: None) for _ in range(8)))
        finally:
            await model.close()

    with ScriptedEndpoint(script) as endpoint:
        messages = asyncio.run(go())
    arrivals = [at for at, _ in endpoint.requests]
    assert len(messages) == 8
    assert len(arrivals) == 16
    # An HTTP date has whole seconds: up to one of them is lost in writing it.
    assert min(arrivals[8:]) - max(arrivals[:1]) >= (2.0 if form == "seconds" else 1.0)
    assert max(arrivals[8:]) - min(arrivals[8:]) >= 0.2


def test_asked_to_wait_longer_than_allowed_it_says_so_at_once() -> None:
    with ScriptedEndpoint(lambda n, b: (429, {"Retry-After": "86400"}, "later")) as endpoint:
        error, _ = ask(endpoint.base_url)
    assert "86400" in str(error)
    assert len(endpoint.requests) == 1


def test_an_unreadable_wait_means_the_usual_back_off() -> None:
    script = lambda n, b: (429, {"Retry-After": "soon"}, "x") if n == 1 else reply("ok")  # noqa: E731
    with ScriptedEndpoint(script) as endpoint:
        message, _ = ask(endpoint.base_url)
    assert message["content"] == "ok"


def test_a_dead_endpoint_is_named() -> None:
    error, seen = ask("http://127.0.0.1:9/v1", attempts=1)
    assert "127.0.0.1:9" in str(error)
    assert seen[0].status is None


@pytest.mark.parametrize("url", ["ftp://x/v1", "nonsense", "http://"])
def test_a_base_url_that_cannot_be_used_is_said_before_anything_is_sent(url: str) -> None:
    with pytest.raises(UsageError, match="base URL"):
        ask(url)


def test_proxies_are_honoured_but_never_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    from reach_tui.agents.transport import client_options

    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert "proxy" not in client_options("http://localhost:80/v1")
    assert client_options("http://models.example/v1")["proxy"] == "http://127.0.0.1:9"
    monkeypatch.setenv("no_proxy", "models.example")
    assert "proxy" not in client_options("http://models.example/v1")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", "gopher://127.0.0.1:9")
    with pytest.raises(UsageError, match="gopher"):
        client_options("http://models.example/v1")
