"""`reach branch`: exactly one factor, a control beside it, and a verdict that a sham does not get."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import FACTORS, reach

Copy = Callable[[], tuple[Path, str]]
BETTER = ("--tool", "track_shipment", "--description-file", FACTORS / "track-shipment-better.md")


def test_a_better_description_is_the_cause_and_its_numbers_agree(copy: Copy) -> None:
    store, run = copy()
    done = reach("branch", run, "--failing", *BETTER, "--seed", "1", "--json", "--store", store)
    assert done.code == 0, done.err
    result = done.json
    assert result["factor"]["part"] == "/tools/track_shipment/description"
    assert result["verdict"] == "cause"
    assert result["scope"] == "tasks_like_these"
    effect = result["effect"]
    assert 0 < effect["low"] <= effect["estimate"] <= effect["high"]
    assert effect["p"] <= 0.05
    assert len(result["flips"]["fixed"]) > len(result["flips"]["broken"])
    assert result["manipulation_check"]["status"] == "seen"
    arms = result["arms"]
    assert arms["control"]["tasks"] == arms["branch"]["tasks"] == result["n"]
    runs = reach("runs", "--store", store, "--json").json["runs"]
    assert {row["arm"] for row in runs if row["experiment"] == result["experiment"]} >= {"control", "branch"}
    assert reach("show", result["experiment"], "--store", store, "--json").json["verdict"] == "cause"
    assert "cause" in reach("show", result["experiment"], "--store", store).out


def test_a_sham_edit_is_not_a_cause(copy: Copy) -> None:
    store, run = copy()
    sham = f"{FACTORS / 'commerce.yaml'}#track-sham"
    result = reach("branch", run, "--failing", "--factor", sham, "--seed", "2", "--json", "--store", store).json
    assert result["verdict"] in ("inconclusive", "not_a_cause")


@pytest.mark.parametrize(
    "second", [["--prompt-file", FACTORS / "prompt-verify.md"], ["--model", "careful-1"]], ids=["prompt", "model"]
)
def test_two_factors_at_once_are_refused_and_both_are_named(literal: tuple[Path, str], second: list[object]) -> None:
    done = reach("branch", literal[1], "--failing", *BETTER, *second, "--store", literal[0])
    assert done.code == 2
    assert "/tools/track_shipment/description" in done.err
    assert ("/prompt" if "prompt" in str(second[0]) else "/model") in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--failing"], "no factor"),
        (["--failing", "--tool", "track_shipment"], "come in pairs"),
        (["--failing", "--tool", "nope", "--description-file", FACTORS / "track-shipment-better.md"], "no tool 'nope'"),
        (["--only", "TR-9*", *BETTER], "TR-9"),
        (["--failing", "--model", "literal-1"], "in nothing"),
        (["--failing", *BETTER, "--repeat", "0"], "0 repeats"),
        (["--failing", *BETTER, "--margin", "5"], "between 0 and 1"),
    ],
)
def test_a_branch_that_cannot_be_is_refused_in_words(
    literal: tuple[Path, str], arguments: list[object], words: str
) -> None:
    done = reach("branch", literal[1], *arguments, "--store", literal[0])
    assert done.code == 2, done
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_dry_run_prints_the_plan_and_starts_nothing(literal: tuple[Path, str]) -> None:
    store, run = literal
    done = reach("branch", run, "--failing", *BETTER, "--dry-run", "--store", store)
    assert done.code == 0
    assert "control on" in done.out
    assert len(reach("runs", "--store", store, "--json").json["runs"]) == 1


def test_runs_are_compared_by_task_and_several_parts_name_no_cause(copy: Copy) -> None:
    store, run = copy()
    suite = Path(__file__).parents[2] / "suites" / "commerce-aftersales.yaml"
    other = reach("run", suite, "--model", "careful-1", "--only", "TR-0*", "--json", "--store", store).json["run"]
    pair = reach("compare", run, other, "--store", store, "--json").json["pairs"][0]
    assert pair["shared"] == 9
    assert len(pair["only_a"]) > 0
    assert pair["only_b"] == []
    assert {difference["factor"] for difference in pair["differs"]} == {"model"}
    (model,) = pair["differs"]
    assert {place["pointer"]: (place["before"], place["after"]) for place in model["places"]}["/id"] == (
        "literal-1",
        "careful-1",
    )
    text = reach("compare", run, other, "--store", store).out
    assert "shared tasks" in text
    assert "/model/id: literal-1 -> careful-1" in text


def test_the_suites_own_prompt_is_no_change(literal: tuple[Path, str]) -> None:
    prompt = Path(__file__).parents[2] / "suites" / "prompts" / "aftersales-v1.md"
    done = reach("branch", literal[1], "--failing", "--prompt-file", prompt, "--dry-run", "--store", literal[0])
    assert done.code == 2
    assert "in nothing" in done.err


def test_a_device_is_not_read_to_its_end(literal: tuple[Path, str]) -> None:
    done = reach("branch", literal[1], "--failing", "--prompt-file", "/dev/zero", "--dry-run", "--store", literal[0])
    assert done.code == 2
    assert "more than" in done.err


@pytest.mark.parametrize("seed", [4, 12])
def test_an_edit_that_a_placebo_could_equal_is_planned_all_the_same(literal: tuple[Path, str], seed: int) -> None:
    sham = f"{FACTORS / 'commerce.yaml'}#address-sham"
    done = reach(
        "branch", literal[1], "--failing", "--factor", sham, "--seed", seed, "--dry-run", "--store", literal[0]
    )
    assert done.code == 0, done.err
