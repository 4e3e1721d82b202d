"""What the commands share: options, errors in one sentence, progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from workings.scenario import Scenario

T = TypeVar("T")


def plainly(command: Callable[..., None]) -> Callable[..., None]:
    """Turn our errors into one sentence on stderr and exit code 2."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        from workings.errors import UserError  # noqa: PLC0415 - imported when a command runs

        try:
            command(*args, **kwargs)
        except UserError as error:
            click.echo(f"workings: {error.args[0] if error.args else error}", err=True)
            sys.exit(2)

    return run


def scenario_at(at: str | None, settings: dict[str, str]) -> Scenario | None:
    """The scenario of --at, or of a model and hardware that are set, with the settings put over it."""
    from workings.scenario import scenario_named  # noqa: PLC0415

    return scenario_named(at, settings)


def settings_of(
    pairs: tuple[str, ...], option: str = "--set", example: str = "N_fsdp=156"
) -> dict[str, str]:
    """NAME=VALUE pairs of an option."""
    from workings.values.settings import pair  # noqa: PLC0415 - imported when a command runs

    found: dict[str, str] = {}
    for given in pairs:
        read = pair(given)
        if read is None:
            raise click.UsageError(f"{option} {given}: expected NAME=VALUE, such as {example}")
        name, text = read
        if found.setdefault(name, text) != text:
            raise click.UsageError(f"{option} {name}: found it twice, expected one value for each name")
    return found


at_option = click.option(
    "--at", metavar="SCENARIO",
    help="A scenario: a TOML file, a model's config.json, or a preset's name (a scenario, a model or "
    "hardware).",
)  # fmt: skip
set_option = click.option(
    "--set", "pairs", multiple=True, metavar="NAME=VALUE",
    help="Give a letter, a concept or a result, here or further down, a value: N_fsdp=156, A='144 GB', "
    "model-state='1 TB'. What changes nothing is refused.",
)  # fmt: skip
job_set_option = click.option(
    "--set", "pairs", multiple=True, metavar="NAME=VALUE",
    help="Put a value over a key of the job: tp=4, launch.tp=4 or, by its letter in a review, t=4; "
    "communicator='2 GB'; model=llama3-70b and hardware=b200-sxm for another preset.",
)  # fmt: skip
notation_option = click.option(
    "--notation", metavar="NAME", help="Other letters: scaling-book, megatron or lecture."
)


def press_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What makes a PDF, and with which fonts."""
    command = click.option(
        "--font", "fonts", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
        help="A TrueType or OpenType font for signs of a PDF that Typst's own fonts do not hold, such as "
        "Chinese ones; may be given several times.",
    )(command)  # fmt: skip
    return click.option(
        "--pdf-engine", metavar="NAME",
        help="What makes the PDF: typst, if nothing else is said, or tex, the machine's pdflatex.",
    )(command)  # fmt: skip


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format text` or `json`, and `--json` for short."""
    command = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")(command)
    return click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
                        show_default=True, help="Words, or one JSON object.")(command)  # fmt: skip


def progress(items: Iterable[T], label: str, count: int) -> Iterator[T]:
    """The items; on a terminal, stderr says how far we are once a second has passed."""
    started = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            end = "\n" if number == count else ""
            click.echo(f"\r{label} {number}/{count}{end}", nl=False, err=True)
