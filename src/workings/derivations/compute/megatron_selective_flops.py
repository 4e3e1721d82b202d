"""A GPT's training step with attention's core recomputed."""

from workings.derivation import derivation
from workings.derivations.compute._letters import GPT, gpt_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.derivations.compute.megatron_training_flops import MEGATRON_TRAINING_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import GPT_SHAPED


def train_gpt_core_twice(b: int, s: int, L: int, D: int, V: int) -> int:
    """A GPT's products counted forward, forward again in attention's core, and back."""
    tape = gpt_tape(b, s, L, D, V)
    return tape.forward() + tape.forward("core") + tape.backward()


MEGATRON_SELECTIVE_FLOPS = derivation(
    "megatron-selective-flops",
    title="FLOPs of a GPT's training step, attention's core recomputed",
    unit=FLOP,
    letters=GPT,
    uses={
        "f_meg": MEGATRON_TRAINING_FLOPS.at(),
        "f_core": ATTENTION_CORE_FLOPS.at(H="1", d_h="D"),
    },
    source=RECOMPUTATION,
    oracle=train_gpt_core_twice,
    convention="`H*d_h = D` with `K = H`, `F = 4*D`, a plain feed-forward; full attention. The paper "
    "prints s/(3h) in its equation 8 where its own terms give 2s/(9h): it adds the recomputed core "
    "three times.",
    leaves_out="Everything that is no matrix product.",
    holds_for={GPT_SHAPED: "selective-recompute-flops"},
    chain="""
    f_meg_sel = f_meg + L*f_core             -- one more forward pass of scores and values a block
      = 72[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(12*L*D)) + L*(4[FLOP]*b*s^2*D)   -- put them in
      = 72[FLOP]*b*s*L*D^2*(1 + 2*s/(9*D) + V/(12*L*D))   -- `1/6 + 4/72 = 2/9`
    """,
)
