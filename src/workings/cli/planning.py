"""`review`, `plan`, `lint`: a job's design review, the layouts worth considering, the rules it breaks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workings.cli.jobs import MIN_MFU, apart, job_options, one_thread, trace_option
from workings.cli.options import plainly, press_options, settings_of
from workings.cli.printing import FORMATS
from workings.errors import UserError

if TYPE_CHECKING:
    from workings.planning.job import Job
    from workings.planning.search import Objective
    from workings.planning.timeline import Timeline

LEFT_TO_SAY = (
    "note: these are the sizes of the model, its layout, batch and precision; left to say are data, "
    "tokenizer, learning rate, dropout (0.1 unless it is said), rotary base and scaling, losses of a "
    "router and checkpoints, and to torchrun the devices"
)


@click.command()
@job_options
@click.option("--max-days", help="The days that the run may take, such as 30 or '6 weeks'.")
@click.option("--max-cost", help="What the run may cost, such as '5M USD'.")
@click.option("--min-mfu", help=MIN_MFU)
@click.option("-o", "--output", type=click.Path(path_type=Path), show_default="review",
              help="Folder to write to.")  # fmt: skip
@click.option("--format", "formats", default="md,tex", show_default=True,
              help="md, tex, html, pdf or typ, several with commas; json prints what review.json holds, "
              "writes nothing.")  # fmt: skip
@press_options
@trace_option
@click.option("--check", is_flag=True, help="Compare with what is there; exit 1 on a difference.")
@plainly
def review(
    file: Path | None, pairs: tuple[str, ...], output: Path | None, formats: str, check: bool,
    pdf_engine: str | None, fonts: tuple[Path, ...], trace: Path | None, **options: str | None,
) -> None:  # fmt: skip
    """Write a design review of a job, and its workings: FILE, or options.

    Without a layout, the best is searched.
    """
    one_thread()
    from workings import api  # noqa: PLC0415
    from workings.contract import printed  # noqa: PLC0415
    from workings.render import reports  # noqa: PLC0415
    from workings.render.press import press_of  # noqa: PLC0415

    if formats.strip() == "json":
        beside = {"--check": check, "--font": fonts, "--pdf-engine": pdf_engine, "--trace": trace,
                  f"-o {output}": output}  # fmt: skip
        for option in (name for name, said in beside.items() if said):
            raise UserError(f"--format json: found {option} beside it, expected nothing to write")
        click.echo(printed(api.review(file, set=_job_settings(pairs), **options).to_dict()), nl=False)
        return
    kinds, folder = reports.parse_formats(formats), output or Path("review")
    press_of(pdf_engine, fonts, kinds)
    apart(file, trace)
    if check and trace:
        raise UserError("--check: found --trace beside it, expected nothing to write")
    found = api.review(file, set=_job_settings(pairs), **options)
    drawn = found.timeline() if trace else None
    made = found.files(kinds, pdf_engine=pdf_engine, fonts=fonts)
    if check:
        origin = f"its job, run `workings review {file} -o {folder}`"
        different = reports.differing(made, folder, origin)
        for line in different:
            click.echo(line, err=True)
        sys.exit(1 if different else 0)
    for path in reports.write_all(made, folder):
        click.echo(path)
    _traced(trace, drawn, found.name)
    click.echo(f"{found.verdict.said}: {found.verdict.reason}")


def _traced(path: Path | None, drawn: Timeline | None, name: str, *, err: bool = False) -> None:
    """Write a step as a trace, where it is asked for, and say in what it differs from the plan."""
    if path is None or drawn is None:
        return
    from workings.planning.output.trace import as_trace, difference  # noqa: PLC0415 - rarely needed
    from workings.system.files import write_atomically  # noqa: PLC0415 - the same

    write_atomically(path, as_trace(drawn, name))
    differs = difference(drawn)
    click.echo(f"{path}: {differs}" if differs else path, err=err)


def _job_settings(pairs: tuple[str, ...]) -> dict[str, str]:
    return settings_of(pairs, example="tp=4")


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
@click.option("--min-mfu", help=MIN_MFU)
@click.option(
    "--largest-tp",
    type=click.IntRange(1),
    help="The largest degree of tensor parallelism; the devices of a node if not given.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text",
              show_default=True)  # fmt: skip
@click.option("--megatron-arguments", "arguments", is_flag=True,
              help="Print the best layout as arguments of Megatron-LM instead.")  # fmt: skip
@click.option("--torchtitan-job", "titan", is_flag=True,
              help="Print the best layout as a job of torchtitan (TOML) instead.")  # fmt: skip
@trace_option
@plainly
def plan(
    file: Path | None, pairs: tuple[str, ...], objective: Objective, number: int, every: bool,
    only: tuple[str, ...], limit: float | None, largest_tp: int | None, form: str, arguments: bool,
    titan: bool, trace: Path | None, **options: str | None,
) -> None:  # fmt: skip
    """Search all layouts of a job for those worth considering: FILE, or options."""
    one_thread()
    from workings import api  # noqa: PLC0415
    from workings.contract import printed  # noqa: PLC0415
    from workings.planning.output import FORMATS  # noqa: PLC0415

    apart(file, trace)
    _one_output({"--megatron-arguments": arguments, "--torchtitan-job": titan, "--trace": bool(trace)})
    found = api.plan(
        file, set=_job_settings(pairs), objective=objective, number=number, every=every,
        only=settings_of(only, "--only", "tp=1,2"), limit=limit, largest_tp=largest_tp, progress=_bar(),
        **options,
    )  # fmt: skip
    if titan:
        click.echo(found.torchtitan_job(), nl=False)
        return
    if arguments:
        said = found.megatron_arguments()
        click.echo(" ".join(said))
        click.echo(LEFT_TO_SAY, err=True)
        if "--use-megatron-fsdp" in said:
            click.echo("set CUDA_DEVICE_MAX_CONNECTIONS to something other than 1", err=True)
        return
    as_json, drawn = form == "json", found.timeline() if trace else None
    click.echo(printed(found.to_dict()) if as_json else FORMATS[form](found.found, found.job), nl=False)
    _traced(trace, drawn, found.name, err=form != "text")
    for words in (*_harmless(found.left_out), *(words for _, words in _told(found.job))):
        click.echo(words, err=form != "text")


def _one_output(asked: Mapping[str, bool]) -> None:
    """Refuse two that each take the place of the table. Raises UserError."""
    given = [name for name, on in asked.items() if on]
    if len(given) > 1:
        raise UserError(f"{given[0]}: found {given[1]} beside it, expected nothing to write")


def _bar() -> Callable[[int, int], None]:
    """Progress on stderr, on a terminal, once a second has passed."""
    started = time.monotonic()

    def told(done: int, whole: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            click.echo(f"\rlayouts {done}/{whole}" + ("\n" if done == whole else ""), nl=False, err=True)

    return told


@click.command()
@job_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text",
              show_default=True)  # fmt: skip
@click.option("--verbose", is_flag=True, help="Also list the rules that hold or do not apply.")
@click.option("--strict", is_flag=True, help="Exit 1 on warnings too, not on errors alone.")
@plainly
def lint(
    file: Path | None, pairs: tuple[str, ...], form: str, verbose: bool, strict: bool,
    **options: str | None,
) -> None:  # fmt: skip
    """Say which rules of layouts a job breaks, why they matter and what would mend them.

    Without a layout, the one that a review would take is judged: the best that a search finds.
    """
    one_thread()
    from workings import api  # noqa: PLC0415
    from workings.cli.assumed import assumed_lines, wrapped  # noqa: PLC0415
    from workings.planning.rules.report import written  # noqa: PLC0415

    judged = api.lint(file, set=_job_settings(pairs), **options)
    shown = written(form, judged.findings, judged.file, judged.lines, verbose=verbose)
    searched, told = _harmless(judged.searched), _told(judged.job)
    if form == "text":
        *found, last = shown.splitlines()
        labelled = [f"search   {words}" for words in searched]
        heavy = [line for label, words in told for line in wrapped(f"{label:9}{words}")]
        shown = "\n".join([*labelled, *found, *heavy, *assumed_lines(judged.job), last]) + "\n"
    else:
        for words in (*searched, *(words for _, words in told)):  # beside what a program reads
            click.echo(f"workings: {words}", err=True)
    click.echo(shown, nl=False)
    sys.exit(1 if judged.errors or (strict and judged.warnings) else 0)


def _harmless(said: Sequence[str]) -> list[str]:
    """Sentences as they may be printed: a name in them may come from a file."""
    if not said:
        return []
    from workings.findings.visible import shortened  # noqa: PLC0415 - slow, rarely needed

    return [shortened(words) for words in said]


_LONG = 2000  # characters of what is told of several keys


def _told(job: Job) -> list[tuple[str, str]]:
    """What the job gives and the plan takes otherwise, or does not follow though it is heavy."""
    from workings.findings.visible import shortened  # noqa: PLC0415 - slow to load
    from workings.planning.unfollowed import told  # noqa: PLC0415 - the same

    return [(label, shortened(words, _LONG)) for label, words in told(job.noted)]
