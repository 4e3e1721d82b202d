"""`report`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from workings.cli.options import notation_option, plainly, press_options, progress, settings_of
from workings.errors import UserError

if TYPE_CHECKING:
    from workings.derivation import Derivation
    from workings.render.reports import Built, Options

_ONE_FORMAT = {"key": "TOML", "form": "plain text"}


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...")
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="Folder to write to; each of several reports has its own in it.")  # fmt: skip
@click.option("--format", "formats", default="md,tex", show_default=True,
              help="md, tex, html, pdf, ipynb or typ (Typst's source); several with commas.")  # fmt: skip
@click.option("--as", "kind", type=click.Choice(["sheet", "form", "solutions", "key"]),
              default="solutions", show_default=True,
              help="A question sheet without answers, the form that answers are filled in, all with "
              "solutions, or the answer key.")  # fmt: skip
@click.option("--fragment", is_flag=True, help="No preamble, for LaTeX's \\input.")
@press_options
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@click.option("--directives", type=click.Path(path_type=Path), metavar="DIR",
              help="Where modules of directives are: Python runs from there.")  # fmt: skip
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE",
              help="Work the page out at another value of a key of its scenario: batch=16, "
              "memory='80 GB', hardware=tpu-v4. What changes nothing is refused.")  # fmt: skip
@notation_option
@click.option("--provenance", type=click.Choice(["full", "short", "none"]),
              help="How much stands below a formula of what guards it; if not given, what the source "
              "says, else full, and short on a sheet.")  # fmt: skip
@click.option(
    "--notes/--no-notes",
    default=None,
    help="Whether to say what its author may want to look at; with the solutions if not given.",
)
@click.option("--verify", "prove", is_flag=True, help="Verify what the report uses first.")
@click.option("--check", is_flag=True, help="Regenerate and compare bytes; exit 1 on a difference.")
@plainly
def report(
    names: tuple[str, ...],
    output: Path | None,
    formats: str,
    kind: str,
    fragment: bool,
    pdf_engine: str | None,
    fonts: tuple[Path, ...],
    templates: Path | None,
    directives: Path | None,
    pairs: tuple[str, ...],
    notation: str | None,
    provenance: str | None,
    notes: bool | None,
    prove: bool,
    check: bool,
) -> None:
    """Write reports from their source.md: NAME under reports/, or a PATH; all without a name."""
    from workings.render import reports  # noqa: PLC0415
    from workings.render.press import press_of  # noqa: PLC0415
    from workings.system.parallel import in_parallel  # noqa: PLC0415

    given = click.get_current_context().get_parameter_source
    for name, value in (("formats", formats), ("fragment", fragment)):
        if kind in _ONE_FORMAT and value and given(name) is ParameterSource.COMMANDLINE:
            option = "--format" if name == "formats" else "--fragment"
            raise click.UsageError(f"{option}: found it with --as {kind}, which is {_ONE_FORMAT[kind]}, "
                                   "expected one of the two")  # fmt: skip
    kinds = reports.parse_formats(formats)
    if fragment and "pdf" in kinds:
        raise UserError(f"--fragment: found it with --format {formats}, expected md, tex or typ")
    options = reports.Options(
        formats=kinds, press=press_of(pdf_engine, fonts, kinds), sheet=kind in ("sheet", "form"),
        key=kind == "key", form=kind == "form", fragment=fragment, templates=templates,
        notation=notation, provenance=provenance, directives=directives,
        settings=tuple(settings_of(pairs, example="batch=16").items()),
    )  # fmt: skip
    if check and pairs:
        raise click.UsageError("--check: found --set too, expected one of the two")
    sources = [reports.find(name) for name in names] or reports.every()
    if not sources:
        raise click.UsageError("found no reports/*/source.md here, expected a NAME or PATH")
    folders = _folders(sources, output)
    if prove:
        _verify_used({what.id: what for source in sources for what in reports.used(source)}.values())
    different: list[str] = []
    places = [*zip(sources, folders, strict=True)]
    built = progress(in_parallel(partial(_built, options=options), places), "reports", len(sources))
    for (source, folder), made in zip(places, built, strict=True):
        if isinstance(made, str):
            raise UserError(made)
        for line in made.remarks if notes or (notes is None and kind == "solutions") else ():
            click.echo(f"note: {line}", err=True)
        if check:
            different += reports.differences(made.files, folder, source, directives)
        else:
            for path in reports.write(made.files, folder, source):
                click.echo(path)
    for line in different:
        click.echo(line, err=True)
    sys.exit(1 if different else 0)


def _folders(sources: Sequence[Path], output: Path | None) -> list[Path]:
    """Where each report goes: beside its source, or into one folder, several under their names there."""
    if output is None:
        return [source.parent for source in sources]
    if len(sources) == 1:
        return [output]
    names = [path.parent.name if path.stem == "source" else path.stem for path in sources]
    for name in names:
        if names.count(name) > 1:
            found = f"found {names.count(name)} reports called {name!r}, expected names that differ"
            raise click.UsageError(f"-o {output}: {found}")
    return [output / name for name in names]


def _built(place: tuple[Path, Path], options: Options) -> Built | str:
    """The files of a report, or the sentence that says why there are none: errors stay in a process."""
    from workings.render.reports import built  # noqa: PLC0415 - imported when a report is built

    source, folder = place
    try:
        return built(source, options, folder)
    except UserError as error:
        return str(error.args[0] if error.args else error)


def _verify_used(used: Iterable[Derivation]) -> None:
    """Prove what a report uses, unless it is proved on file and unchanged since."""
    from workings import catalogue  # noqa: PLC0415
    from workings.system.parallel import in_parallel  # noqa: PLC0415
    from workings.verification import verified  # noqa: PLC0415
    from workings.verification.record import checked  # noqa: PLC0415

    stale = [what.id for what in used if verified.fresh(what) is None]
    done = progress(in_parallel(checked, stale), "verifying", len(stale))
    verified.save({found.id: entry for found, entry in done}, catalogue.ids())
