"""The command line's commands as functions; each raises UserError in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workings import catalogue, solving, verification
from workings.derivation import Derivation
from workings.formula import Expr
from workings.notation import glyphs_named
from workings.scenario import Scenario, load_scenario
from workings.solving import Solution
from workings.units import Format
from workings.verification import Report
from workings.worked import Worked, work


def list_ids(topic: str | None = None) -> list[str]:
    """The ids of all derivations, or of a topic's."""
    return [what.id for what in catalogue.every(topic)]


def get(id_: str) -> Derivation:
    """The derivation of this id."""
    return catalogue.get(id_)


def value(
    id_: str,
    at: str | Path | Scenario | None = None,
    set: Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
    digits: int = 5,
) -> Worked:
    """Evaluate exactly: `.value` is a Fraction in base units, `.shown` the rounded text."""
    settings = dict(set or {})
    return work(get(id_), _scenario(at, settings), settings, Format(digits=digits))


def solve(
    id_: str,
    condition: str,
    letter: str,
    at: str | Path | Scenario | None = None,
    set: Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
) -> Solution:
    """The first value of `letter` that keeps a condition such as "< 95 GB"."""
    settings = dict(set or {})
    return solving.solve(get(id_), condition, letter, _scenario(at, settings), settings)


def solve_symbolic(id_: str, letter: str) -> list[Expr]:
    """A letter in closed form, by SymPy."""
    return solving.closed_forms(get(id_), letter)


def simplify(id_: str) -> Expr:
    """The closed form that SymPy finds by itself from the first line."""
    from workings.record import sympy_form  # noqa: PLC0415 - loads SymPy

    return sympy_form(get(id_))


def verify(id_: str) -> Report:
    """Prove every step of a derivation and run its oracle."""
    return verification.verify(get(id_))


def show(id_: str, form: str = "text", notation: str | None = None) -> str:
    """A derivation as text, Markdown (`md`) or LaTeX (`tex`), perhaps in other letters."""
    from workings.render.show import derivation_fragment  # noqa: PLC0415 - loads Jinja
    from workings.render.text_derivation import derivation_text  # noqa: PLC0415 - not needed otherwise

    what = get(id_)
    glyphs = glyphs_named(notation)
    if form == "text":
        return derivation_text(what, glyphs)
    return derivation_fragment(what, form, notation=notation)


def report(
    name: str, output: str | Path, formats: str = "md,tex", *, sheet: bool = False,
    directives: str | Path | None = None,
) -> list[Path]:  # fmt: skip
    """Write a report (a name under reports/ or a Markdown file) into a folder.

    `directives` is the folder of the Python module that its front matter may name.
    """
    from workings.render import reports  # noqa: PLC0415 - loads Jinja and markdown-it

    own = None if directives is None else Path(directives)
    options = reports.Options(formats=reports.parse_formats(formats), sheet=sheet, directives=own)
    source = reports.find(name)
    return reports.write(reports.build(source, options), Path(output), source)


def _scenario(at: str | Path | Scenario | None, settings: Mapping[str, str]) -> Scenario | None:
    if at is None:
        return None
    return at.put(settings) if isinstance(at, Scenario) else load_scenario(at, settings)
