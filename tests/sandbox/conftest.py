"""Worlds for the sandbox tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.sandbox.world import OpenWorld


@pytest.fixture
def shop() -> Callable[..., OpenWorld]:
    """Opens a world of the shop: `shop()`, `shop({"orders": {...}}, key="other")`."""

    def open_one(overlay: dict[str, Any] | None = None, now: str | None = None, key: str = "trial") -> OpenWorld:
        return SANDBOX.open(overlay or {}, now, key)

    return open_one
