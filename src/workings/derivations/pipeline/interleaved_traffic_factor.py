"""What interleaving costs: more to send."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import BOUNDARY
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, run_1f1b, run_interleaved
from workings.derivations.pipeline.pp_volume import PP_VOLUME
from workings.derivations.pipeline.pp_volume_interleaved import PP_VOLUME_INTERLEAVED
from workings.units import ONE
from workings.vocabulary.layout import VIRTUAL_STAGES


def compare_the_messages(
    p: int, m: int, v: int, a: Fraction, s: int, b_m: int, D: int
) -> Fraction | None:
    """Both schedules run task by task; messages of one over messages of the other."""
    schedule = run_interleaved(p, m, v)
    if schedule is None:
        return None
    plain = run_1f1b(p, m, Fraction(1), Fraction(1), Fraction(1))
    return Fraction(len(schedule.messages), len(plain.messages))


INTERLEAVED_TRAFFIC_FACTOR = derivation(
    "interleaved-traffic-factor",
    title="What interleaving sends, over what 1F1B sends",
    unit=ONE,
    letters={**FILLED, "v": VIRTUAL_STAGES, **BOUNDARY},
    uses={"V_int": PP_VOLUME_INTERLEAVED.at(), "V_pp": PP_VOLUME.at()},
    given=("p divides m", "p > 1"),
    source=MEGATRON_INTERLEAVED,
    oracle=compare_the_messages,
    convention="Interleaved 1F1B; the factor is often given as `v`, which leaves out the way round.",
    chain="""
    f_v = V_int/V_pp                                        -- the same tensors, more boundaries
      = (2*(p*v - 1)*m*a*s*b_m*D)/(2*(p - 1)*m*a*s*b_m*D)   -- put both in
      = (p*v - 1)/(p - 1)                                   -- cancel
      = v + (v - 1)/(p - 1)         -- `v` chunks cross as before, and `v - 1` times back to rank one
      ≈ [p -> oo] v                 -- about `v` times as much for many ranks
    """,
)
