"""What the terminal shows: derivations, values, solutions and verdicts as plain text and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, TypeAlias

from workings import catalogue
from workings.chain import Line
from workings.derivation import Derivation, Use
from workings.formula import Expr, Relations, parse_formula, plain
from workings.notation import letters_in, renamed, words_renamed
from workings.units import ONE
from workings.verified import fresh
from workings.worked import Worked

WIDTH = 100
Letters: TypeAlias = Mapping[str, str]


def list_text(found: Sequence[Derivation]) -> str:
    """Ids with titles in reading order, under their chapters and sections."""
    wanted = {what.id for what in found}
    width, lines = max(map(len, wanted)), list[str]()
    for topic in dict.fromkeys(what.topic for what in found):
        lines.append(topic)
        for section in catalogue.sections(topic):
            inside = [what for what in section.entries if what.id in wanted]
            lines += [f"  {plainly(section.title)}"] if inside else []
            lines += [f"    {what.id:{width}}  {plainly(what.title)}" for what in inside]
    return "\n".join(lines)


def line_text(line: Line, letters: Letters) -> tuple[str, str]:
    """The relation and formula of a line, as they stand side by side on a terminal."""
    formula = plain(renamed(line.formula, letters), units=False)
    if line.relation == "limit":
        return "≈", f"{formula}  [{', '.join(f'{letters[n]} -> oo' for n in line.towards)}]"
    if line.relation == "minimise" and line.at is not None:
        at, letter = plain(renamed(line.at, letters), units=False), letters[line.letter]
        return "=", f"{formula}  [least over {letter}, at {letter} = {at}]"
    return line.relation, formula


def derivation_text(what: Derivation, glyphs: Letters | None = None) -> str:
    """A derivation with reasons beside its lines, then letters, conditions, verdict, source."""
    letters = letters_in(what, glyphs or {})
    rows = [line_text(line, letters) for line in what.lines]
    head = f"{letters[what.head]} " if what.head else ""
    if not what.head:
        rows[0] = ("", rows[0][1])
    lefts = [f"{head if i == 0 else ' ' * len(head)}{r:>3} {f}".rstrip()
             for i, (r, f) in enumerate(rows)]  # fmt: skip
    column = min(max(len(left) for left in lefts) + 3, 60)
    out = [f"{what.id}: {plainly(what.title)}", ""]
    for left, line in zip(lefts, what.lines, strict=True):
        reason = plainly(words_renamed(line.reason, letters))
        gap = left.ljust(column) if len(left) < column else f"{left}\n{' ' * (column + 2)}"
        out.append(f"  {gap}{reason}".rstrip())
    out += ["", *_about(what, letters, glyphs or {}), *_standing(what)]
    return "\n".join(out)


def _about(what: Derivation, letters: Letters, glyphs: Letters) -> list[str]:
    out = []
    for name, concept in what.letters.items():
        unit = "" if concept.dimension == ONE else f" ({concept.dimension})"
        out.append(f"  {letters[name]:6} {concept.meaning}{unit}")
    out += [f"  {letters[name]:6} the result of {_used(use, letters, glyphs)}"
            for name, use in what.uses.items()]  # fmt: skip
    out.append("")
    out += [f"  Holds where {_condition(text, letters)}." for text in what.given]
    out += _wrapped(what.for_whom)
    for text in what.remarks:
        out += _wrapped(plainly(words_renamed(text, letters)))
    return out


def _used(use: Use, letters: Letters, glyphs: Letters) -> str:
    """`ring-all-gather at N = X, S = …`, in the letters of this notation."""
    inner = letters_in(use.derivation, glyphs)
    shown = {inner[n]: plain(renamed(a, letters), units=False) for n, a in use.arguments.items()}
    at = ", ".join(f"{n} = {a}" for n, a in shown.items() if n != a)
    return f"{use.derivation.id} at {at}" if at else use.derivation.id


def _condition(text: str, letters: Letters) -> str:
    parts = text.split(" divides ")
    return " divides ".join(plain(renamed(parse_formula(p), letters), units=False) for p in parts)


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


def worked_text(worked: Worked, glyphs: Letters | None = None) -> str:
    """symbolic, substituted, value: one under the other."""
    what = worked.derivation
    letters = letters_in(what, glyphs or {})
    relation = "" if what.head else f" {what.condition.rest[0][0]}"
    head = letters[what.head or what.solved_letter or ""] + relation
    symbolic = plain(renamed(worked.symbolic, letters), units=False)
    pad = " " * len(head)
    about = "=" if worked.exact_inputs else "≈"
    if isinstance(worked.symbolic, Relations):  # a condition that no line of the chain solves
        lines = [symbolic, f"{head} {worked.shown}"]
    else:
        lines = [f"{head} = {symbolic}" if what.head else f"{head} {symbolic}"]
        lines.append(f"{pad} {about} {_numbers(worked.substituted)}")
        lines.append(f"{pad} {'=' if worked.exact else '≈'} {worked.shown}")
    for given in worked.inputs:
        lines.append(f"    {letters[given.letter]} = {given.shown}  {given.meaning}")
    for text in what.remarks:
        lines += _wrapped(plainly(words_renamed(text, letters)))
    for text in worked.notices:
        lines += _wrapped(f"Note: {text}")
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
        **({"notices": list(worked.notices)} if worked.notices else {}),
    }
