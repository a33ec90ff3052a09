"""The simulated models hold no answer: nothing in them is a name, an id, a value or a request of a suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reach_tui.sandbox.registry import find_sandbox
from reach_tui.suites.load import load_suite
from tests.agents.simulated.constants import string_constants

SUITES = sorted((Path(__file__).parents[2] / "suites").glob("*.yaml"))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)


def telling(found: set[str]) -> set[str]:
    """Without what any office uses: single words and statuses of the lexicon's kind are no answers."""
    return {one for one in found if any(sign.isdigit() for sign in one) and len(one) > 1 and not one.isdigit()}


def test_no_tool_name_of_the_sandbox_stands_in_a_model() -> None:
    names = {spec.name for spec in find_sandbox("commerce").specs()}
    assert not names & string_constants()


def test_no_id_or_value_of_the_seed_data_stands_in_a_model() -> None:
    data = set(texts(find_sandbox("commerce").open({}, None, "x").state))
    assert not telling(data & string_constants())


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_no_task_id_request_or_expected_value_stands_in_a_model(path: Path) -> None:
    suite = load_suite(path)
    constants = string_constants()
    assert not {task.key for task in suite.tasks} & constants
    # A request of one word (退款) is a word of the lexicon, not a request that somebody learned.
    assert not {task.request for task in suite.tasks if len(task.request) > 6} & constants
    values = {text for task in suite.tasks for outcome in task.body["outcomes"] for text in texts(outcome)}
    assert not telling(values & constants)
