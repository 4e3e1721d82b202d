"""`value`, `solve` and `simplify`."""

from __future__ import annotations

import click

from workings.cli.options import (
    at_option,
    json_option,
    json_text,
    notation_option,
    plainly,
    scenario_at,
    set_option,
    settings_of,
)


@click.command()
@click.argument("id")
@at_option
@set_option
@json_option
@notation_option
@click.option("--digits", type=click.IntRange(1, 30), default=5, show_default=True)
@plainly
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
    settings = settings_renamed(settings_of(pairs), what, letters_in(what, glyphs))
    worked = work(what, scenario_at(at, settings), settings, Format(digits=digits))
    click.echo(json_text(worked_json(worked)) if as_json else worked_text(worked, glyphs))


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
    settings = settings_renamed(settings_of(pairs), what, letters)
    letter = next(iter(settings_renamed({letter: ""}, what, letters)))
    if condition is None:
        click.echo(closed_forms_text(letter, closed_forms(what, letter), letters))
        return
    found = solve_for(what, condition, letter, scenario_at(at, settings), settings)
    shown = json_text(solution_json(what, found)) if as_json else solution_text(what, found, letters)
    click.echo(shown)


@click.command()
@click.argument("id")
@notation_option
@plainly
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
