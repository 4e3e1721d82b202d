"""`value`, `solve` and `simplify`."""

from __future__ import annotations

import click

from workings.cli.options import (
    at_option,
    json_option,
    notation_option,
    plainly,
    scenario_at,
    set_option,
    settings_of,
)


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@at_option
@set_option
@json_option
@notation_option
@click.option("--digits", type=click.IntRange(1, 30), default=5, show_default=True)
@plainly
def value(
    ids: tuple[str, ...],
    at: str | None,
    pairs: tuple[str, ...],
    form: str,
    as_json: bool,
    notation: str | None,
    digits: int,
) -> None:
    """Evaluate a derivation exactly: symbolic = substituted = value.

    Several share what is set: each takes the settings that it knows, and one that none of them knows is
    refused.
    """
    from workings import catalogue  # noqa: PLC0415
    from workings.contract import SCHEMA, printed  # noqa: PLC0415
    from workings.render.text import worked_text  # noqa: PLC0415
    from workings.units import Format  # noqa: PLC0415
    from workings.values.notation import glyphs_named  # noqa: PLC0415
    from workings.values.together import work_together  # noqa: PLC0415
    from workings.values.worked import LacksLettersError  # noqa: PLC0415

    entries, glyphs = [catalogue.get(name) for name in dict.fromkeys(ids)], glyphs_named(notation)
    settings = settings_of(pairs)
    style = Format(digits=digits, fit=True)
    try:
        found = work_together(entries, scenario_at(at, settings), settings, style, glyphs)
    except LacksLettersError as error:
        from workings.values.working_command import command_for  # noqa: PLC0415 - searches, for an error alone

        example = command_for(entries[0]) if len(entries) == 1 else ""
        raise LacksLettersError(f"{error}; for example: {example}" if example else str(error)) from None
    if as_json or form == "json":
        all_of = [worked.to_dict() for worked in found]
        click.echo(
            printed(all_of[0] if len(ids) == 1 else {"schema": SCHEMA, "values": all_of}), nl=False
        )
    else:
        click.echo("\n\n".join(worked_text(worked, glyphs) for worked in found))


@click.command()
@click.argument("id")
@click.argument("condition", required=False)
@click.option("--for", "letter", required=True, metavar="LETTER", help="The letter to solve for.")
@at_option
@set_option
@json_option
@notation_option
@plainly
def solve(
    id: str,  # noqa: A002 - click's argument name
    condition: str | None,
    letter: str,
    at: str | None,
    pairs: tuple[str, ...],
    form: str,
    as_json: bool,
    notation: str | None,
) -> None:
    """Solve a result for a LETTER.

    With a CONDITION such as "< 95 GB": the smallest whole number that keeps it, with the values
    there and one before. Without: the closed form.
    """
    from workings import catalogue  # noqa: PLC0415
    from workings.contract import printed  # noqa: PLC0415
    from workings.render.text_solving import closed_forms_text, solution_text  # noqa: PLC0415
    from workings.values.notation import glyphs_named, letters_in, settings_renamed  # noqa: PLC0415
    from workings.values.solving import solve as solve_for  # noqa: PLC0415

    what = catalogue.get(id)
    letters = letters_in(what, glyphs_named(notation))
    settings = settings_renamed(settings_of(pairs), what, letters)
    letter = next(iter(settings_renamed({letter: ""}, what, letters)))
    if condition is None:
        from workings.results.closed import solved  # noqa: PLC0415 - loads SymPy

        forms = solved(what, letter)
        made, shown = forms.to_dict(), closed_forms_text(forms, letters)
    else:
        found = solve_for(what, condition, letter, scenario_at(at, settings), settings)
        made, shown = found.to_dict(), solution_text(found, letters)
    click.echo(printed(made)[:-1] if as_json or form == "json" else shown)


@click.command()
@click.argument("id")
@json_option
@notation_option
@plainly
def simplify(id: str, form: str, as_json: bool, notation: str | None) -> None:  # noqa: A002
    """Print the closed form that SymPy finds by itself from the first line."""
    from workings import catalogue  # noqa: PLC0415
    from workings.contract import printed  # noqa: PLC0415
    from workings.render.text_solving import closed_forms_text  # noqa: PLC0415
    from workings.results.closed import simplified  # noqa: PLC0415
    from workings.values.notation import glyphs_named, letters_in  # noqa: PLC0415

    what = catalogue.get(id)
    letters = letters_in(what, glyphs_named(notation))
    found = simplified(what)
    as_json = as_json or form == "json"
    click.echo(printed(found.to_dict())[:-1] if as_json else closed_forms_text(found, letters))
