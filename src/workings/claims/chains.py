"""Chains of relations in a block: `a = b ≈ c`, each side read as a calculation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workings.claims.claim import Claim
from workings.claims.continuing import continuation, going_on, last_amount, related, signs_at
from workings.claims.joining import joined, unnumbered
from workings.claims.page_letters import lettered
from workings.marks.grammar import beginning, ending
from workings.marks.lexer import tokens_of
from workings.marks.quantity import PLAIN
from workings.marks.style import Style
from workings.marks.token import Token, sentences
from workings.marks.tree import Letter, Node, Number, Operation, leaves
from workings.marks.words import listed
from workings.reading.blocks import Block

MOST_COUNTED = 3  # words of what a number counts
LONGEST_SENTENCE = 1_000  # tokens; longer is no sentence that people write


@dataclass(frozen=True, slots=True)
class Before:
    """An amount that a calculation may go on from, and the calculations that come to it."""

    amount: Node
    made: tuple[Node, ...] = ()

    def on(self, sign: str, operand: Node, start: int) -> tuple[tuple[Node, int], tuple[Node, ...]]:
        """The side that goes on from it with its place, and what else may be meant."""
        nodes = tuple(Operation(sign, (node, operand)) for node in (self.amount, *self.made))
        if sign in "+-" and isinstance(operand, Operation):  # 1.94 B, plus 28 · 16.78 M = 0.47 B
            return (operand, next(leaves(operand)).start), nodes
        bare = isinstance(operand, Number) and operand.units == (PLAIN,)
        return (nodes[0], start), (*nodes[1:], *(() if bare else (operand,)))


def chains_of(
    block: Block, style: Style, known: frozenset[str] = frozenset(), carried: Before | None = None
) -> Iterator[Claim]:
    """Every relation of a block whose sides can be read; `carried` is what it may go on from."""
    earlier: tuple[Token, ...] = ()
    claims: list[Claim] = []
    for sentence in sentences(tokens_of(block, style)):
        if len(sentence) > LONGEST_SENTENCE:
            continue
        tokens = lettered(unnumbered(joined(sentence)), block, known)
        goes_on = bool(tokens) and (signs_at(tokens, 0) or tokens[0].text[:1] in "xX")
        begins = bool(tokens) and tokens[0].kind == "relation" and not earlier
        before = (_before(earlier, claims, known) if earlier else carried) if goes_on or begins else None
        claims = [c for part in _apart(tokens) for c in _chain(block, related(part), known, before)]
        yield from claims
        earlier = tokens


def _before(sentence: Sequence[Token], claims: Sequence[Claim], known: frozenset[str]) -> Before | None:
    """What a line that begins with a sign goes on from."""
    last = max((token.start for token in sentence if token.kind == "number"), default=-1)
    for claim in claims:
        if claim.figure[0] <= last < claim.figure[1]:
            return Before(claim.right, (claim.left,))
    amount = last_amount(sentence, known)
    return Before(amount) if amount is not None else None


def carried_from(block: Block, style: Style, claims: Sequence[Claim]) -> Before | None:
    """What the next block may go on from: the result that a block ends with."""
    last = max((t.start for t in tokens_of(block, style) if t.kind == "number"), default=-1)
    ends = [claim for claim in claims if claim.figure[0] <= last < claim.figure[1]]
    return Before(ends[-1].right, (ends[-1].left,)) if ends else None


def _apart(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """A sentence, and each bracket in it that holds a relation of its own."""
    inner: list[tuple[int, int]] = []
    stack: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind == "open":
            stack.append(place)
        elif token.kind == "close" and stack:
            start = stack.pop()
            if any(t.kind == "relation" for t in tokens[start:place]):
                inner.append((start, place))
            elif (counted := _counted(tokens, start)) is not None and place - start > 2:
                equals = replace(tokens[start], kind="relation", text="=")
                yield (*tokens[counted:start], equals, *tokens[start + 1 : place])
    outer = [span for span in inner if not any(a < span[0] and span[1] < b for a, b in inner)]
    rest: list[Token] = []
    at = 0
    for start, end in sorted(outer):
        rest += tokens[at:start]
        at = end + 1
        before = _side(rest) if tokens[start + 1].kind == "relation" else []  # 50,677 h (≈ 5.8 a)
        yield from _apart([*before, *tokens[start + 1 : end]])
    yield tuple(rest + list(tokens[at:]))


def _counted(tokens: Sequence[Token], place: int) -> int | None:
    """The number, before what it counts and a bracket that may say it again: 8,192 tokens (2^13)."""
    at = place - 1
    while at > place - 1 - MOST_COUNTED and at >= 0 and tokens[at].kind == "word":
        at -= 1
    spoken = not tokens[place].math and tokens[place].spaced and tokens[place].text == "("
    factor = at > 0 and tokens[at - 1].kind == "operator"
    return at if spoken and at >= 0 and tokens[at].kind == "number" and not factor else None


def _side(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands behind the last relation of these tokens."""
    last = max((place for place, token in enumerate(tokens) if token.kind == "relation"), default=-1)
    return tokens[last + 1 :]


def _chain(
    block: Block, tokens: Sequence[Token], known: frozenset[str], earlier: Before | None
) -> Iterator[Claim]:
    places = [place for place, token in enumerate(tokens) if token.kind == "relation"]
    ends = [*places[1:], len(tokens)] if places else []
    before: tuple[Node, ...] = ()
    left: tuple[Node, int] | None = None
    last: Before | None = None
    sure = True
    for number, (place, end) in enumerate(zip(places, ends, strict=True)):
        start = places[number - 1] + 1 if number else 0
        if not number and place == start and earlier is not None:  # = 4.2 GB, behind a display
            left, before = (earlier.amount, tokens[place].start), earlier.made
        elif not before:
            found = ending(tokens[start:place], known) or _name_at_end(tokens[start:place], known)
            left = (found[0], tokens[start + found[1]].start) if found else None
            sure = True
            if place > start and (left is None or _factor(left[0])):
                carried = last if number else earlier
                on, others, must = _going_on(tokens[start:place], known, carried, bool(number))
                left, before, sure = (on, others, must) if on is not None else (left, before, sure)
        right = beginning(tokens[place + 1 : end], known) if end > place + 1 else None
        if right is not None and left is not None:
            node, stop = right
            end_of = _end(tokens[place + 1 : place + 1 + stop], node, len(block.text))
            figure = (tokens[place + 1].start, end_of)
            power = isinstance(node, Operation) and node.sign == "^"
            meant = sure and (power or not _loosely(block, tokens[: place + 1], left[1]))
            meant = meant and not (number and _two_in_one(left[0]))
            yield Claim(
                block, left[1], end_of, left[0], tokens[place].text, node, before, figure,
                tokens[place].start, meant,
            )  # fmt: skip
            last = Before(node, (left[0],))
        else:
            last = Before(right[0]) if right is not None else None
        # the chain goes on where the side is all that stands between two relations
        complete = right is not None and place + 1 + right[1] == end
        if right is not None and complete and left is not None:
            before = (*before, left[0])
            left = (right[0], left[1])
        else:
            before = ()


def _end(tokens: Sequence[Token], node: Node, most: int) -> int:
    """Where a side ends, without the nouns that say what its last number counts."""
    last = max((leaf.end for leaf in leaves(node)), default=0)
    kept = [t.end for t in tokens if t.end <= last or t.kind not in ("word", "other", "stop")]
    return min(max(kept, default=tokens[-1].end), most)


def _two_in_one(node: Node) -> bool:
    """Whether what seems counted may begin another equation: `n - 1 = 7 hops become kn - 1 = 31`."""
    first = next(leaves(node))
    adds = isinstance(node, Operation) and node.sign in "+-"
    return adds and isinstance(first, Number) and " " in first.noun


def _factor(node: Node) -> bool:
    """Whether a name may be a factor: `0.46 ms, x5 = 2.3 ms`."""
    return isinstance(node, Letter) and node.name[0] in "xX" and node.name[1:].isdecimal()


def _loosely(block: Block, tokens: Sequence[Token], start: int) -> bool:
    """Whether a word only may be a sign: 26 B tokens at 2 bytes; or a comma: 4 × 2^20, about 4.2 M."""
    return block.text[tokens[-1].start] in ",，、(（" or any(
        block.text[token.start : token.end].casefold() in listed("joins", "each")
        for token in tokens
        if token.kind == "operator" and token.start >= start
    )


def _going_on(
    tokens: Sequence[Token], known: frozenset[str], last: Before | None, inside: bool
) -> tuple[tuple[Node, int] | None, tuple[Node, ...], bool]:
    """The side that goes on from an amount, what else may be meant, and whether it is that amount."""
    found = continuation(tokens, known)
    if found is not None and last is not None and (inside or found[0] in "*/"):
        return (*last.on(*found, tokens[0].start), inside or bool(last.made))
    after = going_on(tokens, known)
    if after is None:
        return None, (), True
    sign, operand, comma = after
    taken = beginning(tokens[:comma], known) if inside and last is not None else None
    if taken and last and not any(token.kind == "number" for token in tokens[taken[1] : comma]):
        return (*last.on(sign, operand, tokens[0].start), True)
    first = ending(tokens[:comma], known)
    if first is None or isinstance(first[0], Operation):
        return None, (), True
    return (*Before(first[0]).on(sign, operand, tokens[first[1]].start), True)


def _name_at_end(tokens: Sequence[Token], known: frozenset[str]) -> tuple[Node, int] | None:
    """A letter of the page behind a word: `at b = 1`."""
    if len(tokens) < 2 or tokens[-1].text not in known or tokens[-2].kind != "word":
        return None
    calculates = tokens[-2].text.casefold() in (*listed("joins", "after"), "by")
    if calculates and len(tokens) > 2 and tokens[-3].kind not in ("word", "stop"):
        return None
    return Letter(tokens[-1].text, tokens[-1].start, tokens[-1].end), len(tokens) - 1
