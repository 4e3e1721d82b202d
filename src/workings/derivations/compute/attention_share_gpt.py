"""Attention's core over the products with weights, in GPT's shape."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute._letters import gpt_tape
from workings.derivations.compute._sources import MEGATRON_FLOPS
from workings.derivations.compute.attention_share import ATTENTION_SHARE
from workings.units import ONE
from workings.vocabulary.kinds import GPT_SHAPED
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import SEQUENCE_LENGTH


def compare_parts_of_a_gpt_block(s: int, D: int) -> Fraction:
    """The products of a block as wide as its heads together, hidden layer 4 times as wide."""
    tape = gpt_tape(1, s, 1, D, 1)
    return Fraction(tape.forward("core"), tape.forward("projections", "ffn"))


ATTENTION_SHARE_GPT = derivation(
    "attention-share-gpt",
    title="Attention's scores and values over products with weights, GPT's shape",
    unit=ONE,
    letters={"s": SEQUENCE_LENGTH, "D": D_MODEL},
    uses={"r_core": ATTENTION_SHARE.at(b="1", H="1", K="1", d_h="D", F="4*D", n_f="2")},
    source=MEGATRON_FLOPS,
    oracle=compare_parts_of_a_gpt_block,
    convention="`H*d_h = D` with `K = H`, `F = 4*D`, a plain feed-forward; full attention.",
    holds_for={GPT_SHAPED: "attention-share"},
    chain="""
    r_gpt = r_core                           -- only the product `H*d_h = D` matters
      = 2*s*D/(D*(4*D + 2*4*D))              -- 4 `D^2` weights of projections, 8 of feed-forward
      = s/(6*D)                              -- attention costs as much at `s = 6*D`
    """,
)
