"""The command line's commands as functions; each raises UserError in one sentence.

What they return has `to_dict()`: the data that the command prints with `--format json`. A **job** is the
path of a TOML file, the name of a scenario, or in their place the options of the command line as
keywords: `model="llama3-70b", gpu="h100-sxm", gpus=64, per_node=8, seq=8192, global_batch="4M", tp=8`.
`set` puts values over keys of the job, by key or letter: `set={"tp": 4, "communicator": "2 GB"}`.
Where a job has no layout, the best that a search finds is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from workings import catalogue
from workings.derivation import Derivation
from workings.errors import UserError
from workings.scenario import Scenario, scenario_named
from workings.units import Format, parse_unit
from workings.values import solving
from workings.values.call import DIGITS, Call
from workings.values.notation import glyphs_named
from workings.values.solved import ClosedForm, Solution
from workings.values.worked import Worked

if TYPE_CHECKING:
    from workings.planning.search import Objective
    from workings.results.closed import Verified
    from workings.results.entry import Entry
    from workings.results.found import FindResult
    from workings.results.linted import LintResult
    from workings.results.planned import PlanResult
    from workings.results.reviewed import ReviewResult
    from workings.results.sized import SizeResult
    from workings.results.swept import SweepResult

# The options of a layout: a search keeps to them.
FIXED = ("tp", "cp", "pp", "ep", "etp", "virtual_stages", "microbatch", "zero", "recompute",
         "sequence_parallel")  # fmt: skip
MOST_DIGITS = 30
Given = Mapping[str, object]
Told = Callable[[int, int], None]


def list_ids(topic: str | None = None) -> list[str]:
    """The ids of all derivations, or of a topic's."""
    return [what.id for what in catalogue.every(topic)]


def find(words: str = "", topic: str | None = None) -> FindResult:
    """The derivations (of a topic) that words mean, the best first: ids, titles, units."""
    from workings.results.found import find as found  # noqa: PLC0415 - loaded when it is asked for

    return found(words, topic)


def get(id_: str) -> Derivation:
    """The derivation of this id, as the catalogue holds it."""
    return catalogue.get(id_)


def entry(id_: str, notation: str | None = None) -> Entry:
    """A derivation as data: formula, chain with reasons, letters, conditions, verdict, source."""
    from workings.results.entry import Entry  # noqa: PLC0415 - loaded when it is asked for

    return Entry(get(id_), glyphs_named(notation))


def value(
    id_: str,
    at: str | Path | Scenario | None = None,
    set: Given | None = None,  # noqa: A002 - the word of the command line
    digits: int = DIGITS,
    decimals: int | None = None,
    units: str | Iterable[str] = (),
    notation: str | Mapping[str, str] | None = None,
) -> Worked:
    """Evaluate exactly: `.value` is a Fraction in base units, `.shown` the rounded text.

    It is shown with so many significant `digits`, or `decimals`, in `units` such as "GiB" before the
    usual ones, and a notebook typesets it in the letters of a `notation`: the name of one, or letters by
    the concept or entry they stand for.
    """
    settings = texts(set)
    style = _style(digits, decimals, units)
    return Call(get(id_), None, _scenario(at, settings), settings, style, notation).worked()


work = value


def solve(
    id_: str,
    condition: str,
    letter: str,
    at: str | Path | Scenario | None = None,
    set: Given | None = None,  # noqa: A002 - the word of the command line
) -> Solution:
    """The first value of `letter` that keeps a condition such as "< 95 GB"."""
    settings = texts(set)
    return solving.solve(get(id_), condition, letter, _scenario(at, settings), settings)


def solve_symbolic(id_: str, letter: str) -> ClosedForm:
    """A letter in closed form, by SymPy: `.forms`, and `.form` where one is enough."""
    from workings.results.closed import solved  # noqa: PLC0415 - loads SymPy

    return solved(get(id_), letter)


def simplify(id_: str) -> ClosedForm:
    """The closed form that SymPy finds by itself from the first line: `.form`."""
    from workings.results.closed import simplified  # noqa: PLC0415 - loads SymPy

    return simplified(get(id_))


def verify(id_: str) -> Verified:
    """Prove every step of a derivation and run its oracle."""
    from workings.results.closed import verified  # noqa: PLC0415 - loads SymPy

    return verified(get(id_))


def plan(
    job: str | Path | None = None,
    *,
    set: Given | None = None,  # noqa: A002 - the word of the command line
    objective: Objective = "time",
    number: int = 10,
    every: bool = False,
    only: Given | None = None,
    limit: float | None = None,
    largest_tp: int | None = None,
    progress: Told | None = None,
    **options: object,
) -> PlanResult:
    """Search all layouts of a job for those worth considering: `.best`, `.layouts`.

    `objective`: time, memory or cost. `number`: layouts to give, one a mesh, or with `every` variants of
    a mesh too. `only` restricts axes: `{"tp": [1, 2], "zero": 3}`. `limit`: the share of the memory to
    use. `progress` is told meshes done and in all.
    """
    from workings.planning.inputs.asked import job_asked  # noqa: PLC0415 - loaded when it is asked for
    from workings.results.planned import planned  # noqa: PLC0415 - the same

    fixed = {name: options.pop(name) for name in FIXED if options.get(name) is not None}
    asked = job_asked(job, texts(set), {n: v for n, v in options.items() if n not in FIXED})
    return planned(asked, fixed, _named("only", only), objective=objective, number=number, every=every,
                   limit=limit, largest_tp=largest_tp, progress=progress)  # fmt: skip


def lint(
    job: str | Path | None = None,
    *,
    set: Given | None = None,  # noqa: A002 - the word of the command line
    **options: object,
) -> LintResult:
    """Ask every rule of layouts of a job: `.ok`, `.broken`, `.errors`, `.warnings`, `.notes`."""
    from workings.planning.inputs.asked import job_asked  # noqa: PLC0415 - loaded when it is asked for
    from workings.results.linted import linted  # noqa: PLC0415 - the same

    return linted(job_asked(job, texts(set), options), job)


def sweep(
    job: str | Path | None = None,
    *,
    over: Mapping[str, object] | Iterable[str],
    set: Given | None = None,  # noqa: A002 - the word of the command line
    best: bool | None = None,
    weak: bool = False,
    progress: Told | None = None,
    **options: object,
) -> SweepResult:
    """Work a job out over many values: `.points`, `.rows()` for a table, `.svg()`.

    `over`: `{"gpus": "8..512", "seq": "8k..64k..8k", "microbatch": [1, 2, 4]}`. `best`: the best layout
    of a search at each point, or the job's own; its own if it has one. `weak`: the batch grows with the
    devices.
    """
    from workings.results.swept import axes_of, swept  # noqa: PLC0415 - loaded when it is asked for

    return swept(job, texts(set), options, axes_of(over), best=best, weak=weak, progress=progress)


def size(
    job: str | Path | None = None,
    *,
    set: Given | None = None,  # noqa: A002 - the word of the command line
    budget: object = None,
    days: object = None,
    hardware: str | None = None,
    devices: object = None,
    repair: str = "1 day",
    progress: Told | None = None,
    **options: object,
) -> SizeResult:
    """Which devices, and how many, keep to a budget and days: `.answer`, `.rows()` for a table.

    `budget`: USD, such as `"40M"`. `days`: such as 90 or `"6 weeks"`. `hardware`: presets, each perhaps
    with its USD an hour: `"h100-sxm=2,b200-sxm"`. `devices`: how many, such as `"1024,2048"`.
    """
    from workings.results.sized import sized  # noqa: PLC0415 - loaded when it is asked for

    limits = {name: None if value is None else str(value)
              for name, value in (("budget", budget), ("days", days), ("devices", devices))}  # fmt: skip
    return sized(job, texts(set), options, hardware=hardware, repair=repair, progress=progress, **limits)


def review(
    job: str | Path | None = None,
    *,
    set: Given | None = None,  # noqa: A002 - the word of the command line
    **options: object,
) -> ReviewResult:
    """Review a job: `.verdict`, `.memory`, `.step`, `.alternatives`, `.files()`, `.write(folder)`.

    `max_days=30`, `max_cost="5M USD"` and `min_mfu=0.35` are limits on the run; beside a file they stand
    over those of its [review].
    """
    from workings.planning.inputs.asked import job_asked  # noqa: PLC0415 - loaded when it is asked for
    from workings.results.reviewed import reviewed  # noqa: PLC0415 - the same

    return reviewed(job_asked(job, texts(set), options))


def show(id_: str, form: str = "text", notation: str | None = None) -> str:
    """A derivation as text, Markdown (`md`) or LaTeX (`tex`), perhaps in other letters.

    In a notebook it is typeset, whatever the form; `print` shows the text.
    """
    from workings.results.entry import Page  # noqa: PLC0415 - loaded when it is asked for

    return Page(get(id_), form, notation)


def report(
    name: str, output: str | Path, formats: str = "md,tex", *, sheet: bool = False,
    provenance: str | None = None, directives: str | Path | None = None,
) -> list[Path]:  # fmt: skip
    """Write a report (a name under reports/ or a Markdown file) into a folder.

    `provenance` is how much stands below a formula of what guards it: `full`, `short` or `none`.
    `directives` is the folder of the Python module that its front matter may name.
    """
    from workings.render import reports  # noqa: PLC0415 - loads Jinja and markdown-it

    options = reports.Options(
        formats=reports.parse_formats(formats), sheet=sheet,
        provenance=reports.parse_provenance(provenance),
        directives=None if directives is None else Path(directives),
    )  # fmt: skip
    source = reports.find(name)
    return reports.write(reports.build(source, options), Path(output), source)


def texts(given: Given | None) -> dict[str, str]:
    """Settings as the command line has them: numbers and switches become text. Raises UserError."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in _named("set", given).items()
    }


def _style(digits: int, decimals: int | None, units: str | Iterable[str]) -> Format:
    """How numbers are shown. Raises UserError."""
    for name, given, least in (("digits", digits, 1), ("decimals", decimals, 0)):
        if given is not None and (type(given) is not int or not least <= given <= MOST_DIGITS):
            raise UserError(f"{name}: found {str(given)[:60]!r}, expected {least} to {MOST_DIGITS}")
    chosen = (units,) if isinstance(units, str) else tuple(map(str, units))
    for unit in chosen:
        parse_unit(unit)
    return Format((*chosen, *Format().units), digits, decimals, fit=not chosen)


def _named(option: str, given: Given | None) -> Given:
    """Values by name. Raises UserError for anything else, such as the text of a command line."""
    named = given or {}
    if not isinstance(named, Mapping) or not all(isinstance(name, str) for name in named):
        raise UserError(f'{option}: found {str(given)[:60]!r}, expected a dictionary such as {{"tp": 4}}')
    return named


def _scenario(at: str | Path | Scenario | None, settings: Mapping[str, str]) -> Scenario | None:
    return at.put(settings) if isinstance(at, Scenario) else scenario_named(at, settings)
