"""What the mark of a part looks like: `(a)`, `Part a`, `Question 2 (a)`, `2a)`, `问题 一`, `\\item`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

from workings.grade.clauses import listed

FAR = 60  # characters of a line looked at
_NUMBER = r"[0-9]{1,2}|[一二三四五六七八九十]"
_LETTER = r"[a-h]|[ivx]{1,4}"
# What may stand before a marker: list marks, commands and quotes of the source.
_DECORATION = re.compile(
    r"(?:[\s\"'#>*_\-+:：.]|\\n|\\(?:sub){0,2}section\*?\{?|\\paragraph\*?\{?|\\textbf\{|\\item|\[(?=\())+"
)
_NAMES = (f"{w}(?![A-Za-z])" if w.isascii() else w for w in sorted(listed("part"), key=len, reverse=True))
_WORD = f"(?:{'|'.join(_NAMES)})"
_BEFORE = rf"(?:{_WORD}[\s.:-]{{0,3}}(?:to\s|of\s|zu\s)?){{1,3}}"
_MARKER = re.compile(
    rf"(?P<word>{_BEFORE})?(?:"
    rf"(?P<q1>{_NUMBER})?(?:[\s.,:-]{{0,3}}(?:{_WORD}[\s.:-]{{0,2}})?)[(\[](?P<p1>{_LETTER}|{_NUMBER})\.?[)\]]"
    rf"|(?P<q2>{_NUMBER})(?:[.-]?|\s(?=(?:{_LETTER})(?:[).:]|\s*$)))(?P<p2>{_LETTER})"
    r"(?:[).:]|(?=[\s*]|$))(?![A-Za-z0-9=])"
    rf"|(?P<p3>{_LETTER})[).](?=[\s:*]|$)"
    rf"|(?P<q3>{_NUMBER})(?:[).]|(?P<colon>[:：]))(?=\s)"
    rf"|(?(word)(?:(?<![:：])(?<![:：]\s)(?P<q4>{_NUMBER})|(?P<p4>{_LETTER}))\.?[)\]]?(?![A-Za-z0-9行步层段])|(?!)))",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"(?P<q1>{_NUMBER})?[.-]?(?P<p1>{_LETTER})?", re.IGNORECASE)
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_CHINESE = dict(zip("一二三四五六七八九", "123456789", strict=True)) | {"十": "10"}


class Mark(NamedTuple):
    """Question 2 (a) is `2` and `a`; (a) by itself has no question, Question 2 no part."""

    question: str = ""
    part: str = ""
    named: bool = False  # by a word such as Question
    end: int = 0  # where it ends in its text
    colon: bool = False  # a mere number before a colon, as in `4: 1/3`


def mark_of(text: str) -> Mark | None:
    """The mark that a text begins with, or None."""
    signs = [f"({n})" if c in "①②③④⑤⑥⑦⑧⑨" else n for c in bare(text) if (n := normalize("NFKC", c))]
    match = _MARKER.match("".join(signs))
    if match is None:
        return None
    mark = _mark(match, bool(match["word"]), before=0)
    ends = next(n for n, end in enumerate(accumulate(map(len, signs)), 1) if end >= match.end())
    mark = mark._replace(end=len(text) - len(bare(text)) + ends)
    return mark._replace(colon=bool(match["colon"]) and not match["word"])


def mark_alone(text: str) -> Mark | None:
    """The mark that a heading consists of: `2`, `a`, `2a`."""
    match = _ALONE.fullmatch(bare(text).strip())
    return _mark(match, named=True, before=0) if match and match[0] else None


def _mark(match: re.Match[str], named: bool, before: int) -> Mark:
    found = {name[0]: value.casefold() for name, value in match.groupdict().items() if value}
    question = found.get("q", "")
    return Mark(
        _CHINESE.get(question, question),
        _CHINESE.get(p := found.get("p", ""), p),
        named,
        before + match.end(),
    )


def bare(text: str) -> str:
    """A text without the list marks and commands in front of it."""
    match = _DECORATION.match(text)
    return text[match.end() :] if match else text


def otherwise(mark: Mark) -> Iterator[Mark]:
    """The same mark where parts are numbered another way: (ii) or (2) for (b), 2 for (b), (b) for 2."""
    question, part, named, *_ = mark
    letter = _letter(part)
    yield mark
    yield Mark(question, letter, named)
    yield Mark("", _letter(question), named) if not part else mark
    yield Mark(str("abcdefgh".find(letter) + 1), "", named) if letter and not question else mark


def _letter(text: str) -> str:
    """The letter of a part that is numbered: ii or 2 for b."""
    if text in _ROMANS:
        return "abcdefgh"[_ROMANS.index(text)]
    return "abcdefgh"[int(text) - 1] if text.isdigit() and 1 <= int(text) <= 8 else text


def follows(first: Mark | None, second: Mark | None) -> bool:
    """Whether one mark comes after another: (b) after (a), of the same question."""
    if first is None or second is None or second.question not in ("", first.question):
        return False
    a, b = _letter(first.part), _letter(second.part)
    return len(a) == len(b) == 1 and ord(b) == ord(a) + 1


def mark_of_id(id_: str) -> Mark | None:
    """The mark that an id stands for: `2a`, `b`, `3`; None for one in words."""
    return mark_alone(id_) if len(id_) <= 6 else None
