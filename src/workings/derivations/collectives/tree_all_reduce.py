"""All-reduce over two binary trees."""

from fractions import Fraction

from workings.derivation import Source, derivation
from workings.simulate.two_trees import double_tree_all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def sum_over_both_trees(N: int, S: Fraction) -> Fraction:
    """Each half is summed up its tree and handed down again; the busiest rank's bytes are counted."""
    clock = double_tree_all_reduce(N, S)
    return max(clock.sent(rank) for rank in range(N))


TREE_ALL_REDUCE = derivation(
    "tree-all-reduce",
    title="Bytes the busiest rank sends in a double-tree all-reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    given=("N >= 4",),
    source=Source(
        "Sanders, Speck and Träff",
        "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
        2009,
        "abstract: two binary trees at once",
        "https://doi.org/10.1016/j.parco.2009.09.001",
    ),
    oracle=sum_over_both_trees,
    convention="Two binary trees, half of the message each; an inner rank of one is a leaf of the other.",
    leaves_out="Start-up latency: about `2*log2(N)` messages one after another.",
    chain="""
    V_dt = (S/2 + 2*(S/2)) + S/2   -- inner: its sum up, the total to two children; leaf: its part up
      = 2*S                        -- whatever the number of ranks
      >= 2*(N - 1)/N*S             -- a little more than on a ring
    """,
)
