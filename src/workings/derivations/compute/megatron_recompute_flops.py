"""Megatron's formula with every block recomputed."""

from workings.derivation import derivation
from workings.derivations.compute._letters import GPT, gpt_tape
from workings.derivations.compute._sources import MEGATRON_FLOPS
from workings.derivations.compute.block_forward_flops import BLOCK_FORWARD_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import GPT_SHAPED


def train_gpt_blocks_twice(b: int, s: int, L: int, D: int, V: int) -> int:
    """A GPT's products counted forward, forward again in the blocks, and back."""
    tape = gpt_tape(b, s, L, D, V)
    return tape.forward() + tape.forward("projections", "core", "ffn") + tape.backward()


MEGATRON_RECOMPUTE_FLOPS = derivation(
    "megatron-recompute-flops",
    title="FLOPs of a GPT's training step, every block recomputed",
    unit=FLOP,
    letters=GPT,
    uses={
        "f_block": BLOCK_FORWARD_FLOPS.at(H="1", K="1", d_h="D", F="4*D", n_f="2"),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    source=MEGATRON_FLOPS,
    oracle=train_gpt_blocks_twice,
    convention="`H*d_h = D` with `K = H`, `F = 4*D`, a plain feed-forward; full attention. The "
    "logits are not recomputed.",
    leaves_out="Everything that is no matrix product.",
    holds_for={GPT_SHAPED: "full-recompute-flops"},
    chain="""
    f_meg_full = 4*L*f_block + 3*f_logit     -- blocks forward twice, backward; logits forward once
      = 4*L*(24[FLOP]*b*s*D^2 + 4[FLOP]*b*s^2*D) + 3*(2[FLOP]*b*s*D*V)
                                             -- put them in
      = 96[FLOP]*b*s*L*D^2*(1 + s/(6*D) + V/(16*L*D))   -- take the first term out
    """,
)
