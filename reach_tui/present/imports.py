"""What an import did, in words and as JSON."""

from __future__ import annotations

from typing import Any

from reach_tui.core.records import to_json
from reach_tui.harness.ingest import IngestReport
from reach_tui.present.language import phrase


def import_json(report: IngestReport) -> dict[str, Any]:
    """As `reach import --json` prints it (see docs/json.md)."""
    return {
        "imported": report.imported, "already": report.already, "skipped": len(report.skipped),
        "runs": list(report.runs), "reasons": to_json(report.skipped), "store": str(report.store),
    }  # fmt: skip


def skipped_lines(report: IngestReport) -> list[str]:
    """A line for each file or record that was not taken in, with its reason."""
    return [
        (
            phrase("skipped {where}, line {line}: {reason}", where=left.where, line=left.line, reason=left.reason)
            if left.line
            else phrase("skipped {where}: {reason}", where=left.where, reason=left.reason)
        )
        for left in report.skipped
    ]


def import_line(report: IngestReport) -> str:
    """What came of it: counts, and where it is stored."""
    already = phrase(", {n} already there", n=report.already) if report.already else ""
    return phrase(
        "{imported} imported, {n} skipped{already}; stored in {store}",
        imported=report.imported,
        n=len(report.skipped),
        already=already,
        store=report.store,
    )
