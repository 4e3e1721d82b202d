"""What a device's network is, and how fast it moves a collective along one axis of it.

On a torus every device has a link each way along every axis, and a collective round a ring uses both
at once. Into a switch a device sends one way, whatever it sends.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from workings.scenario.errors import ScenarioError
from workings.units import Quantity

if TYPE_CHECKING:
    from workings.scenario.inputs import Input

SWITCH, TORUS = NETWORKS = ("switch", "torus")


def network_figures(path: Path, given: Input, one_way: Quantity) -> dict[str, Quantity]:
    """What formulas ask of the network. Raises ScenarioError where it is of no kind known."""
    network = given.hardware.network
    if network not in NETWORKS:
        raise ScenarioError(
            f"{path.name}: hardware.network: found {network[:60]!r}, expected {' or '.join(NETWORKS)}"
        )
    torus = network == TORUS
    both_ways = Quantity(2 * one_way.value, one_way.dimension)
    return {
        "hardware.torus": Quantity(Fraction(torus)),
        "hardware.axes_suffice": Quantity(Fraction(_suffice(given, torus))),
        "hardware.axis_bandwidth": both_ways if torus else one_way,
    } | ({"hardware.torus_axis": both_ways} if torus else {})


def _carried(given: Input) -> list[tuple[int, int]]:
    """Degree and axes of what runs over axes: FSDP and tensor parallelism."""
    layout = given.layout
    return [(layout.fsdp, layout.fsdp_axes), (layout.tp, layout.tp_axes)]


def _suffice(given: Input, torus: bool) -> bool:
    """Whether the network has the axes that the layout gives away; a switch's port is one, in turn."""
    if not torus:
        return all(axes == 1 for _degree, axes in _carried(given))
    used = sum(axes for degree, axes in _carried(given) if degree > 1)
    return given.hardware.torus_axes is None or used <= given.hardware.torus_axes
