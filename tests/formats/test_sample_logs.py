"""Real logs of others, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from reach_tui.formats.detect import read_path, read_paths
from tests.formats.import_logs import SAMPLES, trials

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample logs are not here")


@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("tau2-bench/airline-task-tool-errors.results.json", {"failed": 1}),
        ("tau2-bench/mock-10tasks.results.json", {"passed": 8, "failed": 2}),
        ("tau2-bench/mock-env-assertion-action.results.json", {"failed": 1}),
        ("tau2-bench/retail-nl-assertion.results.json", {"passed": 1}),
        ("tau2-bench/telecom-user-tools.results.json", {"passed": 1}),
        ("tau2-bench/toolorchestra-airline.cut.json", {"passed": 2, "failed": 3}),
        ("tau2-bench/dir-format-voice", {"unscored": 1}),
        ("tau-bench/gpt-4o-airline.cut.json", {"passed": 3, "failed": 7}),
        ("openai-chat/tau-airline-bare-array.json", {"unscored": 1}),
        ("openai-chat/tau-airline-messages.jsonl", {"unscored": 4}),
    ],
)
def test_every_trajectory_of_a_sample_is_read_with_its_verdict(path: str, statuses: dict[str, int]) -> None:
    file = read_path(SAMPLES / path)
    imported = trials(file)
    assert file.skipped == ()
    assert {status: [t.score.status for t in imported].count(status) for status in statuses} == statuses
    assert len(imported) == sum(statuses.values())
    for trial in imported:
        for step in trial.trajectory.steps:
            assert step.text or step.tool or step.body.get("reasoning")


def test_the_verdict_is_the_logs_reward_in_every_sample() -> None:
    for path in [*sorted((SAMPLES / "tau2-bench").glob("*.json")), SAMPLES / "tau-bench" / "gpt-4o-airline.cut.json"]:
        for trial in trials(read_path(path)):
            assert (trial.score.status == "passed") == (trial.score.reward == 1.0)
            decided = [check.verdict for check in trial.score.checks if check.decides]
            if trial.score.status == "passed":
                assert "fail" not in decided
            elif decided:
                assert "fail" in decided


def test_samples_of_formats_that_are_not_read_are_named_not_misread() -> None:
    read = ("tau-bench", "tau2-bench", "openai-chat", "mini-swe-agent")
    others = [path for path in sorted(SAMPLES.iterdir()) if path.is_dir() and path.name not in read]
    for file in read_paths(others):
        assert file.trials == 0, file.source
        assert all(skip.reason for skip in file.skipped)


def test_every_file_of_the_sample_folders_is_imported_or_named() -> None:
    files = list(read_paths([SAMPLES / "tau2-bench", SAMPLES / "tau-bench"]))
    assert sum(file.trials for file in files) == 30
    named = {Path(skip.where).name for file in files for skip in file.skipped}
    assert {"db.toml", "policy.md", "tasks.json", "airline-db.subset.json", "README.md"} <= named
