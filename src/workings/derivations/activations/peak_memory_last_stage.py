"""The most that a rank of the last stage holds."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN
from workings.derivations.activations._peak import CONVENTION, LAST, LEAVES_OUT, SPLIT, with_head
from workings.derivations.activations._sources import ENDS
from workings.derivations.activations.head_activations import HEAD_ACTIVATIONS
from workings.derivations.state.stages import LAST_STAGE_PARAMETERS
from workings.units import BYTE


def run_the_step(L_last: int, **rank: Any) -> object:
    """The step run on every stage, memory taken and given back task by task; the last stage's peak."""
    found = with_head((1, 1, L_last), **rank)
    return found and found[-1]


PEAK_MEMORY_LAST_STAGE = derivation(
    "peak-memory-last-stage",
    title="Peak memory of a rank of the last stage",
    unit=BYTE,
    letters=LAST,
    uses={"P_last": LAST_STAGE_PARAMETERS.at(), "A_head": HEAD_ACTIVATIONS.at()},
    given=(*GIVEN, *SPLIT, "p > 1"),
    source=ENDS,
    oracle=run_the_step,
    convention=CONVENTION + " The loss keeps logits and writes gradients as wide beside them.",
    leaves_out=LEAVES_OUT,
    chain="""
    M_last = max(w_s*P_last + L_last*A + A_head + w_l*s*b_m*V/(t*c) + M_back, w_s*P_last + M_step)
                                   -- one micro-batch, its logits and their gradients; the optimizer step
      = w_s*P_last + max(L_last*A + A_head + w_l*s*b_m*V/(t*c) + M_back, M_step)
                                   -- state is there at both moments
    """,
)
