from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from tests.agents.simulated.sim_batches import BATCHES, CHINESE_MALL, PERFECT, RETAIL, every
from tests.agents.simulated.sim_choice_cases import CHOICES
from tests.agents.simulated.sim_retail import RETAIL as SHOP
from tests.agents.simulated.sim_twins import TWINS
from tests.agents.simulated.sim_world import Case, Played, World, play

CLAIMS = re.compile(r"已|has been|i have|done:", re.IGNORECASE)


def share(model: str) -> float:
    played = [play(world, case, model, 1).passed for world, case in list(every())[::2]]
    return sum(played) / len(played)


@cache
def perfect(name: str) -> dict[str, bool]:
    """Which requests of a batch come out right where nothing but the algorithm can fail."""
    (world, cases), *_ = [(world, cases) for batch, world, cases in BATCHES if batch == name]
    return {case.id: play(world, case, traits=PERFECT).passed for case in cases}


@pytest.mark.parametrize(("name", "world", "cases"), BATCHES, ids=[name for name, _, _ in BATCHES])
def test_careful_does_nearly_all_of_the_requests_of_every_world(
    name: str, world: World, cases: tuple[Case, ...]
) -> None:
    missed = [case for case, right in perfect(name).items() if not right]
    assert len(missed) <= 0.05 * len(cases), missed


def test_the_models_stand_in_the_order_of_their_weaknesses() -> None:
    careful, hasty, forgetful, literal, stubborn = (
        share(model) for model in ("careful-1", "hasty-1", "forgetful-1", "literal-1", "stubborn-1")
    )
    assert careful >= 0.92
    assert hasty <= 0.76
    assert max(hasty, stubborn, forgetful) < literal < careful


def test_hasty_claims_success_in_trials_that_failed() -> None:
    failed = [
        p for world, case in list(every())[::2] if case.changes and not (p := play(world, case, "hasty-1", 3)).passed
    ]
    claimed = [p for p in failed if CLAIMS.search(p.last)]
    assert len(failed) >= 20
    assert len(claimed) >= 0.7 * len(failed)


def test_tools_described_in_another_language_serve_as_well() -> None:
    world, cases = CHINESE_MALL
    cases = cases[::2]
    missed = [case.id for case in cases if not play(world, case, traits=PERFECT).passed]
    assert len(missed) <= 0.05 * len(cases), missed


@pytest.mark.parametrize(("name", "world", "cases"), BATCHES, ids=[name for name, _, _ in BATCHES])
def test_opaque_names_move_at_most_one_request_in_ten(name: str, world: World, cases: tuple[Case, ...]) -> None:
    opaque = {tool.name: f"t{number:02d}" for number, tool in enumerate(world.tools)}
    shown = []
    for tool in world.tools:
        function = tool.function()
        function["function"]["name"] = opaque[tool.name]
        shown.append(function)
    back = {new: old for old, new in opaque.items()}
    assert moved(name, cases, lambda case: play(world, case, traits=PERFECT, tools=shown, names=back)) <= 0.1


@pytest.mark.parametrize(("name", "world", "cases"), BATCHES, ids=[name for name, _, _ in BATCHES])
def test_another_order_of_tools_moves_at_most_one_request_in_ten(
    name: str, world: World, cases: tuple[Case, ...]
) -> None:
    turned = [tool.function() for tool in reversed(world.tools)]
    assert moved(name, cases, lambda case: play(world, case, traits=PERFECT, tools=turned)) <= 0.1


def moved(name: str, cases: tuple[Case, ...], other: Callable[[Case], Played]) -> float:
    return sum(perfect(name)[case.id] != other(case).passed for case in cases) / len(cases)


def test_other_ids_move_at_most_one_request_in_ten() -> None:
    differing = 0
    simple = RETAIL[::2]
    for case in simple:
        renamed = _renamed(case)
        world = World(SHOP.prompt, _with_ids(SHOP.data), SHOP.tools, SHOP.error_style)
        differing += perfect("retail")[case.id] != play(world, renamed, traits=PERFECT).passed
    assert differing <= 0.1 * len(simple)


def _with_ids(value: object) -> object:
    """The same data under other ids: A100 becomes A7100, M10086 becomes M710086."""
    if isinstance(value, dict):
        return {_with_ids(key): _with_ids(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_ids(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"\b([AM])(\d{3,5})\b", r"\g<1>7\g<2>", value)
    return value


def _renamed(case: Case) -> Case:
    turns = [(when, str(_with_ids(say))) for when, say in case.turns]
    says = [tuple(_with_ids(w) for w in words) if isinstance(words, tuple) else _with_ids(words) for words in case.says]
    changes = {str(_with_ids(k)): v if isinstance(v, re.Pattern) else _with_ids(v) for k, v in case.changes.items()}
    request = re.sub(r"(?<![A-Za-z])([AM])(\d{3,5})(?!\d)", r"\g<1>7\g<2>", case.request)
    turns = [(when, re.sub(r"(?<![A-Za-z])([AM])(\d{3,5})(?!\d)", r"\g<1>7\g<2>", say)) for when, say in case.turns]
    return Case(case.id, request, changes, says, turns, case.asked, {}, case.only, case.loose)


def test_chinese_and_english_twins_come_to_the_same() -> None:
    same = 0
    for number, (chinese, english, changes, says) in enumerate(TWINS):
        loose = ["/tickets/T-9/resolution"]
        first = play(SHOP, Case(f"zh{number}", chinese, changes, says, loose=loose), traits=PERFECT)
        second = play(SHOP, Case(f"en{number}", english, changes, says, loose=loose), traits=PERFECT)
        same += first.passed == second.passed
    assert same >= 0.85 * len(TWINS)


def test_the_right_tools_are_chosen_for_short_requests() -> None:
    right = 0
    for request, wanted in CHOICES:
        played = play(SHOP, Case("choice", request), traits={**PERFECT, "check": 0}, limit=12)
        called = [name for name, _, _ in played.calls]
        right += all(any(name in options.split("|") for name in called) for options in wanted)
    assert right >= 0.7 * len(CHOICES)
