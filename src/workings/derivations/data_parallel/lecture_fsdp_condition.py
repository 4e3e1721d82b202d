"""The inequality of the lecture, as it is printed there."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._letters import RACE
from workings.derivations.data_parallel._race import gather_seconds
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.units import ONE


def race_in_the_lectures_units(
    b_m: int, s: int, P_u: int, d: int, alpha: Fraction, W_b: Fraction, C: Fraction
) -> bool | None:
    """A real gather of one byte a parameter against one FLOP a token and parameter."""
    gather = gather_seconds(d, Fraction(P_u), alpha, W_b, large=True)
    return None if gather is None else gather <= Fraction(b_m * s * P_u) / C


LECTURE_FSDP_CONDITION = derivation(
    "lecture-fsdp-condition",
    title="Batch from which FSDP is compute-bound, in the lecture's units",
    unit=ONE,
    noun="sequences",
    letters={name: concept for name, concept in RACE.items() if name != "w"},
    source=KAKADE_ANAND,
    oracle=race_in_the_lectures_units,
    convention="The lecture writes p, n, B, S, β for `d`, `P_u`, `b_m`, `s`, `W_b`. It counts one FLOP "
    "a token and parameter, and one byte a parameter.",
    leaves_out="The factors `2` and `w`, and that a rank need not send itself its own chunk.",
    chain="""
    alpha*log2(d) + 1[byte]*P_u/W_b <= 1[FLOP]*b_m*s*P_u/C
                          -- the next unit arrives before this one's forward ends
      <=> alpha*log2(d) <= (1[FLOP]*b_m*s/C - 1[byte]/W_b)*P_u     -- as the lecture has it
      <=> b_m >= (1[byte]/W_b + alpha*log2(d)/P_u)*C/(1[FLOP]*s)   -- solve for the batch
    """,
)
