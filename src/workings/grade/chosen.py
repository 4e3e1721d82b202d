"""Which of several things a hand-in chooses: a label, true or false, the line that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from workings.grade.clauses import listed
from workings.grade.file import Answer, Choice
from workings.grade.judged import NOTHING, Judged
from workings.grade.quantities import letters_and_digits
from workings.reading.blocks import Block

SAID = 10  # letters of a choice's own words by which it is known
BEFORE, BEHIND = 24, 40  # characters that turn a choice down, or stress it
_STOP = re.compile(r"[.!?。！？\n]")
_CLAUSE = re.compile(r"[.,;:!?(。，；：！？（\n]")
_LONE = re.compile(r"\W*$|\W*\n")


@dataclass(frozen=True)
class _Mention:
    """A choice that is named, where, and how much that looks like an answer."""

    choice: Choice
    start: int
    end: int
    strength: int


def judge_choice(answer: Answer, blocks: Sequence[Block], sheet: str) -> Judged:
    """The verdict on what is chosen; where two are, none is."""
    texts = ((b, letters_and_digits(b.text)) for b in blocks if b.kind != "heading")
    own = [
        b for b, said in texts if said and (len(b.text) < SAID or said not in sheet or _short(answer, b))
    ]
    own = _without_list(answer, own)
    own = [stated for block in own for stated in _stated(block)] or own
    named = _truths if answer.kind == "truth" else _labels
    found = [mention for block in own for mention in named(answer, block)]
    surest = max((mention.strength for mention in found), default=0)
    best = [mention for mention in found if mention.strength == surest]
    if not best and own:
        said = "what is written names none of what there is to choose from"
        return Judged("unsure", 0.0, said, own[0].offsets[0], own[-1].offsets[-1], sure=False)
    if not best:
        return NOTHING
    start, end = best[0].start, best[0].end
    if len({mention.choice.label for mention in best}) > 1:
        said = "more than one is named and none is chosen"
        return Judged("unsure", 0.0, said, start, end, sure=False)
    choice = best[0].choice
    if choice.right:
        return Judged("right", 1.0, "", start, end)
    known = bool(choice.share or choice.hint)
    said = "; ".join(words for words in (choice.words, choice.hint) if words)
    return Judged("known wrong" if known else "wrong", choice.share, said if known else "", start, end)


def _stated(block: Block) -> Iterator[Block]:
    """What stands behind each `Answer:` that a line begins with, from its colon on."""
    for match in _answered().finditer(block.text):
        if letters_and_digits(match["said"]):
            yield block.part(*match.span("said"))


@cache
def _answered() -> re.Pattern[str]:
    words = _any(listed("answered"))
    return re.compile(
        rf"^\W{{0,3}}(?:\([a-z0-9]{{1,4}}\)\s*)?(?:{words})\s*(?:[(（][^()（）\n]*[)）])?\s*(?P<said>[:：].*)",
        re.IGNORECASE | re.MULTILINE,
    )


def _short(answer: Answer, block: Block) -> Choice | None:
    """The one choice whose words a block begins with, more than half of them and nothing else."""
    said = letters_and_digits(_CLAUSE.split(block.text.strip(), maxsplit=1)[0])
    alike = [c for c in answer.choices if letters_and_digits(c.words).startswith(said)]
    if len(said) < SAID or len(alike) != 1:
        return None
    return alike[0] if 2 * len(said) > len(letters_and_digits(alike[0].words)) else None


def _without_list(answer: Answer, blocks: list[Block]) -> list[Block]:
    """These blocks without a copy of all that there is to choose from."""
    copies: dict[str, list[Block]] = {}
    for choice in answer.choices:
        if words := letters_and_digits(choice.words):
            alike = (words, letters_and_digits(choice.label) + words)
            copies[choice.label] = [b for b in blocks if letters_and_digits(b.text) in alike]
    if len(copies) < 2 or not all(copies.values()):
        return blocks
    first = {id(found[0]) for found in copies.values()}
    return [block for block in blocks if id(block) not in first]


def _labels(answer: Answer, block: Block) -> Iterator[_Mention]:
    """Every choice that a block names by its label, its number in words or its own words.

    A figure or letter within a formula names none.
    """
    text = block.text
    if (short := _short(answer, block)) is not None:
        yield _Mention(short, block.offsets[0], block.offsets[-1], 1)
    for choice in answer.choices:
        for start, end, strength in _places(answer, choice, text):
            before, behind = _beside(text, start, end)
            within = any(
                m.start <= start and end <= m.end and end - start < m.end - m.start for m in block.marks
            )
            if within or any(before.endswith(word) for word in listed("rejected_before")):
                continue
            bad = any(word in behind for word in listed("fault"))
            if bad and answer.kind != "line":
                continue
            chosen = text[start] in ":：" or any(before.endswith(w) for w in listed("choosing"))
            stressed = bad or chosen
            yield _Mention(choice, block.offsets[start], block.offsets[end - 1] + 1, strength + stressed)


def _places(answer: Answer, choice: Choice, text: str) -> Iterator[tuple[int, int, int]]:
    """Where a choice is named in a text, and how surely: by itself, in brackets, behind a word."""
    label = choice.label
    if text.strip(" .*_()[]{}:").casefold() == label.casefold():
        yield 0, len(text), 3
        return
    for match in re.finditer(_pattern(re.escape(label)), text, re.IGNORECASE):
        yield match.start(), match.end(), 1
    if len(label) == 1 and label.isalpha():
        for match in re.finditer(rf"(?<![\w\\$]){label.upper()}(?![\w'’=(])", text):
            if label.casefold() not in "ai" or _LONE.match(text[match.end() :]):
                yield match.start(), match.end(), 1
    for ordinal in _ordinals().get(label, ()) if answer.kind == "line" else ():
        for match in re.finditer(re.escape(ordinal), text, re.IGNORECASE):
            yield match.start(), match.end(), 1
    words = choice.words.casefold().rstrip(".")
    if len(letters_and_digits(words)) >= SAID and (at := text.casefold().find(words)) >= 0:
        yield at, at + len(words), 1


@cache
def _pattern(label: str) -> str:
    """A label in brackets, behind a word such as “option”, in a list of labels, or before a bracket."""
    words = _any(listed("option"))
    joins = _any(listed("hedge") | listed("cut") | {","})
    return (
        rf"[(\[（]{label}[.]?[)\]）]|(?<![\w(]){label}[)](?!\w)|(?:{words})\W{{0,3}}{label}(?![A-Za-z0-9])"
        rf"|[:：]\s*{label}(?=\s*(?:$|[(（,;]|[.](?!\d)))"
        rf"|(?:{words})\W{{0,3}}\w{{1,3}}\s?(?:{joins})\s?\W?{label}(?!\w)|(?:^|,\s?){label}(?=\s?(?:,|$))"
    )


def _any(words: frozenset[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _ordinals() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for words in listed("ordinals"):
        number, _, word = words.partition(" ")
        found.setdefault(number, []).append(word)
    return {number: tuple(words) for number, words in found.items()}


def _truths(answer: Answer, block: Block) -> Iterator[_Mention]:
    """What the first sentence says that says true or false."""
    of = {choice.label: choice for choice in answer.choices}
    sides = {label: of.get(label, Choice(label=label)) for label in ("true", "false")}
    told = {word: label for label in sides for word in listed(label)}
    pattern = "|".join(_bounded(word) for word in sorted(told, key=len, reverse=True))
    ends: int | None = None
    for match in re.finditer(pattern, block.text, re.IGNORECASE):
        if ends is not None and match.start() >= ends:
            return
        if ends is None:
            stop = _STOP.search(block.text, match.end())
            ends = stop.start() if stop else len(block.text)
        label = told[match[0].casefold()]
        before, _ = _beside(block.text, match.start(), match.end())
        if before.rsplit(" ", 1)[-1] in listed("negation") or before[-1:] in ("不", "非"):
            label = "false" if label == "true" else "true"
        yield _Mention(sides[label], block.offsets[match.start()], block.offsets[match.end() - 1] + 1, 1)


def _bounded(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?!\w)" if word[0] < "\u2e80" else re.escape(word)


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    before = text[max(0, start - BEFORE) : start].casefold().rstrip(" (")
    behind = _STOP.split(text[end : end + BEHIND].casefold())[0]
    return before, behind.split(",")[0]
