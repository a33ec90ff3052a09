"""A simulated agent is one agent, whether it runs in this process or behind an endpoint, at any concurrency."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reach_tui.actions.serving import open_server
from reach_tui.agents.kind import AgentChoice
from reach_tui.harness.execute import Execution
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.store.replay import load_trial
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from reach_tui.suites.load import load_suite

SUITE = Path(__file__).parents[2] / "suites" / "commerce-aftersales.yaml"


def trajectories(store: Path, agent: AgentChoice, concurrency: int) -> dict[tuple[str, int], Any]:
    """By slot: status, every step without its time, and the state that it ended in."""
    suite = load_suite(SUITE)
    plan = plan_run(suite, suite.tasks[::3], agent, RunChoice(repeat=2, seed="same", concurrency=concurrency))
    row = create(store, plan, name="s", suite_digest=suite.digest, suite_source=None)
    with Execution(store, [row.uid]) as execution:
        execution.run()
        execution.finish()
    with Store(store) as opened:
        found = run_by_uid(opened, row.uid)
        assert found is not None
        loaded = [load_trial(opened, trial.id) for trial in trials_of(opened, found.id)]
    return {
        (one.row.task.key, one.row.start.repeat): (
            one.row.grading,
            one.row.end.tokens_in,
            one.row.end.tokens_out,
            [(step.kind, step.tool, step.body, step.state_digest) for step in one.trajectory.steps],
        )
        for one in loaded
    }


@pytest.mark.parametrize("concurrency", [1, 16])
def test_over_http_every_step_is_the_same_as_in_process(concurrency: int, tmp_path: Path) -> None:
    here = trajectories(tmp_path / "here.db", AgentChoice("simulated", "hasty-1"), 1)
    with open_server(SUITE, None)[0] as server:
        there = trajectories(tmp_path / "there.db", AgentChoice("chat", "hasty-1", server.base_url), concurrency)
    assert here == there
    assert len(here) == 54


def test_fresh_seeds_are_fresh_noise_and_equal_seeds_none(tmp_path: Path) -> None:
    def run(name: str, seed: str) -> dict[tuple[str, int], Any]:
        suite = load_suite(SUITE)
        plan = plan_run(suite, suite.tasks, AgentChoice("simulated", "hasty-1"), RunChoice(repeat=1, seed=seed))
        row = create(tmp_path / name, plan, name="s", suite_digest=suite.digest, suite_source=None)
        with Execution(tmp_path / name, [row.uid]) as execution:
            execution.run()
            execution.finish()
        with Store(tmp_path / name) as store:
            found = run_by_uid(store, row.uid)
            assert found is not None
            return {
                (t.task.key, t.start.repeat): (t.grading.status, t.end.steps, t.grading.why)
                for t in trials_of(store, found.id)
            }

    first = run("a.db", "one")
    assert run("b.db", "one") == first
    assert run("c.db", "two") != first


def test_the_endpoint_refuses_what_it_does_not_know_in_words() -> None:
    import httpx

    with open_server(SUITE, None)[0] as server, httpx.Client(base_url=server.base_url, trust_env=False) as client:
        assert [one["id"] for one in client.get("/models").json()["data"]][:1] == ["careful-1"]
        cases: list[tuple[Any, int]] = [
            ({"model": "nobody", "messages": []}, 404),
            ({"model": "careful-1"}, 400),
            ([], 400),
            ({"model": "careful-1", "messages": "x"}, 400),
            ({"model": "careful-1", "messages": [None, 7]}, 400),
            ({"model": "careful-1", "messages": [], "tool_choice": "required"}, 400),
        ]
        for body, status in cases:
            answer = client.post("/chat/completions", json=body)
            assert answer.status_code == status
            assert answer.json()["error"]["message"]
        assert client.post("/nothing", json={}).status_code == 404
        unknown = {"model": "careful-1", "messages": [{"role": "user", "content": "what is this?"}]}
        said = client.post("/chat/completions", json=unknown).json()["choices"][0]["message"]["content"]
        assert "I know no task with this request" in said
        named = {**unknown, "metadata": {"task": "TR-01"}, "tools": []}
        assert "I know no task" not in str(client.post("/chat/completions", json=named).json())
