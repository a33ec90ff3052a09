# ruff: noqa: E501 (a record, a tool, a request is one line)
"""All worlds with all their requests."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from tests.agents.simulated import (
    sim_depot,
    sim_depot_cases,
    sim_fresh_cases,
    sim_held_cases,
    sim_last_cases,
    sim_late_cases,
    sim_mall,
    sim_mall_cases,
    sim_mall_zh,
    sim_more_cases,
    sim_office,
    sim_office_cases,
    sim_retail,
    sim_retail_cases,
)
from tests.agents.simulated.sim_world import Case, World

RETAIL = (
    *sim_retail_cases.CASES,
    *sim_fresh_cases.RETAIL_CASES,
    *sim_late_cases.RETAIL_CASES,
    *sim_more_cases.RETAIL_CASES,
    *sim_held_cases.RETAIL_CASES,
)
OFFICE = sim_office_cases.CASES
DEPOT = (*sim_depot_cases.CASES, *sim_fresh_cases.DEPOT_CASES, *sim_late_cases.DEPOT_CASES, *sim_held_cases.DEPOT_CASES)
MALL = (*sim_mall_cases.CASES, *sim_last_cases.CASES, *sim_more_cases.MALL_CASES, *sim_held_cases.MALL_CASES)
BATCHES: tuple[tuple[str, World, tuple[Case, ...]], ...] = (
    ("retail", sim_retail.RETAIL, RETAIL),
    ("office", sim_office.OFFICE, OFFICE),
    ("depot", sim_depot.DEPOT, DEPOT),
    ("mall", sim_mall.MALL, MALL),
)  # fmt: skip
CHINESE_MALL = (sim_mall_zh.MALL_ZH, tuple(dataclasses.replace(c, only=None if c.only is None else [n for n, old in sim_mall_zh.NAMES.items() if old in c.only]) for c in MALL))  # fmt: skip

PERFECT: Mapping[str, object] = {"haste": 0, "check": 1, "care": 1, "repair": 1, "comply": 1, "invent": 0, "noise": 0}
"""Traits without any weakness: what is left is what the algorithm cannot read."""


def every() -> Iterator[tuple[World, Case]]:
    """All requests with their world."""
    for _, world, cases in BATCHES:
        for case in cases:
            yield world, case
