"""The bench, with its agents put in the harness's way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.counterfactual.experiment_bench import Bench, Chance


@pytest.fixture
def bench_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Bench]:
    def make(chance: Chance, **more: Any) -> Bench:
        bench = Bench(tmp_path, chance, **more)
        monkeypatch.setattr("reach_tui.harness.execute.open_agent", bench.open_agent)
        return bench

    return make
