"""The figures of a part that may be somebody's answer, each with how much it looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest

from workings.claims.marked import Amount, Mark, Word, said
from workings.claims.page import READ, Page
from workings.claims.sayings import sayings_in
from workings.grade.clauses import CONTEXT, clause_around, listed, stands
from workings.grade.emphasis import strength_at
from workings.grade.labels import label_of, numbers
from workings.grade.rivals import linked, said_any
from workings.grade.written import Written
from workings.marks.numerals import spelled_out
from workings.marks.parser import whole
from workings.marks.quantity import BARE, PLAIN, Printed
from workings.marks.spoken import MOST_PLAIN
from workings.marks.token import Token
from workings.marks.tree import Number, Operation, leaves, letters
from workings.marks.values import NoValueError, Reading, choices, value_of
from workings.reading.blocks import Block

MAX_QUANTITIES = 1_000  # of one part; no person writes more
COPIED = 12  # letters that a sentence hardly shares with the sheet by chance
_GROUPED = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")
_LABELS = re.compile(r"^\W*\d{1,2}\.\d{1,2}\b", re.MULTILINE)  # 1.2 where a line begins
_UNIT = re.compile(r"%|[^\W\d_][^\W\d]*(?:/[^\W\d_]+|[ -][^\W\d_]+)?")
_CALCULATION = ("number", "operator", "open", "close")
MOST_QUOTIENT = 3  # tokens of `3/35`, which is read in any sentence
FEW = 2  # words beside a figure that stands by itself

_RELATIONS = ("=", "≈", "<", "<=", ">", ">=")


def quantities(page: Page, blocks: Sequence[Block], sheet: str = "") -> list[Written]:
    """The figures of these blocks in reading order; operands of a calculation are left out.

    So is what is copied from the sheet.
    """
    found: list[Written] = []
    before, rows, copied = "", _rows(blocks), letters_and_digits(sheet)
    for block in _with_units(blocks):
        if block.kind != "code" or (block.notebook_cell is None and block.language.lower() in _SET):
            around = rows[block.cell.table, block.cell.row] if block.cell else before[-CONTEXT:]
            around += " " + rows.get((block.cell.table, -1 - block.cell.column), "") if block.cell else ""
            found += _Reader(page, block, around, copied).figures()
        before = block.text if block.cell is None else before
        if len(found) > MAX_QUANTITIES:
            break
    return found[:MAX_QUANTITIES]


def letters_and_digits(text: str) -> str:
    """Its letters and digits alone, to tell what is copied."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


_SET = READ - {"python", "py", "python3"}  # fences that hold no program


def _with_units(blocks: Sequence[Block]) -> Iterator[Block]:
    """These blocks, a cell with the cell behind it where that holds the unit: `| 2,79 | TB |`."""
    for block, behind in zip_longest(blocks, blocks[1:]):
        cell, other = block.cell, behind.cell if behind is not None else None
        beside = (
            cell is not None and other is not None and other.column == cell.column + 1
            and (other.table, other.row) == (cell.table, cell.row)
        )  # fmt: skip
        if beside and any(map(str.isdigit, block.text)) and _UNIT.fullmatch(behind.text.strip()):
            text, offsets = f"{block.text} {behind.text}", (*block.offsets, *behind.offsets)
            yield replace(block, text=text, offsets=offsets)
        else:
            yield block


def _rows(blocks: Sequence[Block]) -> dict[tuple[int, int], str]:
    """The words of each table's rows, by table and row; under -1, -2 … the heads of its columns."""
    found: dict[tuple[int, int], str] = {}
    for block in blocks:
        if block.cell is not None:
            table, row, column = block.cell.table, block.cell.row, block.cell.column
            found[table, row] = f"{found.get((table, row), '')} {block.text[:CONTEXT]}"[: 4 * CONTEXT]
            if row == 0:
                found[table, -1 - column] = block.text[:CONTEXT]
    return found


class _Reader:
    """The figures of one block."""

    def __init__(self, page: Page, block: Block, around: str, copied: str) -> None:
        self.page, self.block, self.around, self.copied = page, block, around, copied
        label = label_of(block.text, heading=block.kind == "heading")
        self.mark = label.end if label is not None else 0
        is_item = label is not None and numbers(label) and label.values[-1] <= MOST_PLAIN
        self.begin = self.mark if is_item else 0

    def figures(self) -> Iterator[Written]:
        """Every number but operands, labels, names of things and what the sheet says."""
        page, block = self.page, self.block
        said, found, places = list[Mark](), list[Written](), list[int]()
        for saying in sayings_in(_tokens(page, block), block, page.known, page.words):
            marks = saying.marks
            text = letters_and_digits(block.text[marks[0].start : marks[-1].end])
            if len(text) >= COPIED and text in self.copied:
                continue
            for place, mark in enumerate(marks):
                if isinstance(mark, Amount) and self._is_figure(marks, place, mark):
                    found.append(self._written(marks, place, mark))
                    places.append(len(said) + place)
            said += marks
            yield from self._quotients(marks)
        yield from linked(found, said, places, block.text)
        yield from self._worked_out()

    def _worked_out(self) -> Iterator[Written]:
        """`7/(16 + 7)`, where a line says nothing else and not what it comes to."""
        ahead = self.begin if self.block.kind in ("prose", "display", "cell") else len(self.block.text)
        tokens = [t for t in _tokens(self.page, self.block) if t.start >= ahead]
        tokens = tokens[: len(tokens) - (tokens[-1:] != [] and tokens[-1].kind == "stop")]
        bare = len(tokens) > MOST_QUOTIENT and all(t.kind in _CALCULATION for t in tokens)
        node = whole(tokens, self.page.known) if bare else None
        if not isinstance(node, Operation) or letters(node):
            return
        try:
            value = value_of(node, Reading(next(choices(node))))
        except NoValueError:
            return
        if value.dimension == BARE and value.low > 0:
            number = next(leaf for leaf in leaves(node) if isinstance(leaf, Number))
            exact = replace(number, printed=(Printed(value.middle, Fraction(0)),), units=(PLAIN,))
            start, end = tokens[0].start, tokens[-1].end
            yield Written(exact, self.block.offsets[start], self.block.offsets[end - 1] + 1, 3, "",
                          self.block.text[start:end], self.around, alone=True)  # fmt: skip

    def _quotients(self, marks: Sequence[Mark]) -> Iterator[Written]:
        """`3/35`, where nobody says what it comes to."""
        for place in range(len(marks) - 2):
            above, sign, below = marks[place : place + 3]
            around = [*marks[max(0, place - 1) : place], *marks[place + 3 : place + 4]]
            if (
                isinstance(above, Amount) and isinstance(below, Amount) and sign.text == "/"
                and above.plain and below.plain and below.node.printed[0].value
                and not said_any(around, "sign") and not said_any(marks[place + 3 : place + 4], "=")
            ):  # fmt: skip
                value = above.node.printed[0].value / below.node.printed[0].value
                exact = Printed(value, Fraction(0))
                node = replace(below.node, printed=(exact,), start=above.start)
                yield self._written(marks, place, replace(above, node=node, end=below.end))

    def _is_figure(self, marks: Sequence[Mark], place: int, mark: Amount) -> bool:
        if mark.worded or mark.start < self.begin:
            return False
        if any(noun in listed("points") for noun in mark.nouns[:1]):
            return False
        return not (mark.part or self._is_operand(marks, place, mark))

    def _written(self, marks: Sequence[Mark], place: int, amount: Amount) -> Written:
        start, text, offsets = amount.start, self.block.text, self.block.offsets
        counted = next((n for n, word in enumerate(amount.nouns, 1) if _is_counted(word)), 0)
        noun, end = " ".join(amount.nouns[:counted]), amount.node.end
        end = _end_of_word(text, amount.nouns[counted - 1], end) if noun else end
        begin, close = max(marks[0].start, start - CONTEXT), min(marks[-1].end, start + CONTEXT)
        words = sum(
            isinstance(mark, Word)
            and mark.text[:1].isalpha()
            and mark.start >= self.mark
            and not said(mark, "about")
            for mark in marks
        )
        alone = words <= FEW and len(marks) <= 2 * FEW + 2
        strength = strength_at(self.page.document.text, offsets[start]) or self._plain_strength(
            marks, place
        )
        clause = clause_around(text, marks, start, end)
        return Written(amount.node, offsets[start], offsets[end - 1] + 1,
                       max(strength, self._stands_alone(words, marks)), noun,
                       text[begin:close], self.around, clause,
                       worded=text[start].isalpha() and _is_small(amount.node), alone=alone,
                       beyond=place > 0 and marks[place - 1].text in ("<", ">"),
                       aside=_open(text[marks[0].start : start]) >= 0,
                       passing=self._goes_on(marks, place))  # fmt: skip

    def _goes_on(self, marks: Sequence[Mark], place: int) -> bool:
        """Whether a chain in mathematics goes on behind a figure."""
        behind = marks[place + 1] if place + 1 < len(marks) else None
        if not isinstance(behind, Word) or behind.text not in _RELATIONS:
            return False
        return self.block.dialect_at(marks[place].start) == "math"

    def _is_operand(self, marks: Sequence[Mark], place: int, amount: Amount) -> bool:
        """Whether a figure is part of a larger formula, an index or a label's number."""
        before = marks[place - 1] if place else None
        behind = marks[place + 1] if place + 1 < len(marks) else None
        math = self.block.dialect_at(amount.start) == "math"
        if before is not None and (before.text == "_" or (math and said(before, "("))):
            return True
        if math and isinstance(behind, Word) and behind.start == amount.end and behind.text[:1].isalnum():
            return True
        if isinstance(behind, Word) and behind.text in _RELATIONS:
            return before is None or before.text not in _RELATIONS
        labels = [mark for mark in marks[max(0, place - 3) : place] if mark.text not in ("(", ".")]
        word = labels[-1].text.casefold() if labels else ""
        return word in listed("label") or word.endswith("第")

    def _plain_strength(self, marks: Sequence[Mark], place: int) -> int:
        """3 behind a word such as “so”, 2 at the end of a chain, 1 in a cell, else 0."""
        start, before = marks[place].start, marks[place - 1] if place else None
        text = self.block.text[max(marks[0].start, start - CONTEXT) : start].casefold()
        text = text[max(0, _open(text)) :]  # an aside has a word of its own
        if any(stands(word, text) for word in listed("cue")):
            return 3
        if before is not None and (before.text in _RELATIONS or said(before, "->", ":")):
            return 2
        return 1 if self.block.cell else 0

    def _stands_alone(self, words: int, marks: Sequence[Mark]) -> int:
        """3 where hardly a word stands beside a figure; a program prints more than what is the answer."""
        if words > FEW or len(marks) > 2 * FEW + 2 or self.block.cell:
            return 0
        return 2 if self.block.kind == "output" else 3


def _is_small(number: Number) -> bool:
    """Whether words say a small count or a mere part, such as people have in any sentence."""
    value = number.printed[0].value
    return (value.numerator <= MOST_PLAIN and value.denominator == 1) or value.numerator == 1


def _open(text: str) -> int:
    """Where the bracket stands that is open at the end of a text, or -1."""
    opens = max(text.rfind("("), text.rfind("（"))
    return opens if opens > max(text.rfind(")"), text.rfind("）")) else -1


def _end_of_word(text: str, word: str, start: int) -> int:
    """Where a word ends that may be written in full or as `params`."""
    stem = word[:5] if word.isascii() else word
    end = max(start, text.casefold().find(stem, start) + len(stem))
    while end < len(text) and text[end].isascii() and text[end].isalnum():
        end += 1
    return end + (text[end : end + 1] == "}" and "{" in text[start:end])


def _is_counted(word: str) -> bool:
    known, first = listed("counted"), "" if word.isascii() else word[:1]
    return any(part in known or part.removesuffix("s") in known for part in (word, first))


def _tokens(page: Page, block: Block) -> list[Token]:
    """The tokens without dashes that are no minus; `20 444` as one that may be 20,444 as well as 20."""
    out: list[Token] = []
    tokens = spelled_out(page.tokens(block), page.languages)
    commas = _parts_by_commas(page.document.text)
    for token, after in zip_longest(tokens, tokens[1:]):
        last = out[-1] if out else None
        if (
            last is not None
            and last.kind == token.kind == "number"
            and _is_group(block.text, last, token)
        ):
            text = last.text + token.text
            joined = page.style.number(text, 0)
            numbers = (*(joined[1] if joined and joined[0] == text else ()), *last.numbers)
            out[-1] = replace(last, text=text, end=token.end, numbers=numbers)
        elif not _is_dash(last, token, after) and not _is_times(token, after):
            out.append(_either(token) if commas else token)
    return out


@lru_cache(maxsize=4)
def _parts_by_commas(text: str) -> bool:
    """Whether more figures of a hand-in have a comma before their decimals than a point."""
    text = _LABELS.sub("", text)
    return len(re.findall(r"\d,\d{1,2}(?!\d)", text)) > len(re.findall(r"\d\.\d{1,2}(?!\d)", text))


def _either(token: Token) -> Token:
    """`2,794` as 2.794 as well as 2,794."""
    if token.kind != "number" or len(token.numbers) != 1 or not _GROUPED.fullmatch(token.text):
        return token
    as_decimal = Printed(Fraction(token.text.replace(",", ".")), Fraction(1, 1000))
    as_whole = Printed(Fraction(re.sub("[.,]", "", token.text)), Fraction(1), 0, True)
    rest = tuple(one for one in (as_decimal, as_whole) if one.value != token.numbers[0].value)
    return replace(token, numbers=(*token.numbers, *rest))


def _is_group(text: str, first: Token, second: Token) -> bool:
    """Whether a number may go on behind a space: three digits behind one to three."""
    digits = second.text.replace(",", ".").partition(".")[0]
    return (
        text[first.end : second.start] == " " and len(first.text) <= 3 and len(digits) == 3
        and (first.text + digits).isdigit()
    )  # fmt: skip


def _is_dash(before: Token | None, token: Token, after: Token | None) -> bool:
    """A minus before a list's line, between words, or in `44-GPU cluster`."""
    if (token.kind, token.text) != ("operator", "-") or token.math or after is None:
        return False
    if before is None and after.kind == "number" and after.start == token.end:
        return False  # -44: a list has a space
    return before is None or before.text == "\n" or (after.kind == "word" and after.text not in "$€£¥")


def _is_times(token: Token, after: Token | None) -> bool:
    """The cross of `3.75× as long`, which multiplies nothing."""
    if (token.kind, token.text) != ("operator", "*") or token.math:
        return False
    return after is None or after.kind == "stop" or (after.kind == "word" and len(after.text) > 1)
