"""The mesh on which two transfers that take turns are fastest together."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import CHOOSING
from workings.derivations.mesh._times import spread_block
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.simulate.search import golden_bracket
from workings.units import SECOND


def search_every_mesh_in_turn(X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """A search over X, at each step the sum of the two counted transfer times."""

    def both(x: Fraction) -> Fraction:
        times = spread_block(X=x, C=Fraction(1), **letters)
        return times.fsdp + times.tensor

    return golden_bracket(both, 0, Fraction(10**6), 160)


BEST_MESH_TIME_SUM = derivation(
    "best-mesh-time-sum",
    title="Transfer time on the best mesh (not overlapped)",
    unit=SECOND,
    letters={name: concept for name, concept in CHOOSING.items() if name != "C"},
    source=SCALING_BOOK_MIXED,
    oracle=search_every_mesh_in_turn,
    convention="Large rings; `X` may be any positive number, `Y = n/X`.",
    chain="""
    T_turn = 2*w*D*F*X/(n*W*M_X) + 2*a*B*D/(X*W*M_Y)
                          -- with `Y = n/X`: one term rises with `X`, the other falls
      minimise over X at sqrt(a*B*n*M_X/(w*F*M_Y)) = 4*D/W*sqrt(a*w*B*F/(n*M_X*M_Y))
                          -- least where the two terms are equal
    """,
)
