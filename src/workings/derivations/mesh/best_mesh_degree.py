"""The FSDP degree at which both transfers take equally long."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import CHOOSING
from workings.derivations.mesh._times import spread_block
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def close_in_on_equal_times(X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """Two ends of a range of X, halved until the counted transfer times meet between them."""
    low, high = Fraction(1, 10**9), Fraction(10**9)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        times = spread_block(X=middle, C=Fraction(1), **letters)
        low, high = (middle, high) if times.fsdp < times.tensor else (low, middle)
    return low, high


BEST_MESH_DEGREE = derivation(
    "best-mesh-degree",
    title="FSDP degree of the best mesh",
    unit=ONE,
    noun="devices",
    fractional="the best of all real numbers; a mesh takes a divisor of its devices beside it",
    letters={name: concept for name, concept in CHOOSING.items() if name != "C"},
    source=SCALING_BOOK_MIXED,
    oracle=close_in_on_equal_times,
    convention="Large rings; `X` may be any positive number, `Y = n/X`.",
    chain="""
    2*w*D*F*X/(n*W*M_X) = 2*a*B*D/(X*W*M_Y)     -- both transfers take equally long
      <=> X^2 = a*B*n*M_X/(w*F*M_Y)             -- multiply by `X`, cancel `2*D/W`
      <=> X = sqrt(a*B*n*M_X/(w*F*M_Y))         -- `X` is positive
    """,
)
