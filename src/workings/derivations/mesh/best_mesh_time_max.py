"""The mesh on which the slower of two overlapped transfers is fastest."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import CHOOSING
from workings.derivations.mesh._times import spread_block
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.simulate.search import golden_bracket
from workings.units import SECOND
from workings.vocabulary.kinds import TORUS


def search_every_mesh(X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """A search over X, at each step the slower of the two counted transfer times."""

    def slower(x: Fraction) -> Fraction:
        times = spread_block(X=x, C=Fraction(1), **letters)
        return max(times.fsdp, times.tensor)

    return golden_bracket(slower, 0, Fraction(10**6), 160)


BEST_MESH_TIME_MAX = derivation(
    "best-mesh-time-max",
    title="Transfer time on the best mesh (overlapped)",
    unit=SECOND,
    letters={name: concept for name, concept in CHOOSING.items() if name != "C"},
    source=SCALING_BOOK_MIXED,
    oracle=search_every_mesh,
    holds_for={TORUS: "best-mesh-time-sum"},
    convention="Large rings; `X` may be any positive number, `Y = n/X`.",
    chain="""
    T_best = max(2*w*D*F*X/(n*W*M_X), 2*a*B*D/(X*W*M_Y))
                          -- with `Y = n/X`: FSDP rises with `X`, tensor parallelism falls
      minimise over X at sqrt(a*B*n*M_X/(w*F*M_Y)) = 2*D/W*sqrt(a*w*B*F/(n*M_X*M_Y))
                          -- least where the rising and the falling branch meet
    """,
)
