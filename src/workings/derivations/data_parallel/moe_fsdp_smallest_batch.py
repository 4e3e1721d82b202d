"""The batch that FSDP of experts needs."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_seconds
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.derivations.data_parallel._tokens import forward_flops
from workings.units import ONE
from workings.vocabulary.model import ACTIVE_EXPERTS, EXPERTS


def race_experts(
    b_m: int,
    s: int,
    P_u: int,
    d: int,
    w: Fraction,
    alpha: Fraction,
    W_b: Fraction,
    C: Fraction,
    E: int,
    k_E: int,
) -> bool | None:
    """All experts gathered by real exchanges; each token's products counted expert by expert."""
    gather = gather_seconds(d, w * P_u, alpha, W_b, large=True)
    if gather is None or P_u > 20_000:
        return None
    token = sum((Fraction(forward_flops(P_u), E) for _ in range(k_E)), Fraction(0))
    return gather <= token * b_m * s / C


MOE_FSDP_SMALLEST_BATCH = derivation(
    "moe-fsdp-smallest-batch",
    title="Batch from which the forward of FSDP hides the gather of a block's experts",
    unit=ONE,
    noun="sequences",
    letters={**RACE, "E": EXPERTS, "k_E": ACTIVE_EXPERTS},
    given=("k_E <= E",),
    source=KAKADE_ANAND,
    oracle=race_experts,
    convention="A large group; the unit is the routed experts of a block, all of them gathered.",
    leaves_out="The router, shared experts and attention, which are as in a dense block.",
    chain="""
    alpha*log2(d) + w*P_u/W_b <= (2[FLOP]*k_E/E)*b_m*s*P_u/C      -- `k_E/E` of a dense unit's compute
      <=> alpha*log2(d) <= ((2[FLOP]*k_E/E)*b_m*s/C - w/W_b)*P_u  -- the general form
      <=> b_m >= E/k_E*((w/W_b + alpha*log2(d)/P_u)*C/(2[FLOP]*s))     -- `E/k_E` times the dense batch
    """,
)
