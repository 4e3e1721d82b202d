"""The command line. Commands are imported when they run, and import what they need: it starts quickly."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Mapping
from copy import copy
from importlib import import_module
from pathlib import Path

import click

from workings.cli.options import plainly

# Each command by its name: the module it is in, and what it is called there.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "list": ("showing", "list_"), "show": ("showing", "show"), "presets": ("showing", "presets"),
    "value": ("values", "value"), "work": ("values", "value"), "solve": ("values", "solve"),
    "simplify": ("values", "simplify"),
    "verify": ("proofs", "verify"), "mutants": ("proofs", "mutants"),
    "report": ("documents", "report"), "check": ("checking", "check"),
    "review": ("planning", "review"), "plan": ("planning", "plan"), "lint": ("planning", "lint"),
    "sweep": ("sweeping", "sweep"), "calibrate": ("sweeping", "calibrate"), "diff": ("sweeping", "diff"),
}  # fmt: skip


class Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        found = getattr(import_module(f"workings.cli.{module}"), name)
        if not isinstance(found, click.Command):
            raise AssertionError(f"{module}.{name} is no command")
        if cmd_name == "work":
            found = copy(found)
            found.help = "The same as value."
        return found


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workings")
@click.option("--derivations", metavar="DIR", type=click.Path(path_type=Path),
              help="A folder with formulas of your own, whose Python runs.")  # fmt: skip
def main(derivations: Path | None) -> None:
    """Show and check the workings of large-model training."""
    if derivations is not None:
        _add(derivations)
    # A process that ends gives back all its memory: searching it for cycles first takes 10 to 20 ms.
    atexit.register(gc.freeze)


@plainly
def _add(folder: Path) -> None:
    """Somebody's own formulas beside ours."""
    from workings import catalogue  # noqa: PLC0415

    catalogue.add(folder)
