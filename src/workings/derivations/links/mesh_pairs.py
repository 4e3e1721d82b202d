"""Pairs of devices in a node."""

from workings.derivation import derivation
from workings.derivations.links._sources import LECTURE_LINKS
from workings.units import ONE
from workings.vocabulary.layout import NODE_DEVICES


def list_pairs(n_node: int) -> int:
    """All pairs of devices are listed, each once."""
    return len({frozenset((a, b)) for a in range(n_node) for b in range(n_node) if a != b})


MESH_PAIRS = derivation(
    "mesh-pairs",
    title="Pairs of devices in a node",
    unit=ONE,
    noun="pairs",
    letters={"n_node": NODE_DEVICES},
    source=LECTURE_LINKS,
    oracle=list_pairs,
    convention="A pair is counted once, whichever way it sends.",
    chain="""
    n_pairs = sum(i - 1, (i, 1, n_node))   -- the second device pairs with 1, the third with 2, …
      = n_node*(n_node - 1)/2              -- four devices: 6 pairs
    """,
)
