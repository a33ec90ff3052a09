# ruff: noqa: E501 (strategies read best on one line)
from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.agents.simulated import MODELS, decide
from tests.agents.simulated.constants import string_constants
from tests.agents.simulated.sim_batches import RETAIL
from tests.agents.simulated.sim_retail import RETAIL as SHOP
from tests.agents.simulated.sim_world import play

SAMPLE = RETAIL[::7]
TOOLS = [tool.function() for tool in SHOP.tools]


def calls(model: str, seed: int, **options: Any) -> list[Any]:
    return [(p.calls, p.last) for p in (play(SHOP, case, model, seed, **options) for case in SAMPLE)]


def test_the_models_are_named() -> None:
    assert MODELS == ("careful-1", "hasty-1", "forgetful-1", "literal-1", "stubborn-1")


def test_equal_input_gives_equal_output_in_any_order_and_leaves_its_input_alone() -> None:
    inputs = []
    for case in SAMPLE:
        messages = play(SHOP, case, "hasty-1", 5).messages
        inputs.extend(messages[:end] for end in range(2, len(messages) + 1))
    before = copy.deepcopy(inputs)
    forwards = [decide(messages, TOOLS, {"model": "hasty-1", "seed": 5}) for messages in inputs]
    backwards = [decide(messages, TOOLS, {"model": "hasty-1", "seed": 5}) for messages in reversed(inputs)]
    assert forwards == list(reversed(backwards))
    assert inputs == before


def test_equal_seeds_give_equal_trials_and_fresh_ones_do_not() -> None:
    for model in MODELS:
        assert calls(model, 7) == calls(model, 7)
    assert calls("hasty-1", 7) != calls("hasty-1", 8)


def test_another_process_with_another_hash_seed_decides_alike() -> None:
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.agents.simulated.sim_batches import RETAIL\n"
        "from tests.agents.simulated.sim_retail import RETAIL as SHOP\n"
        "from tests.agents.simulated.sim_world import play\n"
        "print(json.dumps([play(SHOP, c, 'stubborn-1', 3).messages for c in RETAIL[:12]]))"
    )
    here = str(Path(__file__).parents[3])
    answers = {
        subprocess.run(
            [sys.executable, "-c", code, here],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(answers) == 1


def test_a_placebo_sentence_in_the_prompt_changes_no_call() -> None:
    placebo = SHOP.prompt + " The shop was founded in a small town and its logo is blue."
    for model in ("careful-1", "hasty-1", "literal-1"):
        plain, other = calls(model, 4), calls(model, 4, prompt=placebo)
        same = sum(a[0] == b[0] for a, b in zip(plain, other, strict=True))
        assert same >= 0.95 * len(plain)


def test_a_sham_sentence_in_a_description_changes_no_call() -> None:
    total = same = 0
    for number, sham in enumerate(
        ("This entry was last revised in spring.", "Maintained by the platform group.", "本工具由平台组维护。")
    ):
        shown = [copy.deepcopy(tool) for tool in TOOLS]
        for tool in shown[number::3]:
            tool["function"]["description"] += " " + sham
        for model in ("careful-1", "literal-1"):
            for a, b in zip(calls(model, 2), calls(model, 2, tools=shown), strict=True):
                total += 1
                same += a[0] == b[0]
    assert same >= 0.95 * total


def test_call_ids_are_unique_within_a_conversation() -> None:
    for case in SAMPLE:
        messages = play(SHOP, case, "stubborn-1", 2).messages
        ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
        assert len(ids) == len(set(ids))


def test_string_constants_are_code_only() -> None:
    found = string_constants()
    assert "careful-1" in found
    assert not any("A tool as the model understands it" in text for text in found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.sampled_from(
    ["取消订单 A100", "如果", "refund A106 if", "否则", "，", "M10086", "the cheapest", "超过 200 元", "?", "", "x" * 5000, "\ud800", "明天", "$5", "{"]
)  # fmt: skip
CONTENT = st.one_of(
    st.none(), st.lists(WORDS, max_size=5).map(" ".join), st.text(max_size=60), JSON,
    st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=20)}), max_size=2),
)  # fmt: skip
MESSAGE = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["system", "user", "assistant", "tool", "developer", "odd"]), "content": CONTENT}),
    st.fixed_dictionaries({
        "role": st.just("assistant"), "content": CONTENT,
        "tool_calls": st.lists(st.fixed_dictionaries({
            "id": st.sampled_from(["a", "", "b"]), "type": st.just("function"),
            "function": st.fixed_dictionaries({
                "name": st.sampled_from([tool.name for tool in SHOP.tools] + ["ghost"]),
                "arguments": st.one_of(st.text(max_size=10), JSON, st.just('{"order_id": "A100"}')),
            }),
        }), max_size=2),
    }),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": st.sampled_from(["a", "b", "zz"]), "content": st.one_of(CONTENT, JSON.map(json.dumps))}),
    JSON,
)  # fmt: skip
SCHEMA = st.one_of(JSON, st.just({"type": "object", "properties": {"id": {"type": ["string", "null"]}, "x": {"anyOf": [{"enum": ["a"]}]}}, "required": ["id"]}))  # fmt: skip
TOOL = st.one_of(
    st.sampled_from(TOOLS),
    st.fixed_dictionaries({"type": st.just("function"), "function": st.fixed_dictionaries({"name": st.text(max_size=8), "description": st.one_of(st.none(), st.text(max_size=20)), "parameters": SCHEMA})}),
    JSON,
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(MESSAGE, max_size=8), st.lists(TOOL, max_size=6), st.sampled_from(MODELS), st.integers())
def test_whatever_comes_in_a_valid_message_goes_out(
    messages: list[Any], tools: list[Any], model: str, seed: int
) -> None:
    reply = decide(messages, tools, {"model": model, "seed": seed})
    assert reply["role"] == "assistant"
    if reply.get("tool_calls"):
        (call,) = reply["tool_calls"]
        assert call["type"] == "function"
        assert isinstance(json.loads(call["function"]["arguments"]), dict)
        assert call["id"]
    else:
        assert isinstance(reply["content"], str)
        assert reply["content"]
