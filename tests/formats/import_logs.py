"""Small logs for tests of importing, and short words for reading them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reach_tui.formats.detect import read_path
from reach_tui.formats.model import ImportedFile, ImportedTrial

DATA = Path(__file__).parents[1] / "data" / "imports"
SAMPLES = Path(__file__).parents[2].parent / "shared" / "samples"


def conversation(task: str, *, trial: int | None = 1, answer: str = "done", **about: Any) -> dict[str, Any]:
    """A record of chat messages: a request, one call with its result, an answer."""
    call = {"id": "c1", "type": "function", "function": {"name": "read_record", "arguments": '{"record_id": "R1"}'}}
    return {
        "task_id": task, **({} if trial is None else {"trial": trial}), **about,
        "messages": [
            {"role": "user", "content": f"please do {task}"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"record_id": "R1", "state": "open"}'},
            {"role": "assistant", "content": answer},
        ],
    }  # fmt: skip


def tau_record(task: int, trial: int, reward: float, answer: str = "done", **info: Any) -> dict[str, Any]:
    """A record of a tau-bench run file; with `error`, one that broke before anything was said."""
    traj = (
        []
        if "error" in info
        else [{"role": "user", "content": "go ###STOP###"}, {"role": "assistant", "content": answer}]
    )
    return {"task_id": task, "trial": trial, "reward": reward, "traj": traj, "info": {"reward_info": {}, **info}}


def lines(*records: Any) -> str:
    """Records as JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def written(path: Path, content: Any) -> Path:
    """`path` with `content` in it: text and bytes as they are, all else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, content: Any) -> ImportedFile:
    """What is read of a file with this content."""
    return read_path(written(path, content))


def trials(file: ImportedFile) -> list[ImportedTrial]:
    """All trials of a file, run by run."""
    return [trial for run in file.runs for trial in run.trials]


def steps_of(messages: Sequence[Any], tmp_path: Path) -> Any:
    """The steps of one bare conversation."""
    (trial,) = trials(read(tmp_path / "one.json", list(messages)))
    return trial.trajectory.steps
