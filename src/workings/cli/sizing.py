"""`size`: which devices, and how many of them, keep to a budget and to days."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workings.cli.jobs import MIN_MFU, job_options, one_thread
from workings.cli.options import plainly, settings_of
from workings.cli.sweeping import INTERRUPTED, bar


@click.command()
@job_options
@click.option("--budget", help="What the run may cost, such as 40M (USD); else max_cost of [review].")
@click.option("--days", help="The days that it may take, such as 90 or '6 weeks'; else max_days.")
@click.option("--min-mfu", help=MIN_MFU)
@click.option("--hardware", metavar="NAMES", help="Presets of devices, each perhaps with its USD an "
              "hour: h100-sxm=2,b200-sxm=3.5; the job's own device if not given.")  # fmt: skip
@click.option("--devices", metavar="NUMBERS", help="How many: 1024,2048, or 512..4096 by doubling; round "
              "what is needed if not given.")  # fmt: skip
@click.option("--repair", default="1 day", show_default=True,
              help="How long a failed node is away, for the number of spares.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text",
              show_default=True, help="A table and sentences, one JSON object, or rows.")  # fmt: skip
@plainly
def size(
    file: Path | None, pairs: tuple[str, ...], budget: str | None, days: str | None,
    hardware: str | None, devices: str | None, repair: str, form: str, **options: str | None,
) -> None:  # fmt: skip
    """Say which devices, and how many, keep to a budget and days: FILE, or options.

    For each the best layout is searched, whatever layout the job has.
    """
    one_thread()
    from workings.contract import printed  # noqa: PLC0415
    from workings.results.sized import sized  # noqa: PLC0415

    found = sized(
        file, settings_of(pairs, example="tp=4"), options, budget=budget, days=days, repair=repair,
        hardware=hardware, devices=devices, progress=bar(),
    )  # fmt: skip
    if form == "json":
        click.echo(printed(found.to_dict()), nl=False)
    else:
        click.echo(found.csv() if form == "csv" else str(found), nl=False)
    if not found.complete:
        sys.exit(INTERRUPTED)
