"""Subjects: deterministic simulated agents that are handed a task's reference and fail by planted weaknesses.

They know no world and read no request. Their pass share says nothing of any model and nothing of a task's difficulty.
"""

from __future__ import annotations

from reach_tui.contrib.subjects.kind import SubjectsKind

SIMULATED = SubjectsKind()
