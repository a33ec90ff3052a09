"""`python -m reach_tui` and the `reach` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; errors of users are printed without a traceback."""
    from reach_tui.cli.opening import only_opens, open_at_once

    if only_opens(sys.argv[1:]):
        sys.exit(open_at_once(sys.argv[1:]))
    from reach_tui.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
