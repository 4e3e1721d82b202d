"""What all blocks save."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import ENDS
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.kinds import ALIKE
from workings.vocabulary.model import BLOCKS


def run_one_micro_batch(A: Fraction, L: int) -> Fraction:
    """One micro-batch forward and back through one stage, each block keeping what it saves; the peak."""
    forward = sum((A for _ in range(L)), Fraction(0))
    return peaks([one_f_one_b_order(1, 0, 1)], [Memory(forward=forward)])[0]


BLOCKS_ACTIVATIONS = derivation(
    "blocks-activations",
    title="Activations that all blocks of a model save for one micro-batch",
    unit=BYTE,
    letters={"A": KEPT_BY_BLOCK, "L": BLOCKS},
    source=ENDS,
    oracle=run_one_micro_batch,
    convention="Equal blocks, all on one stage; `A` is the reading of the block's ledger that applies.",
    leaves_out="Embedding and head.",
    holds_for={ALIKE: "mla-blocks-activations"},
    chain="""
    A_L = sum(A, (i, 1, L))       -- block after block
      = L*A                       -- equal terms
    """,
)
