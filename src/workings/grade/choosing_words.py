"""An answer that chooses, in pieces: words by what they do in such an answer, labels, punctuation."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workings.marks.spoken import folded, plain_counts
from workings.marks.words import meaning
from workings.reading.blocks import Block

_WORDS = Path(__file__).parent / "words" / "choosing.toml"
LAST = "last of all"  # what the last of numbered lines is called in the table of ordinals
STEM = 14  # letters of the longest beginning of words that is known
EAST = "\u2e80"  # from here on signs are words by themselves
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ROMANS = tuple((f"({sign})", str(number)) for number, sign in enumerate(_ROMAN, 1))
_FORMULA = re.compile(r"\\(?:boxed|mathbf|textbf|text|mathrm|bm)|[\s{}$().]")
_ORDINAL = r"(?:st|nd|rd|th|er|re|ère|e|ème|de|ste|ª|º|°|:[ae]|-?(?:я|й|ая|ой|е))"
_WIDE = str.maketrans("０１２３４５６７８９٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, number or sign of a block: its place, what it may be, and the label that it may name."""

    text: str
    start: int
    end: int
    kinds: frozenset[str]
    label: str = ""

    def is_any(self, *kinds: str) -> bool:
        """Whether it may be one of these."""
        return not self.kinds.isdisjoint(kinds)


@cache
def words_of(kind: str) -> tuple[str, ...]:
    """The words of a line of `words/choosing.toml`, the longest first."""
    return tuple(sorted(tomllib.loads(_WORDS.read_text("utf-8"))[kind], key=len, reverse=True))


def pieces(block: Block, labels: Sequence[str]) -> Iterator[Piece]:
    """The pieces of a block in order; a formula is one, and a label only where nothing else is in it."""
    text = block.text.translate(_WIDE)
    by_name = {label.casefold(): label for label in labels}
    if not _numbers_answers(text):
        by_name |= {sign: label for sign, number in _ROMANS if (label := by_name.get(number))}
    if labels and labels[-1].isdecimal():
        by_name[LAST] = labels[-1]
    place = 0
    if block.kind == "display":
        name = by_name.get(_FORMULA.sub("", text).casefold(), "")
        yield Piece(text, 0, len(text), frozenset({"label", "sure"} if name else {"formula"}), name)
        return
    while (found := _pattern().search(text, place)) is not None:
        start, end = found.span()
        place = end
        if (mark := block.mark_at(start)) >= 0:
            start, end = block.marks[mark].start, block.marks[mark].end
            place = max(end, place)
            name = by_name.get(_FORMULA.sub("", text[start:end]).casefold(), "")
            yield Piece(
                text[start:end], start, end, frozenset({"label", "sure"} if name else {"formula"}), name
            )
        else:
            yield _piece(found, by_name)


def _numbers_answers(text: str) -> bool:
    """Whether `(i)` and `(ii)` number the answers of a text, and choose nothing themselves."""
    return "(i)" in text and "(ii)" in text and any(sign.isdigit() for sign in text)


def _piece(found: re.Match[str], by_name: Mapping[str, str]) -> Piece:
    start, end = found.span()
    word = found[0].casefold().replace("’", "'").replace("i\u0307", "i")  # of a capital with a dot
    kinds, label = set(_kinds(word)), ""
    if found["abbreviated"]:
        kinds = {"noun"}
    elif found["tick"]:
        kinds = {"choosing", "cut"}
    elif found["untick"]:
        kinds = {"negation", "cut"}
    elif (inside := found["inside"]) is not None:
        label = by_name.get(inside.casefold(), "") or by_name.get(f"({inside.casefold()})", "")
        kinds |= {"label", "sure"} if label else {"word"}
    elif found["number"] is not None:
        label = by_name.get(found["number"], "")
        kinds |= {"label", "number", *(("ordinal",) if found["ordinal"] else ())} if label else {"word"}
    elif word in by_name:
        label = by_name[word]
        kinds |= {"label", *(("sure",) if found[0].isupper() and found[0] not in "AI" else ())}
        kinds |= {"sure"} if word in "bcdfghjklmnpqrstvx" else set()
    elif by_name.get(value := number_said(word)) and (
        not _counts(word) or not kinds - {"noun", "filler"}
    ):
        label = by_name[value]
        kinds |= {"label", "worded", "cardinal" if _counts(word) else "ordinal"}
        kinds |= {"last"} if value == LAST else set()
    if not kinds:
        kinds = {"word" if found[0][0].isalnum() else "sign"}
    return Piece(found[0], start, end, frozenset(kinds), label)


@cache
def _pattern() -> re.Pattern[str]:
    """Phrases and words of the East first, then whatever stands between spaces and signs."""
    listed = {word for kind in _listed() for word in words_of(kind) if " " in word}
    east = {word for kind in _listed() for word in words_of(kind) if word[0] >= EAST}
    east |= {word for word in _ordinals() if word[0] >= EAST} | set(meaning("eastern.numerals"))
    phrases = "|".join(map(re.escape, sorted(listed - east, key=len, reverse=True)))
    signs = "|".join(map(re.escape, sorted(east, key=len, reverse=True)))
    letter = rf"[^\W\d_{EAST}-\uffdc]"
    return re.compile(
        r"(?<!\d )\b(?P<abbreviated>nos?\.)(?=\s*\d)|(?P<tick>\[[xX]\]|[☑☒✅✔✓])"
        r"|(?P<untick>\[[ ]?\]|[☐❌✗])|[(（\[]\s*(?P<inside>\w{1,4})\s*[.]?\s*[)）\]]"
        rf"|(?<![A-Za-z])(?:{phrases})(?![A-Za-z])|{signs}|(?P<number>\d+)(?P<ordinal>{_ORDINAL}(?!\w))?(?![.,]?\d)"
        rf"|\d+(?:[.,]\d+)*|{letter}+(?:['’]{letter}+)*|->|=>|\n|\S",
        re.IGNORECASE,
    )


@cache
def _listed() -> tuple[str, ...]:
    return tuple(k for k, v in tomllib.loads(_WORDS.read_text("utf-8")).items() if isinstance(v, list))


@cache
def _known() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """What each word may be, and each beginning of words."""
    whole: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    for kind in _listed():
        for word in words_of(kind):
            (stems if word.endswith("-") else whole).setdefault(word.rstrip("-").casefold(), set()).add(
                kind
            )
    return {w: frozenset(k) for w, k in whole.items()}, {w: frozenset(k) for w, k in stems.items()}


@cache
def _kinds(word: str) -> frozenset[str]:
    whole, stems = _known()
    found = whole.get(word, frozenset())
    for end in range(3, min(len(word), STEM) + 1):
        found |= stems.get(word[:end], frozenset())
    if word.endswith("n't") or word.startswith("n'"):
        found |= {"negation"}
    if "'" in word and not found - {"negation"}:
        found |= whole.get(word.rpartition("'")[2], frozenset())
    return found


@cache
def _ordinals() -> Mapping[str, str]:
    table = tomllib.loads(_WORDS.read_text("utf-8"))["ordinals"]
    return {word.casefold(): number for number, words in table.items() for word in words}


@cache
def number_said(word: str) -> str:
    """The number that a word says, whether it counts or orders; else nothing."""
    counted = meaning("eastern.numerals").get(word) or str(plain_counts().get(folded(word), ""))
    found = counted or _ordinals().get(word, "")
    ends = range(3, min(len(word), STEM) + 1)
    return found or next((n for end in ends if (n := _ordinals().get(word[:end] + "-"))), "")


def _counts(word: str) -> bool:
    return word in meaning("eastern.numerals") or folded(word) in plain_counts()
