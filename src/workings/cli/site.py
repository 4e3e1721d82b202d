"""`site`."""

from __future__ import annotations

from pathlib import Path

import click

from workings.cli.options import plainly, progress


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), default=Path("site"),
              show_default=True, help="Folder to write to.")  # fmt: skip
@click.option("--directives", type=click.Path(path_type=Path), metavar="DIR",
              help="Where modules of directives are: Python runs from there.")  # fmt: skip
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@plainly
def site(output: Path, directives: Path | None, templates: Path | None) -> None:
    """Write the catalogue as a static site: open index.html, from the file system too.

    It has a page for every formula and chapter, all symbols, presets and rules; and, where they stand in
    the working directory, the guides of docs/ and the reports of reports/.
    """
    from workings.render.reports import write_all  # noqa: PLC0415
    from workings.site.build import site as made  # noqa: PLC0415

    files = made(directives, lambda done, count: progress(done, "pages", count), templates)
    write_all(files, output)
    size = sum(len(text.encode()) for text in files.values())
    click.echo(f"{output / 'index.html'}: {len(files)} files, {size / 1e6:.1f} MB")
