"""`python -m reach_tui` and the `reach` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; errors of users are printed without a traceback."""
    from reach_tui.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
