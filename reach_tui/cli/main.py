"""The group of all commands. Each is imported only when it is called: `reach runs` shall not pay for the rest."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Sequence

import click

from reach_tui.cli.opening import AppFace, open_app, refused
from reach_tui.core.errors import ReachError
from reach_tui.core.version import __version__
from reach_tui.present.language import phrase

COMMANDS = {
    "run": ("reach_tui.cli.run", "Run a suite against an agent"),
    "stop": ("reach_tui.cli.run", "Cancel or pause a run from anywhere"),
    "runs": ("reach_tui.cli.runs", "List runs, branches under their parents"),
    "show": ("reach_tui.cli.show", "Show a run, a trial, one step of it, or an experiment"),
    "branch": ("reach_tui.cli.branch", "Re-run failing tasks with exactly one factor changed, beside a control arm"),
    "compare": ("reach_tui.cli.compare", "Compare runs, paired by task"),
    "import": ("reach_tui.cli.imports", "Read trajectories that others wrote"),
    "demo": ("reach_tui.cli.demo", "Take the tour"),
    "suite": ("reach_tui.cli.suite", "Check suite files and make new ones"),
    "sandbox": ("reach_tui.cli.sandbox", "Look into sandboxes, begin one of your own"),
    "store": ("reach_tui.cli.store", "Look after a store"),
    "agent": ("reach_tui.cli.agent", "Serve simulated agents over HTTP"),
    "doctor": ("reach_tui.cli.doctor", "Say what is installed and what is wrong with it"),
    "keys": ("reach_tui.cli.app", "List the keys of the app"),
}
"""Command, the module that holds it, and the line that `--help` shows without importing it."""

EXIT_CODES = (
    "Exit codes: 0 completed, whatever came out; 1 a command that answers yes or no said no, or an import skipped "
    "something; 2 the request was wrong; 3 it could not be done."
)


class LazyGroup(click.Group):
    """A group that knows its commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command; unknown names give None, and click says what is near."""
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table above."""
        with formatter.section(phrase("Commands")):
            formatter.write_dl([(name, phrase(line)) for name, (_, line) in COMMANDS.items()])


@functools.cache
def _command(name: str) -> click.Command:
    module = importlib.import_module(COMMANDS[name][0])
    command: click.Command = getattr(module, name.replace("-", "_") + "_command")
    _speak_help(command)
    return command


def _speak_help(command: click.Command) -> None:
    """Put the help texts of a command, and of what is in it, into the language that is spoken; once a process."""
    command.help, command.epilog = (text and phrase(inspect.cleandoc(text)) for text in (command.help, command.epilog))
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            parameter.help = phrase(parameter.help)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _speak_help(inner)


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="reach")
@click.option("--store", metavar="FILE", help="The store; else REACH_STORE, else ./runs.db.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal's own selection.")
@click.pass_context
def reach(ctx: click.Context, store: str | None, no_mouse: bool) -> None:
    """Run task suites against a tool-calling agent, replay every trial beside its state, find the factor at fault.

    Without a command, `reach` opens the app.
    """
    if ctx.invoked_subcommand is None:
        open_app(ctx.obj, store, mouse=not no_mouse)


@functools.cache
def _speak_whole() -> None:
    _speak_help(reach)


def run(arguments: Sequence[str], app: AppFace) -> int:
    """Run one command line, with the app that it may open; its exit code.

    A user's mistake is told on standard error, never with a traceback.
    """
    if any("\udc80" <= sign <= "\udcff" for argument in arguments for sign in argument):
        print("reach: an argument is not UTF-8 text", file=sys.stderr)
        return 2
    try:
        _speak_whole()
        result = reach.main(args=list(arguments), prog_name="reach", standalone_mode=False, obj=app)
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        return 2
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return 3
    except ReachError as error:
        return refused(error)
    except BrokenPipeError:
        # Whoever read our output has read enough.
        sys.stderr.close()
        return 0
