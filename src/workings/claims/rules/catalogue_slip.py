"""What a page multiplies, or writes in its own letters, against the formulas of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice

from workings.claims.bare import bare
from workings.claims.bindings import concept_terms
from workings.claims.claim import Claim, Finding, Rule
from workings.claims.lettered import agrees
from workings.claims.page import Page
from workings.claims.shown import number_text
from workings.claims.typed import constant_ratio, factors_of, fits, numbers_in, worth
from workings.field.known import Known, Written, every_product, known
from workings.field.patterns import Piece
from workings.field.sentences import Sentence
from workings.field.slips import SLIPS, Slip
from workings.field.terms import terms_of
from workings.marks.tree import Node, Number, Operation, leaves, letters

MOST = 500  # formulas of a page; no page that people write has more
BEFORE, BEHIND = 1_500, 100  # signs around a formula in which its subject is named


def judge(page: Page) -> Iterator[Finding]:
    """Every product and formula, displayed or in a sentence, that is a slip of one and no formula."""
    displayed = (claim for claim in page.chains if claim.relation in ("=", "≈"))
    for claim in islice(chain(displayed, bare(page)), MOST):
        found = _of_numbers(page, claim) or _of_letters(page, claim)
        if found is not None:
            one, slip, of = found
            multiplied = (claim.start, claim.sign)  # the result follows from it, and may be right
            why = f"{slip.says}{_here(page, claim, one, of)} ({one.of.entry})"
            yield Finding(RULE.id, "wrong", claim.block, claim.start, claim.end, multiplied,
                          claim.relation or "says", why)  # fmt: skip


def _here(page: Page, claim: Claim, one: Known, of: Written) -> str:
    """What is right with the page's numbers, where that is a constant times what was multiplied."""
    measured = [
        leaf for leaf in leaves(claim.left) if isinstance(leaf, Number) and any(leaf.units[0].dimension)
    ]
    made = worth(claim.left, page.bindings)
    times = constant_ratio(one.right[0].tree, of.tree)
    if made is None or times is None or len(measured) != 1 or letters(claim.left):
        return ""
    unit = measured[0].units[0]
    return f" Here that is {number_text(made * times / unit.scale)} {unit.word}."


def _of_numbers(page: Page, claim: Claim) -> tuple[Known, Slip, Written] | None:
    """The slip that a displayed product of numbers is."""
    if not isinstance(claim.left, Operation) or not numbers_in(claim.left):
        return None
    factors = factors_of(page, claim.block, claim.left, concept_terms(page.said_in))
    if not factors:
        return None

    def fitting(of: Written, times: Sequence[str] = ()) -> bool:
        return of.form is not None and fits(
            of.form, of.concepts, factors, page.bindings, frozenset(times)
        )

    return _slip(_spoken_of(page, claim), fitting)


def _slip(spoken: Sequence[Known], fitting: Callable[..., bool]) -> tuple[Known, Slip, Written] | None:
    """The slip that fits, where nothing that is right does."""
    right = {one.of.entry for one in spoken if any(fitting(of, one.of.times) for of in one.right)}
    for one in spoken:
        if right - frozenset(one.of.despite):
            continue
        for slip, of in one.wrong:
            if fitting(of, one.of.times) and not _right_elsewhere(one, fitting):
                return one, slip, of
    return None


def _right_elsewhere(one: Known, fitting: Callable[..., bool]) -> bool:
    """Whether another entry is what was written, and words do not say that it is not meant."""
    return any(fitting(of) for name, of in every_product() if name not in one.of.despite)


def _of_letters(page: Page, claim: Claim) -> tuple[Known, Slip, Written] | None:
    """The slip that a formula in letters is."""
    for side in (claim.left, claim.right):
        if isinstance(side, Operation) and len(letters(side)) > 1:
            return _of_formula(page, claim, side)
    return None


def _of_formula(page: Page, claim: Claim, node: Node) -> tuple[Known, Slip, Written] | None:
    def fitting(of: Written, times: Sequence[str] = ()) -> bool:
        del times  # letters are all told apart
        return agrees(node, of, page.letter_concepts, page.bindings)

    return _slip(_spoken_of(page, claim), fitting)


def _spoken_of(page: Page, claim: Claim) -> tuple[Known, ...]:
    """The entries with slips that a page speaks of where a formula stands."""
    spoken = _pieces(page, claim)
    near = Sentence(claim.block.text[: claim.end + BEHIND], (), terms_of(page.said_in, SLIPS)).pieces
    return tuple(
        one
        for one in known()
        if (_means(one, near) or (not one.about.matches(near) and _means(one, spoken)))
        and _measured(one, claim.right)
    )


def _means(one: Known, spoken: Sequence[Piece]) -> bool:
    """Whether an entry is spoken of, and nothing that means another."""
    return one.about.matches(spoken) and not (one.unless and one.unless.matches(spoken))


def _measured(one: Known, result: Node) -> bool:
    """Whether a result's unit is one that the entry's value may have."""
    if not isinstance(result, Number) or not any(map(any, (unit.dimension for unit in result.units))):
        return True
    return any(tuple(map(Fraction, unit.dimension)) == one.dimension for unit in result.units)


def _pieces(page: Page, claim: Claim) -> tuple[Piece, ...]:
    """What the section speaks of before a formula, and the words right behind it."""
    block = claim.block
    section = [one for one in page.document.blocks if one.section == block.section]
    before = [one.text for one in section if one.offsets[-1] < block.offsets[0]]
    text = "\n".join([*before, block.text[: claim.end + BEHIND]])[-BEFORE:]
    return Sentence(text, (), terms_of(page.said_in, SLIPS)).pieces


RULE = Rule(
    "catalogue-slip",
    "A displayed product or formula is a known slip of one of the catalogue.",
    judge,
    bad=(
        "The model has 40 layers and 8 KV heads of dimension 128, in BF16.\n\n"
        "KV cache per token: 40 × 8 × 128 × 2 bytes = 81,920 bytes.",
        "A ring all-reduce over 64 GPUs sends 63/64 × 14 GB.",
        "SwiGLU: 2·d·f weights.",
        "# Mixtral 8x7B\n\nThe model has 46.7e9 parameters in all, of which 12.9B are active for a "
        "token. Training on 2e12 tokens takes 6 × 46.7e9 × 2e12 FLOPs.",
    ),
    good=(
        "The model has 40 layers and 8 KV heads of dimension 128, in BF16.\n\n"
        "KV cache per token: 2 × 40 × 8 × 128 × 2 bytes = 163,840 bytes.",
        "A ring all-reduce over 64 GPUs sends 2 × 63/64 × 14 GB, its reduce-scatter 63/64 × 14 GB.",
        "SwiGLU: 3·d·f weights. A plain feed-forward: 2·d·f weights.",
        "# Mixtral 8x7B\n\nThe model has 46.7e9 parameters in all, of which 12.9B are active for a "
        "token. Training on 2e12 tokens takes 6 × 12.9e9 × 2e12 FLOPs.",
    ),
)
