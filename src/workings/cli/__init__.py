"""The command line. Commands are imported when they run, and import what they need: it starts quickly."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Mapping
from copy import copy
from importlib import import_module
from pathlib import Path

import click

# Each command by its name: the module it is in, what it is called there, and what it does in a few words,
# so that the list of commands imports none of them.
COMMANDS: Mapping[str, tuple[str, str, str]] = {
    "calibrate": ("sweeping", "calibrate", "Hold a job against what was measured of a run."),
    "check": ("checking", "check", "Check the derivations of documents."),
    "grade": ("grade", "grade", "Suggest marks for hand-ins by an answer key."),
    "diff": ("sweeping", "diff", "Say what changed between two reviews."),
    "handout": ("handout", "handout", "Write a variant of a handout for each student."),
    "lint": ("planning", "lint", "Say which rules of layouts a job breaks."),
    "list": ("showing", "list_", "List the derivations."),
    "measure": ("measuring", "measure", "Measure what this node reaches, with PyTorch."),
    "mutants": ("proofs", "mutants", "Break every formula and count what notices."),
    "plan": ("planning", "plan", "Search all layouts of a job."),
    "presets": ("showing", "presets", "List the presets, or show one."),
    "report": ("documents", "report", "Write reports from their source.md."),
    "review": ("planning", "review", "Write a design review of a job."),
    "show": ("showing", "show", "Show a derivation line by line, with reasons and source."),
    "simplify": ("values", "simplify", "Print the closed form that SymPy finds by itself."),
    "site": ("site", "site", "Write the catalogue as a static site."),
    "size": ("sizing", "size", "Say which devices, and how many, keep to a budget and days."),
    "solve": ("values", "solve", "Solve a result for a letter."),
    "sweep": ("sweeping", "sweep", "Work a job out over many values."),
    "value": ("values", "value", "Evaluate a derivation: symbolic = substituted = value."),
    "verify": ("proofs", "verify", "Prove every step and run every oracle."),
    "work": ("values", "value", "The same as value."),
}


class Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module, name, says = COMMANDS[cmd_name]
        found = getattr(import_module(f"workings.cli.{module}"), name)
        if not isinstance(found, click.Command):
            raise AssertionError(f"{module}.{name} is no command")
        if cmd_name == "work":
            found = copy(found)
            found.help = says
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, _, says) in sorted(COMMANDS.items())])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workings")
@click.option("--derivations", metavar="DIR", type=click.Path(path_type=Path),
              help="A folder with formulas of your own, whose Python runs.")  # fmt: skip
def main(derivations: Path | None) -> None:
    """Show and check the workings of large-model training and serving."""
    if derivations is not None:
        _add(derivations)
    # A process that ends gives back all its memory: searching it for cycles first takes 10 to 20 ms.
    atexit.register(gc.freeze)


def _add(folder: Path) -> None:
    """Somebody's own formulas beside ours."""
    from workings import catalogue  # noqa: PLC0415
    from workings.cli.options import plainly  # noqa: PLC0415

    plainly(catalogue.add)(folder)
