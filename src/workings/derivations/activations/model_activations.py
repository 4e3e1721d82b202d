"""All activations of a GPT model on one stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT_CONVENTION,
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    LEAVES_OUT,
    TOKENS_SPLIT,
    gpt_block,
)
from workings.derivations.activations._head import head_tape
from workings.derivations.activations._sources import ENDS
from workings.derivations.activations.block_activations_tp_sp import BLOCK_ACTIVATIONS_TP_SP
from workings.derivations.activations.embedding_activations import EMBEDDING_ACTIVATIONS, tape_and_run
from workings.derivations.activations.head_activations import HEAD_ACTIVATIONS
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED
from workings.vocabulary.model import BLOCKS, VOCAB


def tape_the_model(s: int, b_m: int, D: int, H: int, t: int, L: int, V: int) -> Fraction | None:
    """Embedding, every block and head run on shapes, one after the other; what a rank's tapes keep."""
    block = gpt_block(s, b_m, D, H, t, sequence_parallel=True)
    head = head_tape(s, b_m, D, V, Fraction(2), Fraction(4), t, 1)
    if block is None or head is None:
        return None
    return tape_and_run(s, b_m, D, t, 1, 1) + sum(block for _ in range(L)) + head.bytes


MODEL_ACTIVATIONS = derivation(
    "model-activations",
    title="Activations of a whole GPT model on one stage",
    unit=BYTE,
    letters={**GPT_TP, "L": BLOCKS, "V": VOCAB},
    uses={
        "A_emb": EMBEDDING_ACTIVATIONS.at(p="1", m="1"),
        "A_ts": BLOCK_ACTIVATIONS_TP_SP.at(),
        "A_head": HEAD_ACTIVATIONS.at(a="2[byte]", w_l="4[byte]", c="1"),
    },
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT, "t divides V"),
    source=ENDS,
    oracle=tape_the_model,
    convention=GPT_CONVENTION + " Tensor and sequence parallelism, no pipeline.",
    leaves_out=LEAVES_OUT,
    holds_for={GPT_SHAPED: "blocks-and-head-activations"},
    chain="""
    A_all = A_emb + sum(A_ts, (i, 1, L)) + A_head       -- embedding, blocks, head
      = s*b_m*D/t*(1[byte] + L*(34[byte] + 5[byte]*H*s/D) + 4[byte]*(1 + V/D))
                                           -- the blocks weigh most, once there are many of them
    """,
)
