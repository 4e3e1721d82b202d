"""The small print of a formula: what it rests on, whether it is proved, how it was counted, whence."""

from __future__ import annotations

from collections.abc import Mapping

from workings.derivation import Derivation, Use
from workings.document.blocks import Code, Inline, Line, Link, Math, Reference, Text
from workings.document.page import words_of
from workings.formula import Expr, Name, substitute
from workings.verification.verified import fresh, standing


def provenance(
    what: Derivation,
    names: Mapping[str, Expr],
    glyphs: Mapping[str, str],
    how: str,
    words: Mapping[str, str],
) -> tuple[Line, ...]:
    """`full`: all of it; `short`: one line; `none`: nothing."""
    if how == "none":
        return ()
    if how == "short":
        source = Link((Text(words["source"]),), what.source.url)
        said = in_short(what, words) + words["semicolon"]
        return ((Text(said), source, Text(words["end"])),)
    used = (_used(what, names, glyphs, words),) if what.uses else ()
    return (*used, *(words_of(text, names) for text in what.remarks), _standing(what))


def _used(
    what: Derivation, names: Mapping[str, Expr], glyphs: Mapping[str, str], words: Mapping[str, str]
) -> Line:
    """`With V from …` for each result that it uses, which leads there if it is in the document."""
    pieces: list[Inline] = [Text(words["with"])]
    for position, (name, use) in enumerate(what.uses.items()):
        pieces += [Text(words["comma"])] if position else []
        id_ = use.derivation.id
        pieces += [Math(names.get(name, Name(name))), Text(words["from"]), Reference(id_, (Code(id_),))]
        if bound := _bindings(use, names, glyphs, words):
            pieces += [Text(words["open"]), *bound, Text(words["close"])]
    return (*pieces, Text(words["end"]))


def _bindings(
    use: Use, names: Mapping[str, Expr], glyphs: Mapping[str, str], words: Mapping[str, str]
) -> list[Text | Math]:
    """`X for R, … for Q`: what stands for the used result's letters, as this page writes them.

    No equation: the letters are those of the other formula, and may be others here.
    """
    out: list[Text | Math] = []
    for name, argument in use.arguments.items():
        if argument != Name(name):
            concept = use.derivation.letters[name]
            glyph = glyphs.get(concept.kin or concept.name, name)
            out += [Text(words["comma"])] if out else []
            out += [Math(substitute(argument, names)), Text(words["stands_in"]), Math(Name(glyph))]
    return out


def standing_words(what: Derivation) -> str:
    """The verdict in a few words: only a fresh entry of verified.json lets a page say proved."""
    entry = fresh(what)
    words = "Not verified. "
    if entry is not None:
        steps, word = len(entry["steps"]), standing(what, entry)
        words = f"{word}: {steps} step{'s' * (steps != 1)}. " if steps else ""
        points = f", at {entry['oracle']['points']} points"
        counted = f"Counted a second way: {what.counted.rstrip('.')}{points}. "
        words += counted if what.counted else "Not counted a second way. "
    return words


def _standing(what: Derivation) -> Line:
    """The verdict in one line, with where the formula is from."""
    source = what.source
    return (
        Text(standing_words(what) + "Formula "), Code(what.id), Text("; "),
        Link((Text("source"),), source.url), Text(f", {source}."),
    )  # fmt: skip


def in_short(what: Derivation, words: Mapping[str, str]) -> str:
    """`Proved, counted a second way`, by the same entry."""
    entry = fresh(what)
    if entry is None:
        return words["not_verified"]
    counted = words["counted" if what.counted else "not_counted"]
    word = standing(what, entry)
    word = words.get(word.lower(), word)
    return f"{word}{words['comma']}{counted}" if entry["steps"] else counted.capitalize()
