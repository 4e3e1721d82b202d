"""Dispatch with a fixed number of places for every expert."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import MOST
from workings.derivations.experts._letters import DISPATCH, SPREAD_OUT
from workings.derivations.experts._sources import SWITCH
from workings.derivations.experts.expert_capacity import EXPERT_CAPACITY, add_places_until_enough
from workings.simulate.routing import even_routes, exchange
from workings.units import BYTE
from workings.vocabulary.experts import CAPACITY_FACTOR


def send_every_place(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int, D: int, a: Fraction, phi: Fraction
) -> Fraction | None:
    """Buffers of so many places each, filled with some tokens, sent whole and counted."""
    places = add_places_until_enough(b_m, s, c, t, E, k_E, phi)
    if places is None or E * e * k_E > MOST:
        return None
    few = even_routes(2, E, k_E)
    sent = exchange([few] * e, E, capacity=places).dispatched[0]
    return sent * sum((a for _ in range(D)), Fraction(0))


PADDED_DISPATCH_BYTES = derivation(
    "padded-dispatch-bytes",
    title="Bytes a rank sends to dispatch padded buffers",
    unit=BYTE,
    letters={**DISPATCH, "phi": CAPACITY_FACTOR},
    uses={"C_E": EXPERT_CAPACITY.at()},
    given=SPREAD_OUT,
    source=SWITCH,
    oracle=send_every_place,
    convention="Every expert's places are sent, filled or not: the shapes do not depend on the routing.",
    chain="""
    V_pad = sum(C_E*D*a, (i, 1, E - E/e))     -- `E/e` of the experts are at home
      = (E - E/e)*C_E*D*a                     -- equal terms
      = (e - 1)/e*E*C_E*D*a                   -- collect
    """,
)
