"""What a search leaves out for the sizes of a job, in clauses."""

from __future__ import annotations

from collections.abc import Mapping

from workings.planning.job import Figure
from workings.planning.replica_degrees import few_replicas
from workings.planning.tensor_degrees import left_out


def unsearched(figures: Mapping[str, Figure]) -> list[str]:
    """The degrees of tensor parallelism and the replicas that no layout can have; often nothing."""
    return [clause for clause in (left_out(figures), few_replicas(figures)) if clause]
