"""The version of the rules. It rises whenever a grading could come out differently; two versions are never compared."""

from __future__ import annotations

GRADER_VERSION = "1"
