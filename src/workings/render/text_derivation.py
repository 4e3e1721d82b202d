"""One derivation on a terminal: its lines with reasons, letters, conditions, verdict and source."""

from __future__ import annotations

from workings.derivation import Derivation, Use
from workings.derivation.chain import Line
from workings.formula import parse_formula, plain
from workings.render.text import Letters, plainly, wrapped
from workings.units import ONE
from workings.values.notation import letters_in, renamed, words_renamed
from workings.verification.verified import fresh, standing


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
    out += [f"  {letters[name]:6} the result of {used_text(use, letters, glyphs)}"
            for name, use in what.uses.items()]  # fmt: skip
    out.append("")
    out += [f"  Holds where {condition_text(text, letters)}." for text in what.given_said]
    out += wrapped(what.for_whom)
    for text in what.remarks:
        out += wrapped(plainly(words_renamed(text, letters)))
    return out


def used_text(use: Use, letters: Letters, glyphs: Letters) -> str:
    """`ring-all-gather at N = X, S = …`, in the letters of this notation."""
    inner = letters_in(use.derivation, glyphs)
    shown = {inner[n]: plain(renamed(a, letters), units=False) for n, a in use.arguments.items()}
    at = ", ".join(f"{n} = {a}" for n, a in shown.items() if n != a)
    return f"{use.derivation.id} at {at}" if at else use.derivation.id


def condition_text(text: str, letters: Letters) -> str:
    """A condition under which a derivation holds."""
    parts = text.split(" divides ")
    return " divides ".join(plain(renamed(parse_formula(p), letters), units=False) for p in parts)


def _standing(what: Derivation) -> list[str]:
    entry = fresh(what)
    if entry is None:
        words = "Not verified (run `workings verify`)."
    else:
        steps = len(entry["steps"])
        words = f"{standing(what, entry)}: {steps} step{'s' * (steps != 1)}. " if steps else ""
        words += (
            f"Counted a second way: {what.counted} {entry['oracle']['how'].capitalize()}."
            if what.counted
            else "Not counted a second way."
        )
    return [*wrapped(words), *wrapped(f"Source: {what.source}. {what.source.url}")]
