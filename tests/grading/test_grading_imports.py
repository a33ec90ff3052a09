"""What looking at one part of grading costs, in modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

import reach_tui.grading


def loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_loads_nothing_of_itself() -> None:
    assert not [name for name in loaded_by("import reach_tui.grading") if name.startswith("reach_tui.grading.")]


def test_the_state_table_loads_no_detector_no_lexicon_and_no_pattern_engine() -> None:
    loaded = loaded_by("from reach_tui.grading import StateTable")
    assert "reach_tui.grading.state.table" in loaded
    assert not [name for name in loaded if ".detectors" in name or "lexicon" in name]
    assert not {"regex", "deepdiff", "jsonschema", "pydantic", "sqlite3", "textual"} & loaded


def test_grading_loads_the_pattern_engine_only_for_a_pattern() -> None:
    assert "regex" not in loaded_by("from reach_tui.grading import grade, matches\nmatches({'a': 1}, {})")
    assert "regex" in loaded_by("from reach_tui.grading import matches\nmatches({'$regex': 'a'}, 'a')")


def test_every_public_name_is_there_whatever_was_imported_before() -> None:
    code = "import reach_tui.grading.grader\nfrom reach_tui.grading import grade\nassert callable(grade)"
    assert "reach_tui.grading.grader" in loaded_by(code)
    for name in reach_tui.grading.__all__:
        assert getattr(reach_tui.grading, name) is not None
    with pytest.raises(AttributeError):
        reach_tui.grading.nothing_of_the_kind  # noqa: B018
