"""From a setup to an agent. Heavy parts (httpx) are imported only where the setup asks for them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from reach_tui.agents.loop import ChatLoop, Model
from reach_tui.core.condition import Setup
from reach_tui.core.config import trusts
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import Agent

KINDS = ("simulated", "chat")


async def _nothing_to_close() -> None:
    return None


def make_agent(
    setup: Setup, connection: Mapping[str, Any] | None = None
) -> tuple[Agent, Callable[[], Awaitable[None]]]:
    """(the agent that a setup describes, what closes it).

    `connection` holds what is no part of the condition: `key_env` (the name of the environment variable with the key),
    `headers`, `timeout` in seconds. UsageError for an unknown kind or model, or a chat setup without a base URL.
    """
    connection = connection or {}
    if setup.agent == "simulated":
        return ChatLoop(_simulated(setup)), _nothing_to_close
    if setup.agent == "chat":
        from reach_tui.agents.chat import ChatModel, ChatOptions

        base_url = setup.model.get("base_url")
        if not base_url:
            raise UsageError("a chat agent needs a base URL", hint="give --base-url http://…/v1")
        model = ChatModel(
            ChatOptions(
                base_url=str(base_url),
                model=str(setup.model["id"]),
                key=_key(connection.get("key_env"), str(base_url)),
                headers=connection.get("headers") or {},
                sampling=setup.sampling,
                extra_body=setup.model.get("options") or {},
                timeout=float(connection.get("timeout") or 120.0),
            )
        )
        return ChatLoop(model), model.close
    raise UsageError(f"unknown agent kind {setup.agent!r}", hint="known: " + ", ".join(KINDS))


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


def _simulated(setup: Setup) -> Model:
    from reach_tui.agents.simulated import MODELS
    from reach_tui.agents.simulated_model import SimulatedModel

    name = str(setup.model.get("id"))
    if name not in MODELS:
        raise UsageError(f"no simulated model {name!r}", hint="there are " + ", ".join(MODELS))
    return SimulatedModel(name, setup.model.get("options") or {})
