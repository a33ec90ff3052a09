"""Where a plan holds what looks like a secret."""

from __future__ import annotations

from reach_tui.core.pointer import get
from reach_tui.core.redaction import masked_at


def test_a_secret_is_named_by_a_pointer_that_leads_to_it() -> None:
    plan = {"setup": {"a/b~c": ["fine", "sk-" + "a1B2" * 12]}}
    where = masked_at(plan)
    assert where == "/setup/a~1b~0c/1"
    assert get(plan, where) == plan["setup"]["a/b~c"][1]
    assert masked_at({"setup": ["fine"]}) is None
