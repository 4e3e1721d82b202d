"""Replicas of the experts: expert parallelism lies inside data parallelism."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import SIZES
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.units import ONE
from workings.vocabulary.layout import EDP, EP, ETP


def pack_ranks_into_sets_of_experts(t: int, c: int, p: int, d: int, t_e: int, e: int, d_e: int) -> int:
    """The ranks of one stage taken in turn for sets of experts, until none is left."""
    ranks, sets = [rank for _ in range(t * c) for rank in range(d)], 0
    while ranks:
        del ranks[: t_e * e]
        sets += 1
    return sets


EXPERT_REPLICAS = derivation(
    "expert-replicas",
    title="Replicas of the experts",
    unit=ONE,
    noun="devices",
    letters={**SIZES, "t_e": ETP, "e": EP, "d_e": EDP},
    given=("t_e*e divides t*c*d",),
    source=MEGATRON_WORLD,
    oracle=pack_ranks_into_sets_of_experts,
    convention="Expert-parallel ranks are data-parallel ranks of the dense part, and a stage holds as "
    "many ranks either way.",
    chain="""
    t*c*p*d = t_e*e*p*d_e                -- both meshes cover the same world
      <=> t*c*d = t_e*e*d_e              -- with the same stages: the ranks of one stage
      <=> d_e = t*c*d/(t_e*e)            -- divide by a set of experts
    """,
)
