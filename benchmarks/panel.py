"""How far the simulated agent literal-1 follows descriptions that nobody who made it has seen: `make panel`.

A description is put in the place of one tool's; it is followed if the tool is called in at least half of the trials
whose reference has it. The development third is what the chooser was made by; the other two thirds are kept apart.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import yaml

from tests.contrib.test_subjects import SUITE, played, setup

PANEL = Path(__file__).parents[1] / "tests" / "data" / "descriptions" / "panel.yaml"


def main() -> None:
    """A line for each tool and quality, and one for each split."""
    base = setup("literal-1")
    followed: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for entry in yaml.safe_load(PANEL.read_text("utf-8")):
        tool = entry["tool"]
        tasks = [task for task in SUITE.tasks if any(call.get("tool") == tool for call in task.reference)]
        trials = played(base.with_tool_description(tool, entry["text"]), tasks, seed="panel")
        calls = sum(any(step.tool == tool for step in trial.trajectory.steps) for trial in trials.values())
        followed[entry["split"], entry["quality"], tool].append(calls * 2 >= len(tasks))
    for split in ("dev", "test"):
        for quality in ("good", "bad"):
            rows = {tool: values for (s, q, tool), values in followed.items() if (s, q) == (split, quality)}
            for tool, values in sorted(rows.items()):
                print(f"{split:5}{quality:5}{tool:22}{sum(values):3} of {len(values)}")
            total = [value for values in rows.values() for value in values]
            print(f"{split:5}{quality:5}{'all':22}{sum(total):3} of {len(total)}  {sum(total) / len(total):.2f}")


if __name__ == "__main__":
    main()
