"""Hardware FLOPs over model FLOPs when attention's core is recomputed."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute._letters import GPT, gpt_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.megatron_selective_flops import MEGATRON_SELECTIVE_FLOPS
from workings.derivations.compute.megatron_training_flops import MEGATRON_TRAINING_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import GPT_SHAPED


def compare_steps(b: int, s: int, L: int, D: int, V: int) -> Fraction:
    """A GPT's products counted with the core run forward twice, over the same run once."""
    tape = gpt_tape(b, s, L, D, V)
    once = tape.forward() + tape.backward()
    return Fraction(once + tape.forward("core"), once)


SELECTIVE_RECOMPUTE_OVERHEAD = derivation(
    "selective-recompute-overhead",
    title="Hardware over model FLOPs, attention's core recomputed",
    unit=ONE,
    letters=GPT,
    uses={"f_meg_sel": MEGATRON_SELECTIVE_FLOPS.at(), "f_meg": MEGATRON_TRAINING_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=compare_steps,
    convention="GPT's shape, full attention. The paper's 1 + s/(6h) sets the recomputed core against "
    "a forward pass alone; a training step is three.",
    holds_for={GPT_SHAPED: "selective-recompute-ratio"},
    chain="""
    r_sel = f_meg_sel/f_meg                  -- what the hardware does, over what the model needs
      = (1 + 2*s/(9*D) + V/(12*L*D))/(1 + s/(6*D) + V/(12*L*D))    -- cancel the first term
      < 1 + s/(18*D)                         -- `2/9 - 1/6 = 1/18`: little while `s` is below `18*D`
    """,
)
