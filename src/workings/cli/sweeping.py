"""`sweep`, `calibrate`, `diff`: a job over many values, against measurements, against another review."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from workings.cli.jobs import MIN_MFU, apart, job_options, one_thread
from workings.cli.options import job_set_option, plainly, settings_of

INTERRUPTED = 130  # as a shell says of Ctrl-C


@click.command()
@job_options
@click.option("--over", multiple=True, required=True, metavar="NAME=VALUES",
              help="What to go over: gpus=8..512 by doubling, seq=8k..64k..8k by steps, gpus=8..512..x8 "
              "by a factor, microbatch=1,2,4 as listed. Several give every combination.")  # fmt: skip
@click.option(
    "--best/--as-laid-out",
    default=None,
    help="The best layout of a search at each point, or the job's own; its own if it has one.",
)
@click.option("--weak", is_flag=True, help="Weak scaling: the batch grows with the devices.")
@click.option("--min-mfu", help=MIN_MFU)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="CSV file to write; else a table.")
@click.option(
    "--plot",
    "drawing",
    type=click.Path(path_type=Path),
    help="SVG file to draw, or a page with it where it ends in .html.",
)
@click.option("--of", "what", type=click.Choice(["mfu", "step", "memory", "tokens"]), default="mfu",
              show_default=True, help="What to draw.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="A table, or one JSON object.")  # fmt: skip
@plainly
def sweep(
    file: Path | None, pairs: tuple[str, ...], over: tuple[str, ...], best: bool | None, weak: bool,
    output: Path | None, drawing: Path | None, what: str, form: str, **options: str | None,
) -> None:  # fmt: skip
    """Work a job out over many values: FILE, or options; say why where a layout does not go."""
    one_thread()
    from workings.contract import printed  # noqa: PLC0415
    from workings.planning import sweeping  # noqa: PLC0415
    from workings.planning.sweeping.plot import drawable  # noqa: PLC0415
    from workings.results.swept import axes_of, swept  # noqa: PLC0415
    from workings.system.files import write_atomically  # noqa: PLC0415

    apart(file, output, drawing)
    axes, settings = axes_of(over), settings_of(pairs, example="tp=4")
    if drawing is not None:
        drawable(axes)
    found = swept(file, settings, options, axes, best=best, weak=weak, progress=bar())
    made: dict[Path, str] = {}
    if output is not None and found.points:
        made[output] = found.csv()
    if drawing is not None and any(point.values for point in found.points):
        made[drawing] = found.html(what) if drawing.suffix == ".html" else found.svg(what)
    for path, content in made.items():
        write_atomically(path, content)
        click.echo(path, err=form == "json")
    table = str(found) if output is None else f"{sweeping.summary(found.found)}\n"
    click.echo(printed(found.to_dict()) if form == "json" else table, nl=False)
    if not found.complete:
        sys.exit(INTERRUPTED)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("measured", type=click.Path(path_type=Path))
@job_set_option
@click.option(
    "--fit", metavar="NAME", help="The efficiency to fit: matmul_efficiency if nothing is said."
)
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="TOML file to write: [assume] for the job file.")  # fmt: skip
@plainly
def calibrate(
    file: Path, measured: Path, pairs: tuple[str, ...], fit: str | None, output: Path | None
) -> None:
    """Hold the job of FILE against what MEASURED says of a run, and put it in place of assumptions.

    MEASURED is TOML: step_time, peak_memory (every byte in use on the fullest device, as nvidia-smi has
    it), mfu, tokens_per_second, flops_per_device, and assumptions by name. One efficiency is fitted to
    the step time; the peak settles the accounts of memory that nobody measures. Exit code 1 where no
    value of the efficiency gives the step time, or the peak lies above the worst case of the plan.
    """
    one_thread()
    from workings.planning import calibration  # noqa: PLC0415
    from workings.planning.calibrating import output as written  # noqa: PLC0415
    from workings.planning.calibrating.measured import measured_of  # noqa: PLC0415
    from workings.planning.inputs.asked import reading  # noqa: PLC0415
    from workings.planning.stored import stored_plan  # noqa: PLC0415
    from workings.system.files import write_atomically  # noqa: PLC0415

    apart(file, measured, output)
    read = reading(file, settings_of(pairs, example="tp=4"), {})
    found = calibration.calibrate(read, measured_of(measured), stored_plan(), fit)
    click.echo(written.text(found), nl=False)
    if output is not None:
        write_atomically(output, written.as_toml(found))
        click.echo(output)
    if not found.explained:
        sys.exit(1)


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "md"]), default="text",
              show_default=True)  # fmt: skip
@plainly
def diff(old: Path, new: Path, form: str) -> None:
    """Say what changed between two reviews, folders with a review.json: the most important first.

    Exit code 0 where nothing changed, 1 where something did.
    """
    from workings.review.comparing import changes_between  # noqa: PLC0415
    from workings.review.differences import FORMATS  # noqa: PLC0415
    from workings.review.recorded import read_review  # noqa: PLC0415

    changes = changes_between(read_review(old), read_review(new))
    click.echo(FORMATS[form](changes), nl=False)
    sys.exit(1 if changes else 0)


def bar() -> Callable[[int, int], None]:
    """Progress on stderr, on a terminal, once a second has passed."""
    import time  # noqa: PLC0415

    started = time.monotonic()

    def told(done: int, whole: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            click.echo(f"\rpoints {done}/{whole}" + ("\n" if done == whole else ""), nl=False, err=True)

    return told
