"""What a capacity drops when one expert is too popular."""

from fractions import Fraction
from math import lcm

from workings.derivation import derivation
from workings.derivations.experts._sources import SWITCH
from workings.units import ONE
from workings.vocabulary.experts import CAPACITY_FACTOR, EXPERT_TOKENS, IMBALANCE
from workings.vocabulary.model import EXPERTS


def fill_the_places(E: int, n_E: int, phi: Fraction, **popular: Fraction) -> Fraction | None:
    """Tokens queue before their experts and fill the places one by one; the rest are dropped."""
    hot = popular["lambda"] * n_E  # a word of Python's own, so no name of an argument
    other = (E * n_E - hot) / (E - 1) if E > 1 else Fraction(0)
    whole = lcm(hot.denominator, other.denominator, (phi * n_E).denominator)
    if whole * E * n_E > 50_000:
        return None
    queues = [int(hot * whole)] + [int(other * whole)] * (E - 1)
    places = int(phi * n_E * whole)
    dropped = total = 0
    for queue in queues:
        free = places
        for _ in range(queue):
            total += 1
            dropped += free == 0
            free -= free > 0
    return Fraction(dropped, total)


DROPPED_SHARE = derivation(
    "dropped-share",
    title="Share of tokens dropped when one expert is too popular",
    unit=ONE,
    letters={"E": EXPERTS, "n_E": EXPERT_TOKENS, "phi": CAPACITY_FACTOR, "lambda": IMBALANCE},
    given=("phi >= 1", "lambda >= phi", "lambda <= E"),
    source=SWITCH,
    oracle=fill_the_places,
    convention="One expert draws `lambda` times the mean `n_E`, the others share the rest evenly.",
    leaves_out="Rounding the capacity to whole tokens.",
    chain="""
    x_drop = (lambda*n_E - phi*n_E)/(E*n_E)   -- beyond the popular expert's places, over all tokens
      = (lambda - phi)*n_E/(E*n_E)            -- factor
      = (lambda - phi)/E                      -- cancel
    """,
)
