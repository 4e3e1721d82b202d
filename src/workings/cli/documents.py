"""`report`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workings.cli.options import notation_option, plainly, progress

if TYPE_CHECKING:
    from workings.derivation import Derivation


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder to write to.")
@click.option("--format", "formats", default="md,tex", show_default=True, help="md, tex or both.")
@click.option("--as", "kind", type=click.Choice(["sheet", "solutions"]), default="solutions",
              help="A question sheet without answers, or with solutions.", show_default=True)  # fmt: skip
@click.option("--fragment", is_flag=True, help="No preamble, for LaTeX's \\input.")
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@click.option("--directives", type=click.Path(path_type=Path), metavar="DIR",
              help="Where modules of directives are: Python runs from there.")  # fmt: skip
@notation_option
@click.option("--verify", "prove", is_flag=True, help="Verify what the report uses first.")
@click.option("--check", is_flag=True, help="Regenerate and compare bytes; exit 1 on a difference.")
@plainly
def report(
    names: tuple[str, ...],
    output: Path | None,
    formats: str,
    kind: str,
    fragment: bool,
    templates: Path | None,
    directives: Path | None,
    notation: str | None,
    prove: bool,
    check: bool,
) -> None:
    """Write reports from their source.md: NAME under reports/, or a PATH; all without a name."""
    from workings.render import reports  # noqa: PLC0415

    options = reports.Options(
        formats=reports.parse_formats(formats), sheet=kind == "sheet", fragment=fragment,
        templates=templates, notation=notation, directives=directives,
    )  # fmt: skip
    sources = [reports.find(name) for name in names] or reports.every()
    if not sources:
        raise click.UsageError("found no reports/*/source.md here, expected a NAME or PATH")
    if output and len(sources) > 1:
        raise click.UsageError(f"-o {output}: found {len(sources)} reports for one folder")
    different: list[str] = []
    for source in progress(sources, "reports", len(sources)):
        if prove:
            _verify_used(reports.used(source, directives))
        made = reports.build(source, options)
        folder = output or source.parent
        if check:
            different += reports.differences(made, folder, source, directives)
        else:
            for path in reports.write(made, folder, source):
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
    done = progress(in_parallel(checked, stale), "verifying", len(stale))
    verified.save({found.id: entry for found, entry in done}, catalogue.files())
