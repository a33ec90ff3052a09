"""From a setup to an agent. Heavy parts (httpx) are imported only where the setup asks for them."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from reach_tui.agents.loop import ChatLoop, Model
from reach_tui.core.condition import Setup
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
                key=_key(connection.get("key_env")),
                headers=connection.get("headers") or {},
                sampling=setup.sampling,
                extra_body=setup.model.get("options") or {},
                timeout=float(connection.get("timeout") or 120.0),
            )
        )
        return ChatLoop(model), model.close
    raise UsageError(f"unknown agent kind {setup.agent!r}", hint="known: " + ", ".join(KINDS))


def _key(name: str | None) -> str | None:
    """The key in the environment variable `name`; never sent unless a person named the variable for this endpoint."""
    if not name:
        return None
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"the environment variable {name} holds no key", hint=f"export {name}=… before the run")
    return value


def _simulated(setup: Setup) -> Model:
    from reach_tui.agents.simulated import MODELS
    from reach_tui.agents.simulated_model import SimulatedModel

    name = str(setup.model.get("id"))
    if name not in MODELS:
        raise UsageError(f"no simulated model {name!r}", hint="there are " + ", ".join(MODELS))
    return SimulatedModel(name, setup.model.get("options") or {})
