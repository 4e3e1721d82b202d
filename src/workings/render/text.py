"""What the terminal shows: lists of derivations and values, as plain text and JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TypeAlias

from workings import catalogue
from workings.derivation import Derivation
from workings.formula import Expr, Relations, plain
from workings.values.notation import letters_in, renamed, words_renamed
from workings.values.worked import Worked

WIDTH = 100
_MEASURED = re.compile(r"([*/^]?)([^\s*/^()\[\]]+)\[([^\]]+)\](?=([*/^]?))")
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


def found_text(found: Sequence[Derivation]) -> str:
    """Ids with titles in the order given, each with its chapter."""
    ids, titles = [what.id for what in found], [plainly(what.title) for what in found]
    width, wide = max(map(len, ids)), min(max(map(len, titles)), WIDTH)
    rows = zip(ids, titles, found, strict=True)
    return "\n".join(f"{id_:{width}}  {title:{wide}}  ({what.topic})" for id_, title, what in rows)


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
        lines.append(f"{pad} {'=' if worked.exact else '≈'} {worked.said}")
    for given in worked.inputs:
        lines.append(f"    {letters[given.letter]} = {given.shown}  {given.meaning}")
    for text in what.remarks:
        lines += wrapped(plainly(words_renamed(text, letters)))
    for text in worked.notices:
        lines += wrapped(f"Note: {text}")
    return "\n".join(lines)


def _numbers(node: Expr) -> str:
    """Numbers with their units, `95 GB` rather than `95[GB]`; in brackets where they would be misread."""
    return _MEASURED.sub(_with_unit, plain(node))


def _with_unit(found: re.Match[str]) -> str:
    before, number, unit, after = found.groups()
    bare = before != "/" and ("/" not in unit or not (before or after))
    return f"{before}{number} {unit}" if bare else f"{before}({number} {unit})"
