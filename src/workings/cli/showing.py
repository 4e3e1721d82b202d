"""`list`, `show` and `presets`."""

from __future__ import annotations

from pathlib import Path

import click

from workings.cli.options import notation_option, plainly


@click.command("list")
@click.argument("topic", required=False)
@click.option("--topic", "named", metavar="TOPIC", help="The same as the argument.")
@click.option("--search", metavar="WORDS", help="Only those whose id or title has all these words.")
@plainly
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


@click.command()
@click.argument("id")
@click.option("--format", "form", type=click.Choice(["text", "md", "tex"]), default="text")
@notation_option
@click.option("--templates", type=click.Path(path_type=Path), help="A template folder of your own.")
@plainly
def show(id: str, form: str, notation: str | None, templates: Path | None) -> None:  # noqa: A002
    """Show a derivation line by line, with reasons, verdicts and source."""
    from workings import catalogue  # noqa: PLC0415

    what = catalogue.get(id)
    if form == "text":
        from workings.notation import glyphs_named  # noqa: PLC0415
        from workings.render.text_derivation import derivation_text  # noqa: PLC0415

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

    Kinds are models, hardware, scenarios and notation.
    """
    from workings.render import text_presets as text  # noqa: PLC0415
    from workings.scenario import ScenarioError  # noqa: PLC0415
    from workings.scenario import presets as files  # noqa: PLC0415

    if kind is None:
        click.echo(text.kinds_text({kind: files.preset_names(kind) for kind in files.KINDS}))
        return
    if kind not in files.KINDS:
        known = ", ".join(files.KINDS)
        raise ScenarioError(f"no presets of kind {kind[:60]!r}, expected one of {known}")
    if name is None:
        named = {name: files.read_preset(kind, name) for name in files.preset_names(kind)}
        click.echo(text.titles_text(named))
        return
    path = files.preset_file(kind, name)
    if kind == "scenarios":
        click.echo(path.read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(text.preset_text(name, files.read(path)))
