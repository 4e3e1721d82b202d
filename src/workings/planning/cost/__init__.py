"""The cost model: what a rank holds, what it sends and how long a step takes, as statements."""

from __future__ import annotations

from functools import cache

from workings.planning.cost.activations import ACTIVATIONS
from workings.planning.cost.blocks import BLOCKS
from workings.planning.cost.communicators import COMMUNICATORS
from workings.planning.cost.compute import COMPUTE
from workings.planning.cost.fullest import FULLEST
from workings.planning.cost.outcome import OUTCOME
from workings.planning.cost.replicas import REPLICAS
from workings.planning.cost.state import STATE
from workings.planning.cost.step import STEP
from workings.planning.cost.traffic import TRAFFIC
from workings.planning.letters import LETTERS
from workings.planning.statement import Plan, joined


@cache
def plan() -> Plan:
    """The whole cost model."""
    parts = (
        BLOCKS,
        STATE,
        ACTIVATIONS,
        COMMUNICATORS,
        FULLEST,
        TRAFFIC,
        REPLICAS,
        COMPUTE,
        STEP,
        OUTCOME,
    )
    return Plan(LETTERS, joined(*parts))
