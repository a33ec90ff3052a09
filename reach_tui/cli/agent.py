"""`reach agent serve`."""

from __future__ import annotations

from pathlib import Path

import click

from reach_tui.actions.serving import open_server
from reach_tui.cli.options import say
from reach_tui.core.errors import ReachError
from reach_tui.present.language import phrase


@click.group("agent")
def agent_command() -> None:
    """Agents of this machine as a real endpoint."""


@agent_command.command("serve")
@click.option(
    "--suite", type=click.Path(path_type=Path), help="The suite whose tasks it shall know; needed to work on them."
)
@click.option("--agent", metavar="KIND", help="The kind to serve; else the one that can be.")
@click.option("--port", type=click.IntRange(0, 65535), default=8921, show_default=True, help="0 takes any free port.")
def serve(suite: Path | None, agent: str | None, port: int) -> None:
    """Serve simulated agents at /v1/chat/completions on 127.0.0.1 until Ctrl-C. The request names the model.

    A request names its task in `metadata` ({"task": ID}); without that, its first user message tells the task.
    """
    try:
        server, models = open_server(suite, agent, port)
    except OSError as error:
        raise ReachError(f"port {port}: {error.strerror or error}", hint="name another with --port") from None
    say(phrase("serving {models} (simulated) at {base_url}", models=", ".join(models), base_url=server.base_url))
    try:
        server.serve()
    except KeyboardInterrupt:
        say(phrase("stopped"))
    finally:
        server.close()
