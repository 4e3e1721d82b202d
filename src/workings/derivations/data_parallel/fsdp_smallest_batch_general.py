"""The inequality for any compute per parameter."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_seconds
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE
from workings.vocabulary.data_parallel import COMPUTE_PER_PARAMETER


def race_token_by_token(
    b_m: int,
    s: int,
    P_u: int,
    d: int,
    w: Fraction,
    alpha: Fraction,
    W_b: Fraction,
    C: Fraction,
    f: Fraction,
) -> bool | None:
    """A gather really exchanged against the FLOPs of each sequence, added up one by one."""
    gather = gather_seconds(d, w * P_u, alpha, W_b, large=True)
    if gather is None:
        return None
    flops = sum((f * P_u * s for _ in range(b_m)), Fraction(0))
    return gather <= flops / C


FSDP_SMALLEST_BATCH_GENERAL = derivation(
    "fsdp-smallest-batch-general",
    title="Batch from which the forward of FSDP hides the next gather, for any compute a parameter",
    unit=ONE,
    noun="sequences",
    letters={**RACE, "f": COMPUTE_PER_PARAMETER},
    source=KAKADE_ANAND,
    oracle=race_token_by_token,
    convention="A large group. The lecture's compute_per_param is `f*s`, that of a sequence.",
    leaves_out="The first gather, which nothing hides, and devices that run below their peak.",
    chain="""
    alpha*log2(d) + w*P_u/W_b <= f*b_m*s*P_u/C                -- `f` FLOPs a token and gathered parameter
      <=> alpha*log2(d) <= (f*b_m*s/C - w/W_b)*P_u            -- the lecture's general form
      <=> b_m >= (w/W_b + alpha*log2(d)/P_u)*C/(f*s)          -- less compute a parameter, more batch
    """,
)
