"""What each number and letter of a calculation may stand for: a concept of the vocabulary, or itself.

`32 × 32 × 128 × 2 bytes` becomes {blocks, heads or KV heads, head_dim, width}: a number is what its own
noun says, else any concept to which the page gives its value, else a constant. A letter is what the
page's words say, else what the field's notations mean by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from workings.claims.bindings import Bindings, by_unit, concept_terms, named, of_unit
from workings.marks.quantity import BARE, BYTE, Unit, units_of
from workings.marks.tree import Letter, Node, Number, Operation

if TYPE_CHECKING:
    from workings.claims.page import Page
    from workings.reading.blocks import Block

WIDEST = 8  # bytes of a value
WIDTHS = frozenset({Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8)})
WIDTH = "width"
# What a concept of the catalogue is called on a page; each also by its own name.
CALLED: Mapping[str, tuple[str, ...]] = {
    "group": ("devices", "dp", "tp"), "state_ranks": ("devices", "dp"), "tokens": ("training_tokens",),
    "batch_tokens": ("training_tokens",), "plain_width": ("d_ff",), "gather_devices": ("devices", "dp"),
    "product_tokens": ("training_tokens", "tokens"), "token_width": ("d_ff",),
    "routed_tokens": ("training_tokens", "tokens", "batch"), "decode_devices": ("devices",),
    "rank_parameters": ("parameters",),
    "tp": ("devices",), "dp": ("devices",), "stages": ("devices",), "ep": ("devices",),
    "sequence_length": ("training_tokens", "tokens"), "prompt_tokens": ("training_tokens", "tokens"),
    "microbatch": ("batch",), "batch": ("microbatch",), "queries": ("sequence_length",),
    "training_tokens": ("tokens",), "token_rate": ("tokens_per_second",),
    "weight_bytes": ("width",), "token_cache": ("width",), "sequence_cache": ("width",),
}  # fmt: skip
# What there are so many of that one less is counted: ranks of a ring, stages, micro-batches.
COUNTED = frozenset(
    {"devices", "dp", "tp", "cp", "ep", "stages", "group", "nodes", "microbatches", "drafted_tokens"}
)
_GLUED = frozenset("(\\{}^_/*")
_BYTES = re.compile(
    r"(?<![\w])(?:[KMGTP]i?)?(?:bytes?|B|octets?|o)(?![\w])|字节|バイト|바이트", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number or a letter of a calculation.

    `less` are the concepts of which it is the value less one; `factor` says that the calculation is
    multiplied or divided by it as a whole, `said` that it is one of its concepts and no constant.
    """

    start: int
    value: Fraction | None
    name: str
    concepts: frozenset[str]
    less: frozenset[str] = frozenset()
    factor: bool = False
    said: bool = False


def leaves_of(page: Page, block: Block, node: Node) -> tuple[Leaf, ...]:
    """What the leaves of a calculation may mean, from left to right."""
    byted = bool(_BYTES.search(block.text))
    found = tuple(_leaf(page, block, leaf, factor, byted) for leaf, factor in _placed(node, factor=True))
    last = found[-1]
    if units_of((last.name,)) and not any(leaf.name for leaf in found[:-1]):
        last = replace(last, value=Fraction(1), name="", concepts=frozenset(), said=False)
    return (*found[:-1], last)  # `31/32 × 14 / (40 × 10⁹) s`: the only letter, and last, is a unit


def _placed(node: Node, *, factor: bool) -> Iterator[tuple[Number | Letter, bool]]:
    """Each leaf, and whether the whole is multiplied or divided by it."""
    if isinstance(node, Operation):
        for part in node.parts:
            yield from _placed(part, factor=factor and node.sign in ("*", "/", "neg"))
    else:
        yield node, factor


def _leaf(page: Page, block: Block, node: Number | Letter, factor: bool, byted: bool) -> Leaf:
    if isinstance(node, Letter):
        return Leaf(node.start, None, node.name, page.meaning_of(node.name), factor=factor, said=True)
    unit = read_as(node, page.bindings)
    value = node.printed[0].value * unit.scale
    known = of_unit(node) | page.bindings.concepts(value) | page.bindings.concepts(node.printed[0].value)
    own = _own(page, block, node, unit, value)
    if own:
        return Leaf(node.start, value, "", own, factor=factor, said=True)
    if byted and value in page.widths:
        known |= {WIDTH}
    if value == 1:
        known = frozenset()  # to multiply by it says nothing
    less = page.bindings.concepts(value + 1) & COUNTED if value > 1 else frozenset()
    return Leaf(node.start, value, "", known, less, factor)


def _own(page: Page, block: Block, node: Number, unit: Unit, value: Fraction) -> frozenset[str]:
    """What a number's own unit or noun says that it is."""
    if unit.dimension == BYTE and value <= WIDEST:
        return frozenset({WIDTH})
    if kinds := (by_unit(node) or (of_unit(node) if unit.dimension != BYTE else frozenset())):
        return kinds
    if block.text[node.end : node.end + 1] in _GLUED:
        return frozenset()  # `2(t - 1)`: what stands behind multiplies
    own = named(block.text, node.start, node.end, concept_terms(page.said_in))
    return own | page.bindings.concepts(value) if own else own


def read_as(node: Number, bindings: Bindings) -> Unit:
    """The reading of a unit that makes it a value of the page; else `2B` is bytes and `7B` not."""
    value = node.printed[0].value
    bare = [unit for unit in node.units if unit.dimension == BARE and unit.scale > 1]
    for unit in bare:
        if bindings.concepts(value * unit.scale):
            return unit
    first = node.units[0]
    wide = first.word == "B" and value not in WIDTHS
    return bare[0] if bare and wide else first


def names_of(concept: str, page: Page) -> frozenset[str]:
    """What leaves of a concept may be called; all parameters are active if a page has no others."""
    kinds = (WIDTH,) if concept.endswith("_width") else ()
    dense = concept == "active_parameters" and not page.tells_active
    return frozenset((concept, *CALLED.get(concept, ()), *kinds, *(("parameters",) if dense else ())))
