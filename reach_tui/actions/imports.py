"""Logs that others wrote, taken into a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reach_tui.harness.ingest import IngestReport, ingest

OnTrial = Callable[[int, int, str], None]
"""Told (trials stored, trials found so far, where the last one stands)."""


def take_in(path: Path, logs: Sequence[Path], on_trial: OnTrial | None = None) -> IngestReport:
    """Store what is new in files and folders; the report says in which file it is. Errors as `ingest` has them."""
    return ingest(path, logs, progress=on_trial)
