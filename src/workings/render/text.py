"""What the terminal shows: derivations, values, solutions and verdicts as plain text and JSON."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from workings.chain import Line
from workings.derivation import Derivation, describe_use
from workings.formula import Expr, plain
from workings.units import ONE
from workings.verified import fresh
from workings.worked import Worked

WIDTH = 100


def line_text(line: Line) -> tuple[str, str]:
    """The relation and formula of a line, as they stand side by side on a terminal."""
    formula = plain(line.formula, units=False)
    if line.relation == "limit":
        return "≈", f"{formula}  [{', '.join(f'{n} -> oo' for n in line.towards)}]"
    if line.relation == "minimise" and line.at is not None:
        at = plain(line.at, units=False)
        return "=", f"{formula}  [least over {line.letter}, at {line.letter} = {at}]"
    return line.relation, formula


def derivation_text(what: Derivation) -> str:
    """A derivation with reasons beside its lines, then letters, conditions, verdict, source."""
    rows = [line_text(line) for line in what.lines]
    head = f"{what.head} " if what.head else ""
    if not what.head:
        rows[0] = ("", rows[0][1])
    lefts = [f"{head if i == 0 else ' ' * len(head)}{r:>3} {f}".rstrip()
             for i, (r, f) in enumerate(rows)]  # fmt: skip
    column = min(max(len(left) for left in lefts) + 3, 60)
    out = [f"{what.id}: {plainly(what.title)}", ""]
    for left, line in zip(lefts, what.lines, strict=True):
        reason = plainly(line.reason)
        gap = left.ljust(column) if len(left) < column else f"{left}\n{' ' * (column + 2)}"
        out.append(f"  {gap}{reason}".rstrip())
    out += ["", *_about(what), *_standing(what)]
    return "\n".join(out)


def _about(what: Derivation) -> list[str]:
    out = []
    for name, concept in what.letters.items():
        unit = "" if concept.dimension == ONE else f" ({concept.dimension})"
        out.append(f"  {name:6} {concept.meaning}{unit}")
    out += [f"  {name:6} the result of {describe_use(use)}" for name, use in what.uses.items()]
    out.append("")
    out += [f"  Holds where {text}." for text in what.given]
    out += _wrapped(plainly(what.convention))
    out += _wrapped(f"Leaves out: {what.leaves_out}" if what.leaves_out else "")
    return out


def plainly(text: str) -> str:
    """Words and formulas alike; the backticks that tell them apart are for pages."""
    return text.replace("`", "")


def _wrapped(text: str) -> list[str]:
    return [f"  {line}" for line in wrap(text, WIDTH - 2, break_on_hyphens=False, break_long_words=False)]


def _standing(what: Derivation) -> list[str]:
    entry = fresh(what)
    counted = (what.oracle.__doc__ or "").strip().splitlines()[0]
    if entry is None:
        words = "Not verified (run `workings verify`)."
    else:
        steps = len(entry["steps"])
        word = entry["word"].capitalize()
        words = f"{word}: {steps} step{'s' * (steps != 1)}. " if steps else ""
        words += f"Counted a second way: {counted} {entry['oracle']['how'].capitalize()}."
    return [*_wrapped(words), *_wrapped(f"Source: {what.source}. {what.source.url}")]


def worked_text(worked: Worked) -> str:
    """symbolic, substituted, value: one under the other."""
    what = worked.derivation
    head = what.head or f"{what.solved_letter} {what.condition.rest[0][0]}"
    pad = " " * len(head)
    about = "=" if worked.exact_inputs else "≈"
    lines = [f"{head} = {plain(worked.symbolic, units=False)}" if what.head
             else f"{head} {plain(worked.symbolic, units=False)}"]  # fmt: skip
    lines.append(f"{pad} {about} {_numbers(worked.substituted)}")
    lines.append(f"{pad} {'=' if worked.exact else '≈'} {worked.shown}")
    for given in worked.inputs:
        lines.append(f"    {given.letter} = {given.shown}  {given.meaning}")
    return "\n".join(lines)


def _numbers(node: Expr) -> str:
    """Numbers with their units, `95 GB` rather than `95[GB]`."""
    return plain(node).replace("[", " ").replace("]", "")


def worked_json(worked: Worked) -> dict[str, Any]:
    """The value exactly (a fraction of base units), as a float and as shown, and its inputs."""
    what = worked.derivation
    return {
        "id": what.id,
        "formula": plain(worked.symbolic),
        "exact": str(worked.value),
        "value": float(worked.value) if abs(worked.value) < 10**308 else None,
        "unit": str(what.unit),
        "shown": str(worked.shown),
        "inputs": {i.letter: {"exact": str(i.value), "shown": str(i.shown)} for i in worked.inputs},
    }
