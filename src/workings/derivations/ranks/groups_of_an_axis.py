"""Groups that an axis divides the ranks into."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_GROUPS
from workings.simulate.grid import groups
from workings.units import ONE
from workings.vocabulary.collectives import GROUP
from workings.vocabulary.layout import DEVICES


def enumerate_the_groups(n: int, N: int) -> int:
    """Ranks laid out with this axis in the middle of two others, and grouped."""
    others = n // N
    inner = next(size for size in range(min(2, others), others + 1) if others % size == 0)
    return len(groups("along", {"inner": inner, "along": N, "outer": others // inner}))


GROUPS_OF_AN_AXIS = derivation(
    "groups-of-an-axis",
    title="Groups that an axis divides the ranks into",
    unit=ONE,
    noun="groups",
    letters={"n": DEVICES, "N": GROUP},
    given=("N divides n",),
    source=MEGATRON_GROUPS,
    oracle=enumerate_the_groups,
    convention="`N` divides the number of ranks.",
    chain="""
    n_G = sum(1/N, (i, 1, n))     -- every rank is one `N`-th of exactly one group
      = n/N                       -- equal terms
    """,
)
