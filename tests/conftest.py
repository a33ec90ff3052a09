"""What holds for all tests: how wild inputs are drawn."""

from __future__ import annotations

import os

from hypothesis import settings

# On a machine that others use too, a slow example is no failure; in CI the same commit draws the same examples.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
