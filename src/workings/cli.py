"""The command line. Commands import what they need when they run, so that help is instant."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from workings.derivation import Derivation
    from workings.scenario import Scenario

T = TypeVar("T")


def _plainly(command: Callable[..., None]) -> Callable[..., None]:
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


def _scenario(at: str | None, settings: dict[str, str]) -> Scenario | None:
    from workings.scenario import load_scenario  # noqa: PLC0415

    return load_scenario(at, settings) if at else None


def _settings(pairs: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--set {pair}: expected NAME=VALUE, such as N_fsdp=156")
        found[name.strip()] = text.strip()
    return found


at_option = click.option("--at", metavar="SCENARIO", help="A scenario: a preset's name or a TOML file.")
set_option = click.option(
    "--set", "pairs", multiple=True, metavar="NAME=VALUE",
    help="Give a letter, a concept or a used result a value, such as N_fsdp=156 or A='144 GB'.",
)  # fmt: skip
notation_option = click.option(
    "--notation", metavar="NAME", help="Other letters: scaling-book, megatron or lecture."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workings")
def main() -> None:
    """Show and check the workings of large-model training."""


@main.command("list")
@click.argument("topic", required=False)
@click.option("--topic", "named", metavar="TOPIC", help="The same as the argument.")
@click.option("--search", metavar="WORDS", help="Only those whose id or title has all these words.")
@_plainly
def list_(topic: str | None, named: str | None, search: str | None) -> None:
    """List the derivations (of a TOPIC)."""
    from workings import catalogue  # noqa: PLC0415
    from workings.render.text import list_text  # noqa: PLC0415

    topic = named or topic
    found = catalogue.every(topic)
    if not found:
        known = ", ".join(name.replace("_", " ") for name in catalogue.topics())
        raise catalogue.UnknownDerivationError(f"no topic {topic!r}, expected one of {known}")
    words = (search or "").lower().split()
    found = tuple(w for w in found if all(word in f"{w.id} {w.title}".lower() for word in words))
    if not found:
        raise catalogue.UnknownDerivationError(f"--search {search}: found in no id or title")
    click.echo(list_text(found))


@main.command()
@click.argument("id")
@click.option("--format", "form", type=click.Choice(["text", "md", "tex"]), default="text")
@notation_option
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@_plainly
def show(id: str, form: str, notation: str | None, templates: Path | None) -> None:  # noqa: A002
    """Show a derivation line by line, with reasons, verdicts and source."""
    from workings import catalogue  # noqa: PLC0415

    what = catalogue.get(id)
    if form == "text":
        from workings.notation import glyphs_named  # noqa: PLC0415
        from workings.render.text import derivation_text  # noqa: PLC0415

        click.echo(derivation_text(what, glyphs_named(notation)))
        return
    from workings.render.show import derivation_fragment  # noqa: PLC0415

    click.echo(derivation_fragment(what, form, templates, notation), nl=False)


@main.command()
@click.argument("id")
@at_option
@set_option
@json_option
@notation_option
@click.option("--digits", type=click.IntRange(1, 30), default=5, show_default=True)
@_plainly
def value(
    id: str,  # noqa: A002 - click's argument name
    at: str | None,
    pairs: tuple[str, ...],
    as_json: bool,
    notation: str | None,
    digits: int,
) -> None:
    """Evaluate a derivation exactly: symbolic = substituted = value."""
    from workings import catalogue  # noqa: PLC0415
    from workings.notation import glyphs_named, letters_in, settings_renamed  # noqa: PLC0415
    from workings.render.text import worked_json, worked_text  # noqa: PLC0415
    from workings.units import Format  # noqa: PLC0415
    from workings.worked import work  # noqa: PLC0415

    what, glyphs = catalogue.get(id), glyphs_named(notation)
    settings = settings_renamed(_settings(pairs), what, letters_in(what, glyphs))
    worked = work(what, _scenario(at, settings), settings, Format(digits=digits))
    shown = json.dumps(worked_json(worked), ensure_ascii=False) if as_json else ""
    click.echo(shown or worked_text(worked, glyphs))


main.add_command(value, "work")


@main.command()
@click.argument("id")
@click.argument("condition", required=False)
@click.option("--for", "letter", required=True, metavar="LETTER", help="The letter to solve for.")
@at_option
@set_option
@json_option
@notation_option
@_plainly
def solve(
    id: str,  # noqa: A002 - click's argument name
    condition: str | None,
    letter: str,
    at: str | None,
    pairs: tuple[str, ...],
    as_json: bool,
    notation: str | None,
) -> None:
    """Solve a result for a LETTER.

    With a CONDITION such as "< 95 GB": the smallest whole number that keeps it, with the values
    there and one before. Without: the closed form.
    """
    from workings import catalogue  # noqa: PLC0415
    from workings.notation import glyphs_named, letters_in, settings_renamed  # noqa: PLC0415
    from workings.render.text_solving import closed_forms_text, solution_json, solution_text  # noqa: PLC0415
    from workings.solving import closed_forms  # noqa: PLC0415
    from workings.solving import solve as solve_for  # noqa: PLC0415

    what = catalogue.get(id)
    letters = letters_in(what, glyphs_named(notation))
    settings = settings_renamed(_settings(pairs), what, letters)
    letter = next(iter(settings_renamed({letter: ""}, what, letters)))
    if condition is None:
        click.echo(closed_forms_text(letter, closed_forms(what, letter), letters))
        return
    found = solve_for(what, condition, letter, _scenario(at, settings), settings)
    shown = json.dumps(solution_json(what, found)) if as_json else ""
    click.echo(shown or solution_text(what, found, letters))


@main.command()
@click.argument("id")
@notation_option
@_plainly
def simplify(id: str, notation: str | None) -> None:  # noqa: A002 - click's argument name
    """Print the closed form that SymPy finds by itself from the first line."""
    from workings import catalogue  # noqa: PLC0415
    from workings.formula import plain  # noqa: PLC0415
    from workings.notation import glyphs_named, letters_in, renamed  # noqa: PLC0415
    from workings.record import sympy_form  # noqa: PLC0415

    what = catalogue.get(id)
    letters = letters_in(what, glyphs_named(notation))
    form = plain(renamed(sympy_form(what), letters), units=False)
    relation = "=" if what.head else what.condition.rest[0][0]
    click.echo(f"{letters[what.head or what.solved_letter or '']} {relation} {form}")


@main.command()
@click.argument("id", required=False)
@click.option("--stale", is_flag=True, help="Only what has changed since it was verified.")
@click.option("--dry-run", is_flag=True, help="Do not write verified.json.")
@_plainly
def verify(id: str | None, stale: bool, dry_run: bool) -> None:  # noqa: A002 - click's argument names
    """Prove every step and run every oracle; exit 1 if anything is refuted."""
    from workings import catalogue, verified  # noqa: PLC0415
    from workings.parallel import in_parallel  # noqa: PLC0415
    from workings.record import checked  # noqa: PLC0415
    from workings.render.text_solving import report_row, verify_header  # noqa: PLC0415

    wanted = (catalogue.get(id),) if id else catalogue.every()
    chosen = [what.id for what in wanted if not (stale and verified.fresh(what))]
    entries, refuted = {}, []
    click.echo(verify_header())
    for found, entry in _progress(in_parallel(checked, chosen), "verifying", len(chosen)):
        entries[found.id] = entry
        refuted += list(found.refutations())
        click.echo(report_row(found))
    if not dry_run:
        verified.save(entries, catalogue.files())
    for sentence in refuted:
        click.echo(f"refuted: {sentence}", err=True)
    sys.exit(1 if refuted else 0)


@main.command()
@click.argument("id", required=False)
@click.option("--stale", is_flag=True, help="Only what has changed since it was broken.")
@click.option("--dry-run", is_flag=True, help="Do not write mutants.json.")
@_plainly
def mutants(id: str | None, stale: bool, dry_run: bool) -> None:  # noqa: A002 - click's argument names
    """Break every formula, one place at a time, and count what notices; exit 1 if nothing does."""
    from workings import catalogue, tally  # noqa: PLC0415
    from workings.parallel import in_parallel  # noqa: PLC0415
    from workings.render.text_solving import tally_header, tally_row  # noqa: PLC0415

    wanted = (catalogue.get(id),) if id else catalogue.every()
    chosen = [what.id for what in wanted if not (stale and tally.fresh(what))]
    counts, left = {}, 0
    click.echo(tally_header())
    counted = _progress(in_parallel(tally.tally, chosen), "breaking", len(chosen))
    for name, found in zip(chosen, counted, strict=True):
        counts[name] = found
        unexplained = tally.unexplained(name, found)
        left += len(unexplained)
        click.echo(tally_row(name, found, unexplained))
    if not dry_run:
        tally.save(counts, catalogue.files())
    sys.exit(1 if left else 0)


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--format", "formats", default="md,tex", show_default=True, help="md, tex or both.")
@click.option("--as", "kind", type=click.Choice(["sheet", "solutions"]), default="solutions",
              help="A question sheet without answers, or with solutions.", show_default=True)  # fmt: skip
@click.option("--fragment", is_flag=True, help="No preamble, for LaTeX's \\input.")
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@notation_option
@click.option("--verify", "prove", is_flag=True, help="Verify what the report uses first.")
@click.option("--check", is_flag=True, help="Regenerate and compare bytes; exit 1 on a difference.")
@_plainly
def report(
    names: tuple[str, ...],
    output: Path | None,
    formats: str,
    kind: str,
    fragment: bool,
    templates: Path | None,
    notation: str | None,
    prove: bool,
    check: bool,
) -> None:
    """Write reports from their source.md: NAME under reports/, or a PATH; all without a name."""
    from workings.render import reports  # noqa: PLC0415

    options = reports.Options(
        formats=reports.parse_formats(formats), sheet=kind == "sheet", fragment=fragment,
        templates=templates, notation=notation,
    )  # fmt: skip
    sources = [reports.find(name) for name in names] or reports.every()
    if not sources:
        raise click.UsageError("found no reports/*/source.md here, expected a NAME or PATH")
    if output and len(sources) > 1:
        raise click.UsageError(f"-o {output}: found {len(sources)} reports for one folder")
    different: list[str] = []
    for source in _progress(sources, "reports", len(sources)):
        if prove:
            _verify_used(reports.used(source))
        made = reports.build(source, options)
        folder = output or source.parent
        if check:
            different += reports.differences(made, folder, source)
        else:
            for path in reports.write(made, folder):
                click.echo(path)
    for line in different:
        click.echo(line, err=True)
    sys.exit(1 if different else 0)


def _verify_used(used: Iterable[Derivation]) -> None:
    """Prove what a report uses, unless it is proved on file and unchanged since."""
    from workings import catalogue, verified  # noqa: PLC0415
    from workings.parallel import in_parallel  # noqa: PLC0415
    from workings.record import checked  # noqa: PLC0415

    stale = [what.id for what in used if verified.fresh(what) is None]
    done = _progress(in_parallel(checked, stale), "verifying", len(stale))
    verified.save({found.id: entry for found, entry in done}, catalogue.files())


def _progress(items: Iterable[T], label: str, count: int) -> Iterator[T]:
    """The items; on a terminal, stderr says how far we are once a second has passed."""
    started = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty() and time.monotonic() - started > 1:
            end = "\n" if number == count else ""
            click.echo(f"\r{label} {number}/{count}{end}", nl=False, err=True)
