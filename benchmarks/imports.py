"""Wall time to import a tau2 file of 114 simulations (made here, about 3.4 MB). Beside it: json.load of that file."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import Result, wall_ms
from reach_tui.harness.ingest import ingest

SIMULATIONS, TURNS = 114, 16


def _simulation(number: int) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "assistant", "content": "Hi! How can I help you today?", "turn_idx": 0}]
    for turn in range(1, TURNS):
        if turn % 2:
            messages.append({"role": "user", "content": "I would like to change my booking. " * 6, "turn_idx": turn})
        else:
            call = {"id": f"c{turn}", "name": "get_reservation_details", "arguments": {"reservation_id": f"R{number}"},
                    "requestor": "assistant"}  # fmt: skip
            messages.append({"role": "assistant", "content": None, "tool_calls": [call], "turn_idx": turn})
            result = {"reservation_id": f"R{number}", "user_id": f"u_{number}", "status": f"s{turn}",
                      "flights": [{"flight_number": f"F{n}", "price": 100 + n} for n in range(64)]}  # fmt: skip
            messages.append(
                {
                    "role": "tool",
                    "id": f"c{turn}",
                    "content": json.dumps(result),
                    "requestor": "assistant",
                    "error": False,
                    "turn_idx": turn,
                }
            )
    return {
        "id": f"sim-{number}", "task_id": str(number), "trial": 0, "seed": number, "termination_reason": "user_stop",
        "messages": messages, "reward_info": {"reward": float(number % 2), "reward_basis": ["DB"],
                                              "db_check": {"db_match": bool(number % 2), "db_reward": number % 2}},
    }  # fmt: skip


def _file(path: Path) -> None:
    tasks = [{"id": str(n), "user_scenario": {"instructions": "change it"}} for n in range(SIMULATIONS)]
    info = {"num_trials": 1, "agent_info": {"llm": "m"}, "user_info": {"llm": "u"},
            "environment_info": {"domain_name": "airline", "policy": "Be kind."}}  # fmt: skip
    body = {"info": info, "tasks": tasks, "simulations": [_simulation(n) for n in range(SIMULATIONS)]}
    path.write_text(json.dumps(body, indent=1), "utf-8")


def run() -> list[Result]:
    """One row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        _file(path)
        size = path.stat().st_size / 1e6
        stores = iter(range(99))

        def go() -> None:
            report = ingest(Path(folder) / f"{next(stores)}.db", [path])
            assert report.imported == SIMULATIONS, report

        ours = wall_ms(go, 3) / 1000
        bare = wall_ms(lambda: json.loads(path.read_text("utf-8")), 3) / 1000
    what = f"import of a tau2 file, {SIMULATIONS} simulations, {size:.1f} MB"
    return [Result(what, ours, "s", "json.loads of the file", bare, "1 s for 3.4 MB")]
