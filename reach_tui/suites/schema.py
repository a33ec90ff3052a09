"""JSON Schemas for editors, made from the models: completion and checks while a suite is being typed."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from reach_tui.suites.expressions import OPERATORS
from reach_tui.suites.factors import FactorFileModel
from reach_tui.suites.fields import AS_TEXT, EXPRESSION
from reach_tui.suites.models import CoverageFileModel, SuiteModel

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The dialect that editors' YAML support reads."""

_ARGS = {"type": ["object", "null"]}
_SHORT_CALL = {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": _ARGS}
_CALLS = ("CallModel", "ReferenceCallModel")
_STATE = {
    "description": "A value, or a mapping of keys and operators that must all hold.",
    "if": {"type": "object"},
    "then": {
        "propertyNames": {"pattern": r"^([^$].*|\$(" + "|".join(operator[1:] for operator in OPERATORS) + r"))?$"},
        "additionalProperties": {"$ref": "#/$defs/StateExpression"},
    },
    "else": {"items": {"$ref": "#/$defs/StateExpression"}},
}


def json_schema() -> dict[str, Any]:
    """The schema of a suite file, in either layout."""
    full, coverage = _schema(SuiteModel), _schema(CoverageFileModel)
    definitions = {**full.pop("$defs"), **coverage.pop("$defs"), "StateExpression": _STATE}
    return {
        "$schema": DIALECT,
        "title": "reach suite",
        "if": {"required": ["task_suite"]},
        "then": coverage,
        "else": full,
        "$defs": definitions,
    }


def factor_schema() -> dict[str, Any]:
    """The schema of a factor library."""
    return {"$schema": DIALECT, **_schema(FactorFileModel), "title": "reach factor library"}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    schema: dict[str, Any] = _tidy(model.model_json_schema(by_alias=True))
    # Keys that begin with x- hold anchors.
    schema["patternProperties"] = {"^x-": {}}
    definitions = schema["$defs"]
    for name in _CALLS:
        if name in definitions:
            definitions[name] = {"anyOf": [AS_TEXT, definitions[name], _SHORT_CALL]}
    if "ExpectedToolsModel" in definitions:
        plain = {"type": "array", "items": {"$ref": "#/$defs/CallModel"}}
        definitions["ExpectedToolsModel"] = {"anyOf": [plain, definitions["ExpectedToolsModel"]]}
    return schema


def _tidy(value: Any) -> Any:
    """Without the titles and null defaults that models add, and with state expressions in their place."""
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get(EXPRESSION):
        return {"type": "object", "allOf": [{"$ref": "#/$defs/StateExpression"}]}
    kept = {}
    for key, inner in value.items():
        if (key == "title" and isinstance(inner, str)) or (key == "default" and inner is None):
            continue
        # Under `properties` and `$defs` the keys are names, not words of the schema.
        kept[key] = (
            {name: _tidy(each) for name, each in inner.items()} if key in ("properties", "$defs") else _tidy(inner)
        )
    return kept
