"""`reach agent serve`."""

from __future__ import annotations

import click

from reach_tui.agents.serve import ModelServer
from reach_tui.agents.simulated import MODELS
from reach_tui.cli.options import say
from reach_tui.core.errors import ReachError
from reach_tui.present.language import phrase


@click.group("agent")
def agent_command() -> None:
    """Simulated models as a real endpoint."""


@agent_command.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), default=8921, show_default=True, help="0 takes any free port.")
def serve(port: int) -> None:
    """Serve the simulated models at /v1/chat/completions on 127.0.0.1 until Ctrl-C. The request names the model."""
    try:
        server = ModelServer(port)
    except OSError as error:
        raise ReachError(f"port {port}: {error.strerror or error}", hint="name another with --port") from None
    say(phrase("serving {models} (simulated) at {base_url}", models=", ".join(MODELS), base_url=server.base_url))
    try:
        server.serve()
    except KeyboardInterrupt:
        say(phrase("stopped"))
    finally:
        server.close()
