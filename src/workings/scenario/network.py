"""What a device's network is, and how fast it moves a collective along one axis of it.

On a torus every device has a link each way along every axis, and a collective round a ring uses both
at once. Into a switch a device sends one way, whatever it sends.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workings.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from workings.scenario.inputs import Hardware, Input

SWITCH, TORUS = NETWORKS = ("switch", "torus")


def is_torus(path: Path, given: Hardware) -> bool:
    """Whether the network is a torus. Raises ScenarioError where it is of no kind known."""
    network = given.network
    if network not in NETWORKS:
        raise ScenarioError(
            f"{path.name}: hardware.network: found {network[:60]!r}, expected {' or '.join(NETWORKS)}"
        )
    return network == TORUS


def missing_axes(given: Input) -> set[str]:
    """The axes that a layout gives to FSDP or tensor parallelism and that its network has not.

    A formula that asks for them has to be told how many there are: one, on a switch.
    """
    layout, most = given.layout, given.hardware.torus_axes
    carried = {"fsdp_axes": layout.fsdp, "tp_axes": layout.tp}
    axes = {name: getattr(layout, name) for name in carried}
    if given.hardware.network == SWITCH:
        lacking = {name for name, count in axes.items() if count > 1}
    else:
        used = sum(axes[name] for name, degree in carried.items() if degree > 1)
        lacking = set(axes) if most is not None and used > most else set()
    return {f"layout.{name}" for name in lacking}
