"""docs/suites.md is true: its examples load, and it names every key, operator and word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from reach_tui.core.faults import FAULT_KINDS
from reach_tui.suites import expressions, models
from reach_tui.suites import vocabulary as words
from reach_tui.suites.factors import EFFECTS, KINDS, FactorModel, load_factors
from reach_tui.suites.load import parse_suite
from reach_tui.suites.select import FIELDS

PAGE = (Path(__file__).parents[2] / "docs" / "suites.md").read_text("utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
CODE = set(re.findall(r"[$\w.]+", " ".join([*re.findall(r"`([^`\n]+)`", PAGE), *BLOCKS])))


def keys() -> Iterator[str]:
    for model in vars(models).values():
        if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == models.__name__:
            yield from (field.alias or name for name, field in model.model_fields.items())
    yield from FactorModel.model_fields


def test_the_suites_and_the_library_on_the_page_load_without_a_warning(tmp_path: Path) -> None:
    full, between, coverage, library = BLOCKS
    assert parse_suite((full + between).encode(), tmp_path / "s.yaml").faults.keys() == {
        "tracking-down",
        "slow-refunds",
    }
    assert parse_suite(full.encode(), tmp_path / "s.yaml").warnings == ()
    assert parse_suite(coverage.encode(), tmp_path / "s.yaml").layout == "coverage"
    (tmp_path / "f.yaml").write_text(library, "utf-8")
    assert {variant.effect for variant in load_factors(tmp_path / "f.yaml")} == {"better", "sham"}


@pytest.mark.parametrize(
    "named",
    [
        set(keys()), set(expressions.OPERATORS), set(KINDS) | set(EFFECTS), set(FIELDS),
        {*words.KINDS, *words.PRIORITIES[::3], *words.DIFFICULTIES, *words.RISKS, *words.LEVELS},
        {*words.PERTURBATIONS, *words.COMPARISONS, *words.ORDERS, *words.LATER_KEYS, *FAULT_KINDS},
    ],
    ids=["keys", "operators", "factors", "fields", "words", "more words"],
)  # fmt: skip
def test_the_page_names_every_word(named: set[str]) -> None:
    assert named - CODE == set()
