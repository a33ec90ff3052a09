"""`reach run`, `runs`, `show`, `stop`: what they print, and how they refuse."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import SUITE, reach


def test_a_run_prints_counts_and_reach_with_both_weights(literal: tuple[Path, str]) -> None:
    store, run = literal
    shown = reach("show", run, "--store", store, "--json").json
    assert shown["run"] == run
    assert shown["status"] == "ended"
    counts = shown["counts"]
    assert counts["planned"] == counts["done"] == counts["counted"] == len(shown["trials"])
    assert counts["passed"] + counts["partial"] + counts["failed"] == counts["counted"]
    for rule in ("mean", "at_least_once", "majority"):
        assert set(shown["reach"][rule]) == {"weighted", "unweighted"}
        low, high = shown["intervals"][rule]["unweighted"]
        assert low <= shown["reach"][rule]["unweighted"] <= high
    assert sum(shown["bands"].values()) == shown["tasks"]


def test_the_same_seed_gives_the_same_trials(literal: tuple[Path, str], tmp_path: Path) -> None:
    store, run = literal
    arguments = ["run", SUITE, "--model", "literal-1", "--only", "tag.tool=track_shipment", "--seed", "1"]
    again = reach(*arguments, "--concurrency", "3", "--json", "--store", tmp_path / "b.db").json
    first = reach("show", run, "--store", store, "--json").json
    second = reach("show", again["run"], "--store", tmp_path / "b.db", "--json").json
    keys = ("task", "repeat", "status", "why", "steps", "decisive_step")
    assert [[t[k] for k in keys] for t in first["trials"]] == [[t[k] for k in keys] for t in second["trials"]]


def test_a_trial_at_a_step_shows_rows_of_the_state(literal: tuple[Path, str]) -> None:
    store, run = literal
    trial = next(t for t in reach("show", run, "--store", store, "--json").json["trials"] if t["task"] == "TR-23")
    shown = reach("show", f"{trial['trial']}@2", "--store", store, "--json", "--view", "all").json
    assert shown["at_step"] == 2
    assert shown["step"]["n"] == 2
    assert {"path", "expected", "actual", "claimed", "status", "since_step"} <= set(shown["state"][0])
    text = reach("show", trial["trial"], "--store", store)
    assert text.code == 0
    assert "state at step" in text.out


def test_a_request_that_was_sent_can_be_seen_as_it_was(literal: tuple[Path, str]) -> None:
    store, run = literal
    trial = reach("show", run, "--store", store, "--json").json["trials"][0]["trial"]
    raw = reach("show", trial, "--raw", 1, "--store", store, "--json").json
    assert raw["proof"] == "verified"
    assert [message["role"] for message in raw["request"]["messages"]] == ["system", "user"]


def test_runs_are_listed_and_filtered(literal: tuple[Path, str]) -> None:
    store, run = literal
    assert [row["run"] for row in reach("runs", "--store", store, "--json").json["runs"]] == [run]
    assert reach("runs", "nothing like it", "--store", store, "--json").json["total"] == 0
    assert run in reach("runs", "--store", store).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], "which suite"),
        (["run", "absent.yaml"], "absent.yaml"),
        (["run", SUITE, "--model", "nobody"], "no simulated agent 'nobody'"),
        (["run", SUITE, "--only", "domain=nowhere"], "nowhere"),
        (["run", SUITE, "--repeat", "0"], "0 repeats"),
        (["run", SUITE, "--agent", "chat"], "base URL"),
        (["run", SUITE, "--agent", "chat", "--base-url", "ftp://x", "--model", "m"], "base URL"),
        (["run", SUITE, "--agent", "chat", "--base-url", "http://x/v1"], "a chat agent needs a model"),
        (["run", SUITE, "--agent", "refrence"], "did you mean reference"),
        (["run", SUITE, "--agent", "reference", "--model", "m"], "takes no model"),
        (["run", SUITE, "--option", "haste"], "NAME=VALUE"),
        (["run", SUITE, "--prompt-file", "absent.md"], "absent.md"),
        (["show", "nothing"], "no store"),
        (["runs"], "no store"),
        (["stop", "x"], "no store"),
        (["nonsense"], "No such command"),
        (["run", SUITE, "--nonsense"], "No such option"),
        ([], "needs a terminal"),
    ],
)
def test_a_users_mistake_is_told_in_words_with_exit_code_2(arguments: list[object], words: str, tmp_path: Path) -> None:
    done = reach(*arguments, cwd=tmp_path)
    assert done.code == 2, done
    assert words in done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.glob("runs.db"))


def test_references_that_fit_nothing_say_what_is_near(literal: tuple[Path, str]) -> None:
    store, run = literal
    for what, words in [
        ("rzzz", "no run"),
        (f"{run}/TR-99#1", "TR-"),
        (f"{run}/TR-01#1@999", "has steps 0 to"),
        ("x1", "x1"),
    ]:
        done = reach("show", what, "--store", store)
        assert done.code == 2, done
        assert words in done.err


def test_stopping_what_has_ended_says_so(literal: tuple[Path, str]) -> None:
    store, run = literal
    assert reach("stop", run, "--store", store, "--json").json["said"] == "already ended"


def test_a_detached_run_goes_on_and_can_be_stopped_and_resumed(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    started = reach("run", SUITE, "--model", "hasty-1", "--repeat", "5", "--detach", "--json", "--store", store).json
    run = started["run"]
    stopped = reach("stop", run, "--store", store, "--json")
    assert stopped.code == 0
    for _ in range(100):
        status = reach("runs", "--store", store, "--json").json["runs"][0]["status"]
        if status in ("cancelled", "ended"):
            break
    assert status == "cancelled"
    resumed = reach("run", "--resume", run, "--store", store, "--json", "--repeat", "1")
    assert resumed.code == 0
    assert resumed.json["counts"]["done"] == resumed.json["counts"]["planned"]


@pytest.mark.parametrize(
    ("how", "status", "code"), [("interrupt", "cancelled", 3), ("stop", "cancelled", 3), ("pause", "paused", 0)]
)
def test_a_run_that_was_waited_for_and_cancelled_has_exit_code_3(
    how: str, status: str, code: int, tmp_path: Path
) -> None:
    store = tmp_path / "runs.db"
    command = [sys.executable, "-m", "reach_tui", "run", str(SUITE), "--model", "hasty-1", "--repeat", "60", "--json"]
    waiting = subprocess.Popen(
        [*command, "--store", str(store)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while (
            not (listed := reach("runs", "--status", "running", "--store", store, "--json")).out
            or not (listed.json["runs"])
        ):
            assert waiting.poll() is None
        if how == "interrupt":
            waiting.send_signal(signal.SIGINT)
        else:
            run = listed.json["runs"][0]["run"]
            done = reach("stop", run, *(["--pause"] if how == "pause" else []), "--store", store)
            assert done.code == 0, done.err
        out, err = waiting.communicate(timeout=60)
    finally:
        waiting.kill()
    assert waiting.returncode == code, err
    told = json.loads(out)
    assert told["status"] == status
    assert told["counts"]["done"] < told["counts"]["planned"]


def test_help_names_every_command_and_the_exit_codes() -> None:
    done = reach("--help")
    assert done.code == 0
    for word in ("run", "branch", "compare", "import", "store", "Exit codes"):
        assert word in done.out


def test_the_one_file_holds_everything_once_a_run_has_ended(literal: tuple[Path, str], tmp_path: Path) -> None:
    import shutil

    only = ("--only", "TR-01", "--repeat", "1", "--model", "careful-1", "--store", tmp_path / "a.db")
    assert reach("run", SUITE, *only).code == 0
    shutil.copyfile(tmp_path / "a.db", tmp_path / "b.db")
    listed = reach("runs", "--store", tmp_path / "b.db", "--json").json["runs"]
    assert [row["counts"]["done"] for row in listed] == [1]
