"""From bytes to JSON: whatever a file holds, it is read, saved in part, or refused with a reason and a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reach_tui.formats.source import Bounds, Unreadable, decode, load_json, parse, read_bytes
from tests.formats.import_logs import conversation, lines, read, tau_record, trials, written


def test_a_mark_crlf_and_trailing_nul_do_not_disturb_json_lines(tmp_path: Path) -> None:
    text = lines(conversation("a"), conversation("b")).replace("\n", "\r\n")
    file = read(tmp_path / "log.jsonl", b"\xef\xbb\xbf" + text.encode() + b"\0\0\0\0")
    assert [trial.task_key for trial in trials(file)] == ["a", "b"]
    assert not file.skipped


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_text_in_a_marked_wide_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    file = read(tmp_path / "log.json", json.dumps(conversation("账单"), ensure_ascii=False).encode(encoding))
    assert [trial.task_key for trial in trials(file)] == ["账单"]


def test_bytes_that_are_no_utf8_and_raw_control_characters_pass(tmp_path: Path) -> None:
    text = json.dumps(conversation("a", answer="ANSWER")).replace("ANSWER", "one\ttwo\x1b[31m \0 \\ud83d")
    file = read(tmp_path / "log.json", text.encode().replace(b"please", b"pl\xffase"))
    (trial,) = trials(file)
    assert trial.trajectory.steps[-1].text == "one\ttwo\x1b[31m \0 \ud83d"
    assert trial.trajectory.steps[0].text == "pl\ufffdase do a"


@pytest.mark.parametrize("seconds", [1e306, -1.0, 1e14, "12", True, None])
def test_a_duration_that_no_trial_can_have_is_unknown(tmp_path: Path, seconds: object) -> None:
    record = tau_record(1, 0, 1.0)
    for message in record["traj"]:
        message["generation_time_seconds"] = seconds
    (trial,) = trials(read(tmp_path / "slow.json", json.dumps([record])))
    assert trial.score.status == "passed"
    assert {step.took_ms for step in trial.trajectory.steps} == {None}


def test_bare_nan_and_infinity_pass_and_are_no_numbers(tmp_path: Path) -> None:
    text = json.dumps([tau_record(1, 0, 1.0)]).replace('"reward": 1.0', '"reward": NaN')
    (trial,) = trials(read(tmp_path / "nan.json", text))
    assert trial.score.status == "unscored"
    assert load_json('{"a": -Infinity}') == {"a": float("-inf")}


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("levels", [300, 100_000])
def test_deep_json_is_refused_without_falling_over(opening: str, levels: int) -> None:
    closing = "]" if opening == "[" else "}"
    with pytest.raises(Unreadable, match=r"nested deeper than 200 levels|not whole JSON"):
        load_json(opening * levels + "1" + closing * levels)


def test_a_line_too_long_is_skipped_and_its_neighbours_are_read() -> None:
    text = lines({"messages": [1]}, {"messages": ["x" * 500]}, {"messages": [2]})
    parsed = parse(text, Bounds(line_chars=100))
    assert [record.line for record in parsed.records] == [1, 3]
    assert [(problem.line, "more than 100" in problem.reason) for problem in parsed.problems] == [(2, True)]


def test_a_file_too_big_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "big.json", "x" * 2_000_000)
    with pytest.raises(Unreadable, match="files over 1 MiB are not read"):
        read_bytes(path, Bounds(file_bytes=1024 * 1024))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty: 0 trajectories"),
        (b" \n\r\n\0", "the file is empty: 0 trajectories"),
        (b"PK\x03\x04rest", "a zip archive"),
        (b"SQLite format 3\x00" + b"\0" * 100, "an SQLite database"),
        (bytes(range(256)) * 4 + b"\xfe\xff\0" * 900, "binary data"),
        (b"# Notes\n\nhello\n", "no JSON, it begins '# Notes hello'"),
        (b"hello", "no JSON"),
        (b"{}", "an object with no keys"),
        (b"[]", "an empty list: 0 trajectories"),
        (b"null", "just null"),
        (b"[1, 2, 3]", "a list of 3: just 1"),
    ],
)
def test_a_file_that_is_no_trajectory_is_named_with_what_was_found(tmp_path: Path, content: bytes, reason: str) -> None:
    file = read(tmp_path / "other.bin", content)
    (skipped,) = file.skipped
    assert not file.runs
    assert reason in skipped.reason
    assert str(skipped).startswith(str(tmp_path / "other.bin"))


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    file = read(tmp_path / "log.jsonl", lines(conversation("a", answer="one\u2028two"), conversation("b")))
    assert len(trials(file)) == 2
    assert not file.skipped


def test_of_a_printed_list_that_breaks_off_the_whole_records_are_saved(tmp_path: Path) -> None:
    text = json.dumps([tau_record(n, 0, 1.0) for n in range(4)], indent=2)
    cut = text[: text.index('"task_id": 3') + 40]
    file = read(tmp_path / "run.json", cut)
    assert [trial.task_key for trial in trials(file)] == ["0", "1", "2"]
    (skipped,) = file.skipped
    assert skipped.line == cut[: cut.rindex("\n  {") + 1].count("\n") + 1
    assert "may be cut off" in skipped.reason


def test_behind_a_broken_record_of_a_printed_list_reading_goes_on(tmp_path: Path) -> None:
    text = json.dumps([tau_record(n, 0, 1.0) for n in range(4)], indent=2)
    file = read(tmp_path / "run.json", text.replace('"task_id": 1', '"task_id": !'))
    assert [trial.task_key for trial in trials(file)] == ["0", "2", "3"]
    assert len(file.skipped) == 1


def test_of_broken_results_the_whole_simulations_are_saved(tmp_path: Path) -> None:
    simulations = [{"id": f"s{n}", "task_id": "t", "trial": n, "messages": [], "reward_info": None} for n in range(3)]
    text = json.dumps({"info": {}, "tasks": [], "simulations": simulations})
    file = read(tmp_path / "results.json", text[: text.index('"s2"') + 20])
    assert [trial.repeat for trial in trials(file)] == [1, 2]
    assert len(file.skipped) == 1


@pytest.mark.parametrize("wrap", [lambda messages: messages, lambda messages: {"messages": messages}])
def test_a_single_conversation_that_breaks_off_is_not_taken_for_a_whole_one(tmp_path: Path, wrap: object) -> None:
    text = json.dumps(wrap(conversation("a")["messages"]))  # type: ignore[operator]
    file = read(tmp_path / "one.json", text[:-20])
    assert not file.runs
    assert len(file.skipped) == 1


def test_decoding_tells_text_from_binaries() -> None:
    assert decode("退款\r\n".encode()) == "退款\r\n"
    with pytest.raises(Unreadable, match="gzip"):
        decode(b"\x1f\x8b\x08")
