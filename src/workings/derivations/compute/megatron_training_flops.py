"""Megatron's formula without recomputation."""

from workings.derivation import derivation
from workings.derivations.compute._letters import GPT, gpt_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.model_forward_flops import MODEL_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import GPT_SHAPED


def train_gpt(b: int, s: int, L: int, D: int, V: int) -> int:
    """A GPT's products written down with their shapes, followed back, and counted."""
    tape = gpt_tape(b, s, L, D, V)
    return tape.forward() + tape.backward()


MEGATRON_TRAINING_FLOPS = derivation(
    "megatron-training-flops",
    title="FLOPs of a GPT's training step, nothing recomputed",
    unit=FLOP,
    letters=GPT,
    uses={"f_model": MODEL_FORWARD_FLOPS.at(H="1", K="1", d_h="D", F="4*D", n_f="2")},
    source=RECOMPUTATION,
    oracle=train_gpt,
    convention="`H*d_h = D` with `K = H`, `F = 4*D`, a plain feed-forward; full attention.",
    leaves_out="Everything that is no matrix product.",
    holds_for={GPT_SHAPED: "model-training-flops"},
    chain="""
    f_meg = 3*f_model                        -- forward once, backward twice that
      = 3*(L*(24[FLOP]*b*s*D^2 + 4[FLOP]*b*s^2*D) + 2[FLOP]*b*s*D*V)
                                             -- 12 `D^2` weights a block, the core, the logits
      = 72[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(12*L*D))   -- take the first term out
    """,
)
