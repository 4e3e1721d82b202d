"""The labels that parts begin with, by a table of forms: `(a)`, `Question 2 (a)`, `2c`, `一、`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple
from unicodedata import normalize

from workings.grade.clauses import listed
from workings.grade.labels_worded import in_digits

FAR = 72  # characters of a line looked at

# How people count, by the sign that stands for it in a style.
_WAYS = {
    "1": tuple(str(n) for n in range(1, 100)),
    "i": ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"),
    "a": tuple("abcdefghijklmnopqrstuvwxyz"),
    "一": (*"一二三四五六七八九十", "十一", "十二"),
    "а": tuple("абвгдежзиклмн"),
    "α": tuple("αβγδεζηθικλμ"),
    "가": tuple("가나다라마바사아자차카타"),
    "ア": tuple("アイウエオカキクケコサシ"),
}
_NAMES = "|".join(
    re.escape(word) + (r"(?![^\W\d_])" if word[0] < "⺀" else "")
    for word in sorted(listed("part"), key=len, reverse=True)
)
_OF = "to|of|no|n|nr|zu|zur|de|del|di|do|к|до"  # between such words, as in “answer to question no. 2”
_ATOMS = {
    "WORD": rf"(?:(?:{_NAMES})[\s.#°-]{{0,3}}(?:(?:{_OF})\b[\s.°]{{1,2}})?){{1,3}}",
    "OFWORD": _OF, "AFTER": rf"[.\s-]{{0,2}}(?:{_NAMES})",  # 2. soru
    "LETTER": r"(?:[ivx]{2,4}|[a-zα-μа-н])(?![^\W\d_一-鿿가-힣])|[一二三四五六七八九十]{1,2}"
              r"|[가나다라마바사아자차카타](?=[.)])|[アイウエオカキクケコサシ](?=[.)])",
    "NUMBER": r"0?[0-9]{1,2}(?![0-9])",
    "CLOSE": r"\s?=|[.:)\]]", "ARROW": r"\s?(?:->|→|=>)", "OPEN": r"[(\[]\s?", "SHUT": r"\s?[)\]]",
    "EDGE": r"(?![a-z0-9行步层段/])(?![.,][0-9]|-[a-z0-9])",  # of a label with a word
    "SPACE": r"(?=[\s*\"\\]|$|[^\W\d_a-z])",  # what follows a sign that ends a label
    "FREE": r"(?![\^_/·×=+*]|\\(?!q?quad|[\\,;: ]))",  # where no formula goes on
}  # fmt: skip
_ATOMS["FIRST"] = f"(?P<one>{_ATOMS['NUMBER']}|{_ATOMS['LETTER']})"
_ATOMS["SECOND"] = f"(?P<two>{_ATOMS['NUMBER']}|{_ATOMS['LETTER']})"
_ATOMS["PAIR"] = f"(?P<one>{_ATOMS['NUMBER']})[.-]?(?P<two>{_ATOMS['LETTER']})"  # 2c
_ATOMS["DECIMAL"] = rf"(?P<one>{_ATOMS['NUMBER']})\.(?P<two>{_ATOMS['NUMBER']})"  # 2.3
_ATOMS["COUNTED"] = rf"(?:(?P<one>[a-z])[.-]?(?P<two>{_ATOMS['NUMBER']}))"  # A1
_ATOMS["ROMAN"] = rf"(?P<one>[ivx]{{1,4}})[.-]\s?(?P<two>{_ATOMS['NUMBER']}|{_ATOMS['LETTER']})"  # II.3
_ATOMS["LATIN"] = r"(?P<one>[ivx]{1,4})(?P<two>[a-h])"  # IIb
_WORD = re.compile(_ATOMS["WORD"], re.IGNORECASE)
# The forms of labels by how little each looks like one; with `!` emphasis or the line has to end there.
_FORMS = {
    0: (r"WORD FIRST [.:)]?[,\s-]{0,2}(?:WORD)?OPEN SECOND SHUT",
        r"WORD FIRST\s?[の的의]\s?[アイウエオカキク]?OPEN SECOND SHUT",  # 問1のア（a）
        r"WORD OPEN SECOND SHUT\s(?:OFWORD\s)?WORD FIRST EDGE CLOSE?",
        r"WORD FIRST\s?[-–]\s?SECOND EDGE CLOSE?",
        r"WORD FIRST [.:)]?[,\s-]{0,2}WORD SECOND EDGE CLOSE?", "WORD PAIR EDGE CLOSE?",
        "WORD DECIMAL EDGE CLOSE?", "WORD OPEN FIRST SHUT FREE", r"WORD FIRST(?=[^\x00-\x7f])AFTER[.:)]?",
        r"WORD (?<![:：])(?<![:：]\s)FIRST EDGE CLOSE?", r"FIRST AFTER[.:]?(?!\w)",
        r"FIRST AFTER[,.:]?\s{0,2}(?:WORD)?SECOND EDGE CLOSE?"),
    1: ("OPEN PAIR SHUT FREE", r"(?:OPEN)?FIRST[.:)\]-]?\s{0,2}(?:WORD)?OPEN SECOND SHUT FREE",
        r"FIRST [.:)]?\s{0,2}WORD SECOND EDGE CLOSE?", r"PAIR\s?[.:)>\]]SPACE", r"PAIR\s[-–—](?=\s)",
        "PAIR ARROW", r"PAIR(?!\s?=)(?=[\s,;]|[-–][a-z]|$)", "PAIR!",
        r"FIRST[.)]\s{1,2}SECOND[.:)]SPACE", r"DECIMAL[.:)\]]SPACE",
        r"COUNTED\s?[.:)\]]SPACE", "COUNTED ARROW", "COUNTED!",
        r"ROMAN\s?[.:)\]]SPACE", "ROMAN ARROW", r"ROMAN(?=\s)", "ROMAN!",
        "OPEN FIRST SHUT FREE", r"\#FIRST[.:)]?(?=\s)",
        r"FIRST\s?[)\]]SPACE FREE", r"FIRST[.:)]\]SPACE", "FIRST、"),
    2: (r"FIRST[.)]\s{1,2}SECOND!", r"FIRST\.SPACE"),
    3: (r"LATIN[.:)]?SPACE", r"PAIR\s?=", r"FIRST(?=\s{3,}\S)",),
    4: (r"(?P<one>[ivx]{2,4})(?=\s\S)",
        r"DECIMAL(?=\s|$)", r"FIRST\s?:SPACE", r"COUNTED(?=\s)", r"FIRST(?=\s[(（][^\W\d])",
        "FIRST ARROW", r"FIRST\s[-–—](?=\s)"),
    5: ("FIRST!",),
}  # fmt: skip


def _compiled(form: str) -> re.Pattern[str]:
    pattern = re.sub(
        "[A-Z]{4,}| ", lambda atom: f"(?:{_ATOMS[atom[0]]})" if atom[0] != " " else "", form.rstrip("!")
    )
    return re.compile(pattern, re.IGNORECASE)


_READERS = [(cost, form, _compiled(form)) for cost, forms in _FORMS.items() for form in forms]
_ALSO = re.compile(
    r"\s?(?P<join>[,;&+/~–—-]|(?:to|bis|and|und|et|y|e|i|en|och|og|и|ve)\b|[和与と、]|및)\s?[(\[]?"
    rf"(?:[0-9]{{1,2}}[.-]?(?=[a-z]))?(?P<value>{_ATOMS['NUMBER']}|{_ATOMS['LETTER']})(?:\s?[)\]:.]|(?=\s|$))",
    re.IGNORECASE,
)
# What may stand before a label: list marks, commands and quotes of the source.
_DECORATION = re.compile(
    r"(?:[\s\"'`>*_\-+:.&$~•·–—|{]|#(?!\d)|\\[nrt](?![a-z])|\\[\[(,;!]|\\\\|\\(?:sub){0,2}(?:section|paragraph)\*?\{?"
    r"|\\(?:text|math)[a-z]{2}\{|\\(?:text|emph|underline)\{|\\q?quad|\\noindent|\\item|\[(?=[^\[\]]{1,30}\])|</?[a-z]{1,6}>)+"
)


class Label(NamedTuple):
    """The values of a label from 1, outermost first, and the style that all labels of a numbering share.

    `end` is where it ends in its text, `cost` how little it looks like a label: 0 for one with a word, 5
    for a mere number. `ways` are how it counts, `1a` for `2 (c)`; `also` the last values of further parts
    that it names: `(a) and (b)`, `a–c`.
    """

    style: str
    values: tuple[int, ...]
    end: int
    cost: float
    ways: str = ""
    also: tuple[int, ...] = ()


def labels_at(text: str, ends: Callable[[int], bool] = lambda _: False) -> list[Label]:
    """The readings of the label that a text begins with, those with two values first.

    `ends` says whether emphasis or the line ends at a place of the text: there a mere `2` may be a label.
    """
    signs, starts = in_digits(*_plain(text[: 2 * FAR]))
    begin, found = len(signs) - len(bare(signs)), list[Label]()
    named = _WORD.match(signs, begin) is not None
    for cost, form, reader in _READERS:
        match = reader.match(signs, begin) if named or not form.startswith("WORD") else None
        if match is None:
            continue
        line_ends = not signs[match.end() :].split("\n")[0].strip()
        if not form.endswith("!") or line_ends or ends(starts[match.end()]):
            found += (one._replace(end=starts[one.end]) for one in _labels(match, float(cost)))
    return found


def label_of(text: str, *, heading: bool = False) -> Label | None:
    """The label that a text begins with and that is told by its signs; a heading may be a mere `2`."""
    return next((one for one in labels_at(text) if one.cost <= 2 or (heading and one.cost == 5)), None)


def numbers(label: Label) -> bool:
    """Whether a label's figure could be taken for one that is an answer."""
    return label.cost == 0 or label.ways.endswith("1")


def bare(text: str) -> str:
    """A text without the list marks and commands in front of it."""
    match = _DECORATION.match(text)
    return text[match.end() :] if match else text


def place_of_id(id_: str, *, roman: bool = False) -> tuple[int, int] | None:
    """Question and part that an id stands for: `2a`, `3`, `2-ii`, `b-ii`; 0 for none; None for words."""
    if lettered := re.fullmatch(r"([a-z])-([ivx]{1,4})", id_):
        return _WAYS["a"].index(lettered[1]) + 1, _WAYS["i"].index(lettered[2]) + 1
    match = re.fullmatch(r"(\d{1,2})?[.-]?([a-z]|[ivx]{2,4})?", id_)
    if match is None:
        return None
    values = dict(_read(match[2] or ""))
    return int(match[1] or 0), values.get("i" if roman else "a", 0) or next(iter(values.values()), 0)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text in small plain signs, ① as (1), and for each of them where it stands in the text."""
    plain = (c if c == "№" else normalize("NFKC", c) for c in text)
    signs = [f"({sign})" if c in "①②③④⑤⑥⑦⑧⑨⑩" else sign for c, sign in zip(text, plain, strict=True)]
    starts = [at for at, sign in enumerate(signs) for _ in sign]
    small = (low if len(low := sign.lower()) == 1 else sign for sign in "".join(signs))
    return "".join(small), [*starts, len(text)]


def _labels(match: re.Match[str], cost: float) -> Iterator[Label]:
    """A label in each way in which its values may be meant: `i` is the first as well as the ninth."""
    spans = [match.span(name) for name in ("one", "two") if name in match.re.groupindex]
    for values in product(*(_read(match.string[start:end]) for start, end in spans)):
        style, at = "", match.start()
        for (start, end), (way, _) in sorted(zip(spans, values, strict=True)):
            style, at = f"{style}{match.string[at:start]}{way}", end
        style = "".join((style + match.string[at : match.end()]).split())
        style = style if cost else style.rstrip(".:)]=")
        way, value = values[-1]
        end, also = _also(match, way, value) if cost <= 1 else (match.end(), ())
        yield Label(
            style, tuple(value for _, value in values), end, cost, "".join(way for way, _ in values), also
        )


def _read(value: str) -> Iterator[tuple[str, int]]:
    for way, values in _WAYS.items():
        if (plain := value.lstrip("0")) in values:
            yield way, values.index(plain) + 1


def _also(match: re.Match[str], way: str, value: int) -> tuple[int, tuple[int, ...]]:
    """Where a label ends that names further parts, and their values."""
    end, found = match.end(), list[int]()
    closed = match[0].endswith((".", ":"))
    while not closed and (more := _ALSO.match(match.string, end)) is not None:
        read = dict(_read(more["value"])).get(way, 0)
        if read <= value:
            break
        found += range(value + 1 if more["join"] in ("-", "–", "—", "to", "bis", "~") else read, read + 1)
        end, value = more.end(), read
    return end, tuple(found)
