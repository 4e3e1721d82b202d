"""`list`, `show` and `presets`."""

from __future__ import annotations

from pathlib import Path

import click

from workings.cli.options import json_option, notation_option, plainly
from workings.errors import UserError


@click.command("list")
@click.argument("topic", required=False)
@click.option("--topic", "named", metavar="TOPIC", help="The same as the argument.")
@click.option(
    "--search",
    metavar="WORDS",
    help="What a question is about, in English or Chinese, the likeliest first.",
)
@click.option(
    "--source", metavar="NAME",
    help="A paper or book, by a word of its name or an author: its formulas, where each stands, and the "
    "derivations that have it.",
)  # fmt: skip
@json_option
@plainly
def list_(
    topic: str | None,
    named: str | None,
    search: str | None,
    source: str | None,
    form: str,
    as_json: bool,
) -> None:
    """List the derivations (of a TOPIC), or the formulas of a published source."""
    from workings import catalogue  # noqa: PLC0415
    from workings.contract import printed  # noqa: PLC0415
    from workings.render.text import found_text, list_text  # noqa: PLC0415
    from workings.results.found import find  # noqa: PLC0415

    if source is not None:
        _list_of_source(source, search or "", named or topic, as_json or form == "json")
        return
    found = find(search or "", named or topic)
    if as_json or form == "json":
        click.echo(printed(found.to_dict()), nl=False)
    else:
        known = {what.id: what for what in catalogue.every(named or topic)}
        entries = [known[id_] for id_ in found.ids]
        click.echo(found_text(entries) if search else list_text(entries))


def _list_of_source(source: str, search: str, topic: str | None, as_json: bool) -> None:
    """The formulas that a source prints; a question chooses among them."""
    from workings.contract import printed  # noqa: PLC0415
    from workings.render.text_published import likeliest_text, published_text  # noqa: PLC0415
    from workings.results.published import published  # noqa: PLC0415

    if topic:
        raise UserError(f"--source: found a topic, {topic[:40]}, beside it, expected one of the two")
    found = published(source, search)
    shown = likeliest_text(found.formulas) if found.words else published_text(found.formulas)
    click.echo(printed(found.to_dict())[:-1] if as_json else shown)


@click.command()
@click.argument("id")
@click.option("--format", "form", type=click.Choice(["text", "md", "tex", "html", "json"]),
              default="text", show_default=True)  # fmt: skip
@notation_option
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@plainly
def show(id: str, form: str, notation: str | None, templates: Path | None) -> None:  # noqa: A002
    """Show a derivation line by line, with reasons, verdicts and source."""
    from workings import catalogue  # noqa: PLC0415

    what = catalogue.get(id)
    if templates is not None and form in ("text", "json"):
        raise UserError(f"--templates: found it beside --format {form}, expected md, tex or html")
    if form == "json":
        from workings.contract import printed  # noqa: PLC0415
        from workings.results.entry import Entry  # noqa: PLC0415
        from workings.values.notation import glyphs_named  # noqa: PLC0415

        click.echo(printed(Entry(what, glyphs_named(notation)).to_dict()), nl=False)
        return
    if form == "text":
        from workings.render.text_derivation import derivation_text  # noqa: PLC0415
        from workings.values.notation import glyphs_named  # noqa: PLC0415

        click.echo(derivation_text(what, glyphs_named(notation)))
        return
    from workings.render.show import derivation_fragment  # noqa: PLC0415

    click.echo(derivation_fragment(what, form, templates, notation), nl=False)


@click.command()
@click.argument("kind", required=False)
@click.argument("name", required=False)
@plainly
def presets(kind: str | None, name: str | None) -> None:
    """List the presets (of a KIND), or show one: its figures and their sources.

    Kinds are models, hardware, scenarios and notation; one is shown by its name alone, too.
    """
    from workings.render import text_presets as text  # noqa: PLC0415
    from workings.scenario import ScenarioError  # noqa: PLC0415
    from workings.scenario import presets as files  # noqa: PLC0415

    if kind is None:
        click.echo(text.kinds_text({kind: files.preset_names(kind) for kind in files.KINDS}))
        return
    if name is None and kind not in files.KINDS:
        kind, name = files.kind_of(kind) or kind, kind
    if kind not in files.KINDS:
        near = [
            name
            for of in files.KINDS
            for name in files.preset_names(of)
            if len(kind) > 1 and kind.lower() in name
        ]
        known = " or ".join(near) or f"a name or one of {', '.join(files.KINDS)}"
        raise ScenarioError(f"no preset, nor kind of presets, {kind[:60]!r}, expected {known}")
    if name is None:
        named = {name: files.read_preset(kind, name) for name in files.preset_names(kind)}
        click.echo(text.titles_text(named))
        return
    path = files.preset_file(kind, name)
    if kind == "scenarios":
        click.echo(path.read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(text.preset_text(path.stem, files.read_preset(kind, path.stem)))
