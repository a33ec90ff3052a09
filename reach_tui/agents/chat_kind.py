"""The kind `chat`: the tool-calling loop over any OpenAI-compatible endpoint."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar
from urllib.parse import urlsplit

from reach_tui.agents.kind import SENT, AgentChoice, AgentKind
from reach_tui.agents.loop import ChatLoop
from reach_tui.core.agent import AgentFacts
from reach_tui.core.code import code_digest
from reach_tui.core.condition import Setup
from reach_tui.core.config import trusts
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import Agent

SECONDS = 120.0
"""How long a request may take where the connection says nothing else."""


class ChatKind(AgentKind):
    """A model behind an endpoint. Its own options go into every request as they are."""

    name = "chat"
    takes: ClassVar[frozenset[str]] = frozenset({"model", "base_url", "key_env", "sampling"})

    def claims(self, choice: AgentChoice) -> bool:
        """Who names an endpoint means this kind."""
        return bool(choice.base_url)

    def model(self, choice: AgentChoice) -> dict[str, Any]:
        """Provider, id, address and what else goes into a request: one factor."""
        if not choice.base_url:
            raise UsageError("a chat agent needs a base URL", hint="give --base-url http://…/v1")
        if not choice.model:
            raise UsageError("a chat agent needs a model", hint="give --model NAME, as the endpoint calls it")
        options = {"options": dict(choice.options)} if choice.options else {}
        return {"provider": "openai-compatible", "id": choice.model, "base_url": choice.base_url, **options}

    def facts(self, setup: Setup) -> AgentFacts:
        """Whatever the model reads stands in the requests that we make."""
        return AgentFacts(
            self.name,
            "model",
            SENT,
            fork="history",
            holds=("turns", "words", "exchanges", "tokens"),
            fingerprint={self.name: code_digest(__name__)},
        )

    def leave(self, choice: AgentChoice) -> str:
        """To speak to the address."""
        return f"speak to {choice.base_url}" if choice.base_url else ""

    def check(self, setup: Setup, connection: Mapping[str, Any]) -> None:
        """UsageError without a usable base URL, and for a key that is not there or not for this host."""
        # Imported here, as below: httpx takes a sixth of a second, and stores are read without it.
        from reach_tui.agents.transport import client_options

        base_url = setup.model.get("base_url")
        if not base_url:
            raise UsageError("a chat agent needs a base URL", hint="give --base-url http://…/v1")
        client_options(str(base_url))
        _key(connection.get("key_env"), str(base_url))

    @asynccontextmanager
    async def open(self, setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
        """The loop over one client. `connection`: `key_env`, `headers`, `timeout` in seconds."""
        from reach_tui.agents.chat import ChatModel, ChatOptions

        self.check(setup, connection)
        base_url = str(setup.model["base_url"])
        model = ChatModel(
            ChatOptions(
                base_url=base_url,
                model=str(setup.model["id"]),
                key=_key(connection.get("key_env"), base_url),
                headers=connection.get("headers") or {},
                sampling=setup.sampling,
                extra_body=setup.model.get("options") or {},
                timeout=float(connection.get("timeout") or SECONDS),
            )
        )
        try:
            yield ChatLoop(model)
        finally:
            await model.close()


def _key(name: str | None, base_url: str) -> str | None:
    """The key in the environment variable `name`; never sent unless this user named the variable for this host.

    A store from elsewhere may hold any address beside any variable's name: what it says is no leave to send a key.
    """
    if not name:
        return None
    host = host_of(base_url)
    if not trusts(host, name):
        raise UsageError(
            f"{host} is not known to be sent the key in {name}", hint=f"if it shall be, say so: --key-env {name}"
        )
    value = os.environ.get(name, "").strip()
    if not value:
        raise UsageError(f"the environment variable {name} holds no key", hint=f"export {name}=… before the run")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise UsageError(f"the key in {name} holds characters that no key has", hint="set it anew, without spaces")
    return value


def host_of(base_url: str) -> str:
    """Host and port of an address, in lower case."""
    return urlsplit(base_url).netloc.rpartition("@")[2].lower()


CHAT = ChatKind()
