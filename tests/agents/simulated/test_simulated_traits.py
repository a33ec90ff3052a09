from __future__ import annotations

import json
import re
from typing import Any

from tests.agents.simulated.sim_batches import PERFECT, RETAIL
from tests.agents.simulated.sim_retail import RETAIL as SHOP
from tests.agents.simulated.sim_world import Case, Played, Refused, Tool, World, play

WRITES = tuple(case for case in RETAIL if case.changes and not case.turns)
SAMPLE = WRITES[:30]


def played(cases: tuple[Case, ...], **traits: Any) -> list[Played]:
    return [play(SHOP, case, traits={**PERFECT, **traits}, seed=seed) for case in cases for seed in (1, 2)]


def passed(results: list[Played]) -> float:
    return sum(result.passed for result in results) / len(results)


def test_haste_alone_skips_writes_and_claims_them() -> None:
    results = played(SAMPLE, haste=1)
    assert passed(results) == 0
    assert all(re.search(r"已|has been|i have", result.last, re.IGNORECASE) for result in results)
    assert passed(played(SAMPLE)) >= 0.95


def test_care_alone_spoils_arguments() -> None:
    careless = played(SAMPLE, care=0)
    wrong = sum(not ok for result in careless for _, _, ok in result.calls)
    assert passed(careless) < 0.8
    assert wrong > sum(not ok for result in played(SAMPLE) for _, _, ok in result.calls)


def test_check_alone_reads_back_what_was_written() -> None:
    with_check, without = played(SAMPLE, check=1), played(SAMPLE, check=0)
    assert sum(len(r.calls) for r in with_check) > sum(len(r.calls) for r in without) + 20
    assert abs(passed(with_check) - passed(without)) <= 0.1


def test_memory_alone_loses_what_long_chains_need() -> None:
    long = tuple(case for case in RETAIL if len(play(SHOP, case, traits=PERFECT).calls) >= 5)
    assert len(long) >= 8
    assert passed(played(long, memory=4)) < passed(played(long)) - 0.15


def test_literal_follows_a_bad_description_and_a_good_one_repairs_it() -> None:
    refunds = tuple(case for case in RETAIL if any(key.startswith("/refunds") for key in case.changes))
    bad = described("request_refund", "Handles matters of an order.")
    literal = [play(SHOP, case, "literal-1", 1, tools=bad) for case in refunds]
    repaired = [play(SHOP, case, "literal-1", 1) for case in refunds]
    careful = [play(SHOP, case, "careful-1", 1, tools=bad) for case in refunds]
    assert passed(literal) <= 0.3
    assert passed(repaired) >= 0.85
    assert passed(careful) >= 0.85


def described(name: str, text: str) -> list[dict[str, Any]]:
    shown = [tool.function() for tool in SHOP.tools]
    for function in shown:
        if function["function"]["name"] == name:
            function["function"]["description"] = text
    return shown


def _broken() -> World:
    tools = tuple(
        Tool(t.name, t.description, t.properties, t.required, _refusing) if t.name == "cancel_order" else t
        for t in SHOP.tools
    )
    return World(SHOP.prompt, SHOP.data, tools)


def _refusing(_state: dict[str, Any], _args: dict[str, Any]) -> Any:
    raise Refused("orders are frozen during the audit")


def test_stubborn_repeats_a_refused_call_and_then_tells_the_user() -> None:
    case = Case("audit", "Cancel order A100", {}, ["audit"])
    counts = {}
    for model in ("careful-1", "stubborn-1"):
        results = [play(_broken(), case, model, seed) for seed in range(1, 9)]
        counts[model] = sum(sum(name == "cancel_order" for name, _, _ in r.calls) for r in results)
        assert sum(r.passed for r in results) >= 6
    assert counts["stubborn-1"] >= 2 * counts["careful-1"]


def test_a_prompt_that_forbids_claims_takes_the_haste_away() -> None:
    told = SHOP.prompt + " Never claim that something is done unless you have actually called the tool for it."
    plain = [play(SHOP, case, "hasty-1", seed) for case in SAMPLE for seed in (1, 2)]
    directed = [play(SHOP, case, "hasty-1", seed, prompt=told) for case in SAMPLE for seed in (1, 2)]
    ignored = [
        play(SHOP, case, "hasty-1", seed, prompt=told, traits={"comply": 0}) for case in SAMPLE for seed in (1, 2)
    ]
    assert passed(directed) >= passed(plain) + 0.12
    assert [r.calls for r in ignored] == [r.calls for r in plain]


def test_directives_of_the_prompt_shape_what_is_done() -> None:
    cancel = Case("c", "Cancel order A100")
    first = play(SHOP, cancel, prompt="Always look up the order before you change it.", traits=PERFECT)
    assert [name for name, _, _ in first.calls][:2] == ["get_order", "cancel_order"]
    asked = play(SHOP, cancel, prompt="Ask the customer for confirmation before any change.", traits=PERFECT)
    assert not asked.calls
    assert "A100" in asked.last
    agreed = Case("c", "Cancel order A100", turns=[("confirm", "yes, please")])
    assert play(SHOP, agreed, prompt="Ask the customer for confirmation before any change.", traits=PERFECT).calls
    banned = play(SHOP, cancel, prompt="Never cancel orders.", traits=PERFECT)
    assert not banned.calls
    many = Case("c", "Cancel orders A100 and A109")
    batch = play(SHOP, many, prompt="Prefer batch tools whenever possible.", traits=PERFECT)
    assert batch.calls[0][0] == "cancel_orders"
    assert json.loads(batch.calls[0][1]) == {"order_ids": ["A100", "A109"]}


def test_passing_trouble_is_tried_again_and_told_if_it_stays() -> None:
    def flaky(limit: int) -> World:
        seen = [0]

        def run(state: dict[str, Any], args: dict[str, Any]) -> Any:
            seen[0] += 1
            if seen[0] <= limit:
                raise Refused("timeout, please try again later")
            state["orders"][args["order_id"]]["status"] = "cancelled"
            return {"order_id": args["order_id"], "status": "cancelled"}

        tools = tuple(
            Tool(t.name, t.description, t.properties, t.required, run) if t.name == "cancel_order" else t
            for t in SHOP.tools
        )
        return World(SHOP.prompt, SHOP.data, tools)

    case = Case("t", "Cancel order A100", {"/orders/A100/status": "cancelled"})
    assert play(flaky(2), case, traits=PERFECT).passed
    down = play(flaky(99), Case("t", "Cancel order A100", {}, ["timeout"]), traits=PERFECT)
    assert down.passed
    assert len(down.calls) <= 6
