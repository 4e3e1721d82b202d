"""Devices of a job, seen from its experts."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import MOST
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.simulate.grid import groups
from workings.units import ONE
from workings.vocabulary.layout import EDP, EP, ETP, STAGES


def count_ranks_of_experts(t_e: int, e: int, d_e: int, p: int) -> int | None:
    """The mesh of experts laid out; the members of all its expert-parallel groups."""
    if t_e * e * d_e * p > MOST:
        return None
    mesh = {"etp": t_e, "ep": e, "edp": d_e, "pp": p}
    return sum(len(group) for group in groups("ep", mesh))


EXPERT_WORLD = derivation(
    "expert-world",
    title="Devices of a job, counted on the mesh of its experts",
    unit=ONE,
    noun="devices",
    letters={"t_e": ETP, "e": EP, "d_e": EDP, "p": STAGES},
    source=MEGATRON_WORLD,
    oracle=count_ranks_of_experts,
    convention="`d_e` counts copies of each expert, not replicas of the dense part, which are "
    "`t_e*e*d_e/(t*c)`.",
    chain="""
    n_x = sum(sum(sum(e, (i, 1, t_e)), (j, 1, d_e)), (k, 1, p))  -- `e` ranks for each slice of an expert
      = sum(sum(t_e*e, (j, 1, d_e)), (k, 1, p))                    -- equal slices
      = sum(d_e*t_e*e, (k, 1, p))                                  -- equal copies
      = t_e*e*d_e*p                                                -- equal stages
    """,
)
