"""Reasons in words, numbers in one form, and a language that stands behind every sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.experiment import (
    Effect,
    Estimate,
    ExperimentPlan,
    ExperimentResult,
    Factor,
    Flips,
    Manipulation,
    Placebo,
    PlaceboResult,
    Rules,
    SmallestEffects,
    Stratum,
    Verdict,
)
from reach_tui.core.reasons import Reason, ReasonCode
from reach_tui.present import language, numbers, reasons
from reach_tui.present.experiment_text import experiment_json, experiment_text
from reach_tui.present.signs import legend

PRESENT = Path(numbers.__file__).parent
VALUES = {
    "parts": ["/model"], "share": 0.5, "arm": "control", "limit": 0.1, "moved": 2, "tasks": 3, "needed": 6, "p": 0.01,
    "margin": 0.1, "estimate": 0.5, "p_placebo": 0.2, "trial": "r/T#1", "part": "tools", "narrow": True,
    "fewest_repeats": 3, "repeats": 2, "tool": "get_order", "seen_by": 1, "leak": "A100", "run": "base",
    "status": "paused", "expression": "domain=x", "experiment": "x1", "gained": 4, "text": "as it was said",
    "fault": "down", "strategies": "full -> window:4",
}  # fmt: skip


def words_of(literal: Any) -> Iterator[Any]:
    for argument in get_args(literal):
        yield from words_of(argument) if not isinstance(argument, str) else [argument]


def test_every_reason_has_a_sentence_of_its_own() -> None:
    sentences = {code: reasons.sentence(Reason(code, VALUES)) for code in words_of(ReasonCode)}
    assert [code for code, text in sentences.items() if text == code.replace("_", " ") and code != "marked"] == []
    assert not [text for text in sentences.values() if "{" in text]
    assert len(set(sentences.values())) == len(sentences)


@pytest.mark.parametrize("code", sorted(words_of(ReasonCode)))
def test_a_reason_whose_values_are_lost_is_named_and_breaks_nothing(code: Any) -> None:
    assert reasons.sentence(Reason(code, {"other": 1}))


def test_values_from_outside_are_never_taken_for_templates() -> None:
    assert reasons.sentence(Reason("text_leaks", {"leak": "{run} %s {0}"})).endswith("{run} %s {0}")


@given(st.floats(-1, 1))
def test_points_keep_the_side_of_zero_and_shares_the_ends(value: float) -> None:
    shown = numbers.points(value)
    assert shown == "0.0" or (shown[0] == "+") == (value > 0)
    share = numbers.share(abs(value))
    assert (share == "100%") == (abs(value) == 1)
    assert (share == "0%") == (value == 0)


@pytest.mark.parametrize(("p", "shown"), [(None, "no p"), (0.0312, "p = 0.031"), (1e-9, "p < 1e-06"), (1.0, "p = 1.0")])
def test_a_p_is_never_a_bare_zero(p: float | None, shown: str) -> None:
    assert numbers.p_value(p) == shown


def experiment() -> tuple[ExperimentPlan, ExperimentResult]:
    plan = ExperimentPlan(
        "r1",
        "base",
        "s",
        "simulated",
        Factor("prompt", "/prompt", "a", "b"),
        Stratum("chosen", (Reason("failing", {"run": "base"}),), ("T1",), 1),
        None,
        True,
        1,
        "seed",
        Placebo("/prompt", "n", "when_needed"),
        Rules(),
        2,
        1,
        Estimate(2, None, None, None, None, 0),
        SmallestEffects(None, None, None),
        (),
        1,
    )
    effect = Effect(0.5, 0.1, 0.9, 0.01, 10, 6)
    verdict = Verdict("inconclusive", "tasks_like_these", 0.2, (Reason("placebo_missing"),))
    result = ExperimentResult(
        "ended",
        1,
        {},
        "complete",
        effect,
        0.01,
        6,
        Flips(("T1",)),
        (verdict,),
        (),
        PlaceboResult(True, False, True),
        manipulation=Manipulation("seen"),
    )
    return plan, result


def test_a_verdict_is_said_when_it_is_shown_so_that_a_language_reaches_old_experiments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan, result = experiment()
    # Without arms there is no table of them; what is left is all sentences.
    monkeypatch.setattr("reach_tui.present.verdict._effect", lambda plan, result: "")
    shown = experiment_json("x1", plan, result)
    assert shown["verdicts"][0]["why"].startswith("an effect against the control alone")
    assert shown["verdicts"][0]["reasons"] == [{"code": "placebo_missing", "values": {}}]
    try:
        language.speak(lambda text: "译" + text)
        spoken = experiment_json("x1", plan, result)
        assert spoken["verdicts"][0]["why"].startswith("译an effect")
        assert spoken["verdict"] == "inconclusive"
        assert "译" in experiment_text("x1", plan, result).splitlines()[0]
    finally:
        language.speak(None)


def test_what_is_looked_up_in_a_catalogue_is_a_text_of_the_source() -> None:
    """`phrase` is given literal texts (or a table of them), never one that was put together before."""
    built = []
    for path in PRESENT.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("phrase", "plural"):
                texts = node.args[:1] if getattr(node.func, "id", "") == "phrase" else node.args[1:3]
                built += [f"{path.name}:{node.lineno}" for text in texts if isinstance(text, ast.JoinedStr | ast.BinOp)]
    assert built == []


def test_present_draws_nothing_itself() -> None:
    for path in PRESENT.glob("*.py"):
        assert not re.search(r"^ *(from|import) (textual|click|rich(?!\.cells))", path.read_text("utf-8"), re.MULTILINE)


def test_the_page_of_signs_is_the_table_of_signs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "signs.md").read_text("utf-8")
    listed = re.findall(r"^\| `(.+?)` \| (.+) \|$", page, re.MULTILINE)
    assert [(sign.replace("\\", ""), meaning) for sign, meaning in listed] == [
        (sign.sign, sign.meaning) for _, signs in legend() for sign in signs
    ]
