"""The command line. Commands import what they need when they run, so that help is instant."""

from __future__ import annotations

import atexit
import gc
from copy import copy

import click

from workings.cli.checking import check
from workings.cli.documents import report
from workings.cli.planning import lint, plan, review
from workings.cli.proofs import mutants, verify
from workings.cli.showing import list_, presets, show
from workings.cli.sweeping import calibrate, diff, sweep
from workings.cli.values import simplify, solve, value


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workings")
def main() -> None:
    """Show and check the workings of large-model training."""
    # A process that ends gives back all its memory: searching it for cycles first takes 10 to 20 ms.
    atexit.register(gc.freeze)


for command in (list_, show, presets, value, solve, simplify, verify, mutants, report, check,
                review, plan, lint, sweep, calibrate, diff):  # fmt: skip
    main.add_command(command)
work = copy(value)
work.help = "The same as value."
main.add_command(work, "work")
