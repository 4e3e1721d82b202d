"""`review`, `plan`, `lint`: a job's design review, the layouts worth considering, the rules it breaks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workings.cli.jobs import job_of, job_options
from workings.cli.options import plainly, settings_of
from workings.errors import UserError

if TYPE_CHECKING:
    from workings.planning.job import Job
    from workings.planning.rules import Finding
    from workings.planning.search import Objective, Result


@click.command()
@job_options
@click.option("--max-days", help="The days that the run may take, such as 30 or '6 weeks'.")
@click.option("--max-cost", help="What the run may cost, such as '5M USD'.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("review"),
              show_default=True, help="Folder to write to.")  # fmt: skip
@click.option("--format", "formats", default="md,tex", show_default=True, help="md, tex or both.")
@click.option("--check", is_flag=True, help="Compare with what is there; exit 1 on a difference.")
@plainly
def review(
    file: Path | None, pairs: tuple[str, ...], output: Path, formats: str, check: bool,
    **options: str | None,
) -> None:  # fmt: skip
    """Write a design review of a job: FILE, or options. Without a layout, the best is searched."""
    from workings.render import reports  # noqa: PLC0415
    from workings.review.build import review as reviewed  # noqa: PLC0415
    from workings.review.writing import files  # noqa: PLC0415

    kinds = reports.parse_formats(formats)
    found = reviewed(job_of(file, pairs, options))
    made = files(found, kinds)
    if check:
        origin = f"its job, run `workings review {file} -o {output}`"
        different = reports.differing(made, output, origin)
        for line in different:
            click.echo(line, err=True)
        sys.exit(1 if different else 0)
    for path in reports.write_all(made, output):
        click.echo(path)
    click.echo(f"{found.answer.said}: {found.answer.reason}")


_AXES = {
    "tp": "t", "cp": "c", "pp": "p", "ep": "e", "etp": "t_e", "virtual_stages": "v", "chunks": "v",
    "microbatch": "b_m", "micro": "b_m", "sp": "sequence_parallel",
}  # fmt: skip


# Options of a layout: a search keeps to them.
_FIXED = ("tp", "cp", "pp", "ep", "etp", "virtual_stages", "microbatch", "zero", "recompute",
          "sequence_parallel")  # fmt: skip
_VALUES = {
    "recompute": {"selective": "core"},
    "sequence_parallel": {"true": "yes", "false": "no", "1": "yes", "0": "no"},
}


@click.command()
@job_options
@click.option("--objective", type=click.Choice(["time", "memory", "cost"]), default="time",
              show_default=True, help="What is to be least.")  # fmt: skip
@click.option("-n", "--number", type=click.IntRange(1, 1000), default=10, show_default=True,
              help="Layouts to print.")  # fmt: skip
@click.option("--every", is_flag=True, help="Print variants of one mesh too, not the best of each.")
@click.option("--only", multiple=True, metavar="AXIS=VALUES",
              help="Restrict an axis: tp=1,2,4 or zero=3 or recompute=none,full.")  # fmt: skip
@click.option("--limit", type=click.FloatRange(0, 1, min_open=True), help="Share of the memory to use.")
@click.option(
    "--largest-tp",
    type=click.IntRange(1),
    help="The largest degree of tensor parallelism; the devices of a node if not given.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text",
              show_default=True)  # fmt: skip
@click.option("--megatron-arguments", "arguments", is_flag=True,
              help="Print the best layout as arguments of Megatron-LM instead.")  # fmt: skip
@plainly
def plan(
    file: Path | None, pairs: tuple[str, ...], objective: Objective, number: int, every: bool,
    only: tuple[str, ...], limit: float | None, largest_tp: int | None, form: str, arguments: bool,
    **options: str | None,
) -> None:  # fmt: skip
    """Search all layouts of a job for those worth considering: FILE, or options."""
    from workings.planning.best import kept  # noqa: PLC0415
    from workings.planning.choice import LOOKED_AT, named_first  # noqa: PLC0415
    from workings.planning.choice import wishes as asked_of  # noqa: PLC0415
    from workings.planning.output import FORMATS  # noqa: PLC0415
    from workings.planning.search import MESH, search  # noqa: PLC0415
    from workings.planning.stored import stored_plan  # noqa: PLC0415

    fixed = {name: options.pop(name) for name in tuple(options) if name in _FIXED}
    job = job_of(file, pairs, options)
    only = (*only, *(f"{name}={value}" for name, value in fixed.items() if value is not None))
    asked = {**kept(job), **(_axes(only) or {})}
    usual = asked_of(max(number, LOOKED_AT), int(job.values()["v"]) if job.chosen else 1)
    wishes = usual._replace(
        objective=objective, alike=() if every else MESH,
        limit=None if limit is None else Fraction(str(limit)), only=asked or None, largest_tp=largest_tp,
        most_chunks=None if "v" in asked or "virtual_stages" in asked else usual.most_chunks,
    )  # fmt: skip
    found = search(job, stored_plan(), wishes, _bar())
    if objective == "time":
        found = named_first(job, found, stored_plan())
    found = found._replace(best=found.best[:number])
    if not found.best:
        from workings.planning.nearest import nearest  # noqa: PLC0415 - not where a layout fits

        interrupted = f"{job.name}: interrupted before any layout was found"
        raise UserError(nearest(job, stored_plan(), wishes) if found.complete else interrupted)
    if arguments:
        from workings.planning.inputs.megatron.writing import megatron_arguments  # noqa: PLC0415

        said = _first_that_can_be_said(job, found, megatron_arguments)
        click.echo(" ".join(said))
        if "--use-megatron-fsdp" in said:
            click.echo("set CUDA_DEVICE_MAX_CONNECTIONS to something other than 1", err=True)
    else:
        click.echo(FORMATS[form](found, job), nl=False)
        for words in (*_left_out(job), *(words for _, words in _told(job))):
            click.echo(words, err=form != "text")


def _first_that_can_be_said(job: Job, found: Result, arguments: Callable[[Job], list[str]]) -> list[str]:
    """The arguments of the best layout that has any; uneven chunks have none. Raises JobError."""
    from workings.planning.job import JobError  # noqa: PLC0415

    problem: JobError | None = None
    for option in found.best:
        try:
            return arguments(job.with_values({n: Fraction(v) for n, v in option.layout.items()}))
        except JobError as error:
            problem = problem or error
    raise problem or AssertionError("a search that found nothing")


def _axes(pairs: tuple[str, ...]) -> dict[str, list[int | str]] | None:
    """`tp=1,2` as values by axis, by the search's names."""
    found: dict[str, list[int | str]] = {}
    for name, text in settings_of(pairs, "--only", "tp=1,2").items():
        values = [value.strip() for value in text.split(",")]
        axis = _AXES.get(name.replace("-", "_"), name)
        values = [_VALUES.get(axis, {}).get(value.lower(), value) for value in values]
        found[axis] = [int(value) if value.isdecimal() else value for value in values]
    return found or None


def _bar() -> Callable[[int, int], None]:
    """Progress on stderr, on a terminal, once a second has passed."""
    started = time.monotonic()

    def told(done: int, whole: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            click.echo(f"\rlayouts {done}/{whole}" + ("\n" if done == whole else ""), nl=False, err=True)

    return told


@click.command()
@job_options
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "sarif"]), default="text",
              show_default=True)  # fmt: skip
@click.option("--verbose", is_flag=True, help="Also the rules that hold or do not apply (text only).")
@click.option("--strict", is_flag=True, help="Exit 1 on warnings too, not on errors alone.")
@plainly
def lint(
    file: Path | None, pairs: tuple[str, ...], form: str, verbose: bool, strict: bool,
    **options: str | None,
) -> None:  # fmt: skip
    """Say which rules of layouts a job breaks, why they matter and what would mend them.

    Without a layout, the one that a review would take is judged: the best that a search finds.
    """
    from workings.cli.assumed import assumed_lines, wrapped  # noqa: PLC0415
    from workings.planning.idle import with_idle  # noqa: PLC0415
    from workings.planning.rules import lint as judged  # noqa: PLC0415
    from workings.planning.rules import tally  # noqa: PLC0415
    from workings.planning.rules.output import FORMATS, text  # noqa: PLC0415
    from workings.planning.stored import stored_plan  # noqa: PLC0415

    given = job_of(file, pairs, options)
    job, searched = _laid_out(given)
    job = with_idle(job, stored_plan())
    findings, name = judged(job), str(file) if file else "command line"
    lines = _lines(job, findings, file)
    if form == "text":
        *found, last = text(findings, name, lines, verbose=verbose).splitlines()
        labelled = [f"search   {words}" for words in searched]
        heavy = [line for label, words in _told(job) for line in wrapped(f"{label:9}{words}")]
        written = "\n".join([*labelled, *found, *heavy, *assumed_lines(job), last]) + "\n"
    else:
        written = FORMATS[form](findings, name, lines)
        beside = (*searched, *(words for _, words in _told(job)))
        for words in beside:  # the findings, which a program reads
            click.echo(f"workings: {words}", err=True)
    click.echo(written, nl=False)
    counts = tally(findings)
    sys.exit(1 if counts.errors or (strict and counts.warnings) else 0)


def _laid_out(job: Job) -> tuple[Job, list[str]]:
    """The job, with the best layout where it chooses none, and words on what was searched."""
    if job.chosen:
        return job, []
    from workings.planning.best import kept, with_best_layout  # noqa: PLC0415 - not where one is given
    from workings.planning.naming import named_at  # noqa: PLC0415 - the same
    from workings.planning.stored import stored_plan  # noqa: PLC0415 - the same

    best = with_best_layout(job, stored_plan())
    layout = named_at(best.values(), {})
    held = " and ".join(f"{name} {value}" for name, [value] in kept(job).items())
    which = f"with {held}, as given, " if held else ""
    taken = f"no layout is given; of those searched the fastest that fits {which}is judged"
    return best, [f"{taken}: {layout}", *_left_out(job)]


def _left_out(job: Job) -> list[str]:
    """What a search leaves out for the sizes of the job, in words."""
    from workings.planning.unsearched import unsearched  # noqa: PLC0415 - where one searches

    said = unsearched(job.figures)
    if not said:
        return []
    from workings.planning.rules.output.harmless import harmless  # noqa: PLC0415 - slow, rarely needed

    return [harmless(words) for words in said]


_LONG = 2000  # characters of what is told of several keys


def _told(job: Job) -> list[tuple[str, str]]:
    """What the job gives and the plan takes otherwise, or does not follow though it is heavy."""
    from workings.planning.rules.output.harmless import harmless  # noqa: PLC0415 - slow to load
    from workings.planning.unfollowed import told  # noqa: PLC0415 - the same

    return [(label, harmless(words, _LONG)) for label, words in told(job.noted)]


def _lines(job: Job, findings: Sequence[Finding], file: Path | None) -> Mapping[str, int]:
    """Where in the file each broken rule was decided; nowhere for a preset or options."""
    from workings.planning.rules.output import NOWHERE, places  # noqa: PLC0415

    if file is None or not file.is_file():
        return NOWHERE
    return places(job, findings, file.name, file.read_text(encoding="utf-8"))
