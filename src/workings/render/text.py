"""What the terminal shows: lists of derivations and values, as plain text and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, TypeAlias

from workings.derivation import Derivation
from workings.formula import Expr, Relations, plain
from workings.notation import letters_in, renamed, words_renamed
from workings.worked import Worked

WIDTH = 100
Letters: TypeAlias = Mapping[str, str]


def list_text(found: Sequence[Derivation]) -> str:
    """Ids with titles, under their topics."""
    width = max(len(what.id) for what in found)
    lines = []
    for name in sorted({what.topic for what in found}):
        inside = sorted((w for w in found if w.topic == name), key=lambda w: w.id)
        lines += [name, *(f"  {what.id:{width}}  {plainly(what.title)}" for what in inside)]
    return "\n".join(lines)


def plainly(text: str) -> str:
    """Words and formulas alike; the backticks that tell them apart are for pages."""
    return text.replace("`", "")


def wrapped(text: str) -> list[str]:
    """Lines of a terminal's width, set in."""
    return [f"  {line}" for line in wrap(text, WIDTH - 2, break_on_hyphens=False, break_long_words=False)]


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
        lines += wrapped(plainly(words_renamed(text, letters)))
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
