"""What the agent is told of a tool comes from the function itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.sandbox.schema import Keywords, schema_of
from reach_tui.sandbox.tool import compiled, tool
from reach_tui.sandbox.transaction import World


def test_signature_and_docstring_become_what_the_agent_sees() -> None:
    @tool(effect="write", entity="orders", entity_arg="order_id", claims=("done it",))
    def ship(
        w: World,
        order_id: Annotated[str, "The order."],
        speed: Literal["slow", "fast"] = "slow",
        gift: bool = False,
        note: Annotated[str | None, "For the parcel.", Keywords(maxLength=10)] = None,
        parts: list[int] | None = None,
    ) -> dict[str, Any]:
        """Send an order.

        At once.
        """
        return {}

    spec = compiled(ship).spec
    assert (spec.name, spec.view.description) == ("ship", "Send an order.\n\nAt once.")
    assert (spec.entity, spec.entity_arg, spec.claims, spec.writes) == ("orders", "order_id", ("done it",), True)
    assert spec.view.parameters == {
        "type": "object",
        "properties": {
            "order_id": {"type": "string", "description": "The order."},
            "speed": {"type": "string", "enum": ["slow", "fast"], "default": "slow"},
            "gift": {"type": "boolean", "default": False},
            "note": {"type": ["string", "null"], "description": "For the parcel.", "maxLength": 10},
            "parts": {"type": ["array", "null"], "items": {"type": "integer"}},
        },
        "required": ["order_id"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("annotation", [set[str], str | int, Literal["a", 1], bytes, list])
def test_a_type_that_an_agent_cannot_be_told_about_is_refused_when_the_tool_is_written(annotation: Any) -> None:
    with pytest.raises((TypeError, IndexError)):
        schema_of(annotation)


def test_a_mark_that_does_not_fit_its_function_is_refused() -> None:
    def nothing(w: World) -> None:
        """Nothing."""

    with pytest.raises(TypeError, match="no parameter 'order_id'"):
        tool(effect="read", entity="orders", entity_arg="order_id")(nothing)
    with pytest.raises(TypeError, match="'read' or 'write'"):
        tool(effect="delete")(nothing)


def test_the_shop_has_eighteen_tools_with_sound_schemas_and_every_parameter_explained() -> None:
    specs = SANDBOX.specs()
    assert len(specs) == len({spec.name for spec in specs}) == 18
    for spec in specs:
        Draft202012Validator.check_schema(spec.view.parameters)
        assert spec.view.description
        assert all(parameter.get("description") for parameter in spec.view.parameters["properties"].values()), spec.name
        assert spec.entity is not None


def test_the_batch_tool_has_its_single_twin_beside_it() -> None:
    specs = {spec.name: spec for spec in SANDBOX.specs()}
    assert {name: spec.batch_of for name, spec in specs.items() if spec.batch_of} == {
        "check_stock_batch": "check_stock"
    }
    assert specs["check_stock"].effect == specs["check_stock_batch"].effect == "read"


def test_every_write_can_be_claimed_in_both_languages_and_no_phrase_by_two_tools() -> None:
    phrases: dict[str, str] = {}
    for spec in SANDBOX.specs():
        assert bool(spec.claims) is spec.writes, spec.name
        for phrase in spec.claims:
            assert phrases.setdefault(phrase, spec.name) == spec.name
        if spec.writes:
            assert any(phrase.isascii() for phrase in spec.claims)
            assert any(not phrase.isascii() for phrase in spec.claims)
