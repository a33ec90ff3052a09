"""Factor libraries: named variants of one part."""

from __future__ import annotations

from pathlib import Path

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.suites.factors import find_factor, load_factors
from reach_tui.suites.problems import SuiteProblems

SHIPPED = sorted((Path(__file__).parents[2] / "suites" / "factors").glob("*.yaml"))

LIBRARY = """\
x-note: &n "sham: says nothing"
factors:
  - name: clearer
    kind: tool_description
    target: track_shipment
    text: Where a parcel is now.
    note: better, says what it finds
  - {name: 007, kind: parameter_description, target: /tools/a~1b/parameters/id/description, text: 12, note: worse}
  - {name: prompt, kind: prompt, text: prompts/p.md, note: *n}
  - {name: small, kind: model, value: careful-1, note: better}
  - {name: far, kind: model, value: {id: m, base_url: http://x, options: {top_k: 1}}, target: /model, note: better}
"""


def library(tmp_path: Path, text: str) -> Path:
    (tmp_path / "prompts").mkdir(exist_ok=True)
    (tmp_path / "prompts" / "p.md").write_text("Be kind.\n", "utf-8")
    path = tmp_path / "f.yaml"
    path.write_text(text, "utf-8")
    return path


def problems(tmp_path: Path, text: str) -> list[str]:
    path = library(tmp_path, text)
    with pytest.raises(SuiteProblems) as caught:
        load_factors(path)
    return [str(problem).removeprefix(f"{path}:") for problem in caught.value.problems]


def test_every_variant_says_what_it_changes_and_to_what(tmp_path: Path) -> None:
    variants = load_factors(library(tmp_path, LIBRARY))
    assert [
        (variant.name, variant.kind, variant.target, variant.part, variant.text, variant.value, variant.effect)
        for variant in variants
    ] == [
        (
            "clearer",
            "tool_description",
            "track_shipment",
            "/tools/track_shipment/description",
            "Where a parcel is now.",
            None,
            "better",
        ),
        (
            "007",
            "parameter_description",
            "/tools/a~1b/parameters/id/description",
            "/tools/a~1b/parameters/id/description",
            "12",
            None,
            "worse",
        ),
        ("prompt", "prompt", "/prompt", "/prompt", "Be kind.\n", None, "sham"),
        ("small", "model", "/model", "/model", None, {"id": "careful-1"}, "better"),
        (
            "far",
            "model",
            "/model",
            "/model",
            None,
            {"id": "m", "base_url": "http://x", "options": {"top_k": 1}},
            "better",
        ),
    ]
    assert [variant.needs_trust for variant in variants] == [False, False, False, False, True]


def test_everything_that_is_wrong_is_said_at_once_with_its_place(tmp_path: Path) -> None:
    text = """\
factors:
  - {name: a, kind: tool_description, text: x, note: good}
  - {name: a, kind: tool_description, target: /tools/t/descr, text: x, note: better}
  - {name: b, kind: parameter_description, target: t, note: worse}
  - {name: c, kind: prompt, text: ../p.md, value: 3, note: sham}
  - {name: d, kind: model, text: x, value: {idd: m}, note: sham}
  - {name: e, kind: model, value: {id: m, key: k}, note: sham}
  - {name: f, kind: prompt, target: /model, text: x, note: sham}
"""
    assert problems(tmp_path, text) == [
        "2:5: /factors/0: `target` is missing: the tool whose tool description changes",
        "2:54: /factors/0/note: a note begins with better, worse or sham, not 'good'",
        "3:12: /factors/1/name: variant `a` twice: in line 2 and again in line 3",
        "3:47: /factors/1/target: expected a tool's name, or /tools/TOOL/description",
        "4:5: /factors/2: `text` is missing: the new parameter_description",
        "4:52: /factors/2/target: expected /tools/TOOL/parameters/NAME/description",
        "5:35: /factors/3/text: the prompt file lies outside the folder of this file: ../p.md",
        "5:51: /factors/3/value: a prompt has a `text`, not a `value`",
        "6:34: /factors/4/text: a model has a `value`, not a `text`",
        "6:44: /factors/4/value: expected a model id, or a mapping with `id`",
        "7:35: /factors/5/value: unknown key `key` in a model; it has id, provider, base_url, options",
        "8:37: /factors/6/target: the target of a prompt is /prompt, or left out",
    ]


def test_the_same_rules_of_yaml_hold_here(tmp_path: Path) -> None:
    messages = problems(tmp_path, "factors:\n  - {name: a, name: b, kind: promt, txt: x, note: sham}\nfactor: []\n")
    assert messages == [
        "2:15: /factors/0/name: key `name` twice: in line 2 and again in line 2",
        "2:30: /factors/0/kind: 'promt' is not one of prompt, tool_description, parameter_description, model "
        "(did you mean prompt?)",
        "2:37: /factors/0/txt: unknown key `txt` (did you mean text?)",
        "3:1: /factor: unknown key `factor` (did you mean factors?)",
    ]
    assert problems(tmp_path, "factors: []\n") == ["1:10: /factors: expected at least one entry, found an empty list"]
    assert problems(tmp_path, "- a\n") == ["1:1: expected `factors`, found a list of 1"]


def test_a_variant_is_found_by_its_name(tmp_path: Path) -> None:
    variants = load_factors(library(tmp_path, LIBRARY))
    assert find_factor(variants, "small").kind == "model"
    with pytest.raises(UsageError, match=r"no factor variant `clearr` \(did you mean clearer\?\)"):
        find_factor(variants, "clearr")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_libraries_that_ship_load(path: Path) -> None:
    assert load_factors(path)
