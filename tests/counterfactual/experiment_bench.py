"""A store with a run to branch from, and an agent whose chances are known: what experiments are tested on.

The agent answers each task in one message. Whether it is right is drawn from the trial's seed, with a chance that the
test sets from what the agent really was sent: the prompt, and the description of one tool.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.agents.loop import ChatLoop, ModelRequest
from reach_tui.core.condition import Setup
from reach_tui.core.draws import draw
from reach_tui.core.task import Task
from reach_tui.core.trajectory import Exchange
from reach_tui.harness.execute import Execution
from reach_tui.harness.plan import PlannedTask, RunPlan
from reach_tui.harness.start import RunChoice, create
from reach_tui.sandbox.registry import find_sandbox

TOOL = "track_shipment"
Chance = Callable[[str, str, str, str], float]
"""(task key, system prompt, description of TOOL, model) to the chance of being right."""


@dataclass
class KnownChances:
    """The model. `noisy` False: nothing of what it says varies between trials."""

    chance: Chance
    model: str
    noisy: bool = True

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        system, user = request.messages[0]["content"], request.messages[1]["content"]
        key = user.split()[-1]
        described = {t["function"]["name"]: t["function"]["description"] for t in request.tools}.get(TOOL, "")
        chance = self.chance(key, system.split("\n\nThe time is")[0], described, self.model)
        right = draw(request.seed, "right") < chance if self.noisy else chance >= 0.5
        answer = "answer 4711" if right else "no idea"
        if self.noisy:
            answer += f" ({draw(request.seed, 'words'):.6f})"
        message = {"role": "assistant", "content": answer}
        record(
            Exchange(
                turn=request.turn,
                attempt=1,
                messages=tuple(request.messages),
                tools=tuple(request.tools),
                options={},
                response=message,
                model=self.model,
                tokens_in=10,
                tokens_out=2,
            )
        )
        return message


class Bench:
    """A store at `path` with agents of `chance`; `install` puts them in the harness's way."""

    def __init__(self, folder: Path, chance: Chance, *, noisy: bool = True, agent: str = "chat") -> None:
        self.path = folder / "bench.db"
        self.chance = chance
        self.noisy = noisy
        self.agent = agent
        self.family = find_sandbox("commerce")
        self.asked = 0

    @asynccontextmanager
    async def open_agent(self, setup: Setup, connection: Any = None) -> AsyncIterator[ChatLoop]:
        """In the place of `agents.kind.open_agent`."""

        def counted(*seen: str) -> float:
            self.asked += 1
            return self.chance(*seen)

        yield ChatLoop(KnownChances(counted, str(setup.model["id"]), self.noisy))

    def run(
        self,
        keys: list[str],
        repeats: int = 3,
        *,
        seed: str = "parent",
        name: str = "base",
        execute: bool = True,
        allowed: Mapping[str, list[str]] | None = None,
        milestones: int = 0,
    ) -> str:
        """Run tasks of these keys; the run's uid."""
        setup = Setup(
            agent=self.agent,
            model={"provider": "scripted", "id": "literal-1", "base_url": "http://127.0.0.1:9"},
            prompt="Help the customer.",
            tools=tuple(spec.view for spec in self.family.specs()),
            sandbox={"name": self.family.name, "digest": self.family.digest},
        )
        tasks = [self.task(key, (allowed or {}).get(key)) for key in keys]
        plan = RunPlan("bench", setup, tuple(PlannedTask(task, repeats) for task in tasks), seed)
        choice = RunChoice(seed=seed)
        row = create(self.path, plan, name=name, suite_digest=b"0" * 16, suite_source=None, choice=choice)
        if execute:
            with Execution(self.path, [row.uid]) as execution:
                execution.run()
                execution.finish()
        return row.uid

    def task(self, key: str, allowed: list[str] | None = None) -> Task:
        """A query task that is passed by saying 4711."""
        return Task.of(
            {
                "id": key,
                "request": f"look up {key}",
                "kind": "query",
                "outcomes": [{"must_include": ["4711"]}],
                "sandbox": "commerce",
                "weight": 1.0,
                "allowed_tools": allowed,
            }
        )


def keys(n: int, letter: str = "f") -> list[str]:
    """f01, f02, …"""
    return [f"{letter}{i:02d}" for i in range(1, n + 1)]
