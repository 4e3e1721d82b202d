"""How fast a device and its host exchange bytes, one way, where a job says nothing of it.

The link is known by the device's name; what is reached of it is assumed, as for PCIe 5.0 in `assumed.py`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from workings.planning.generations import generation
from workings.units import parse_quantity


class HostLink(NamedTuple):
    """What is taken, at best and at worst, and why."""

    value: str
    best: str
    worst: str
    source: str

    @property
    def numbers(self) -> tuple[Fraction, Fraction, Fraction]:
        """Value, best and worst, in base units."""
        return tuple(parse_quantity(text).value for text in self[:3])  # type: ignore[return-value]


_SUPERCHIP = HostLink("180 GB/s", "210 GB/s", "100 GB/s",
                      "assumed of 225 GB/s: two GPUs of a superchip share NVLink-C2C of 900 GB/s, both "
                      "ways together (NVIDIA, GB200 NVL72)")  # fmt: skip
_OF_GENERATIONS = {
    "NVIDIA Ampere": HostLink("25 GB/s", "30 GB/s", "10 GB/s",
                              "assumed: PCIe 4.0 x16 has 32 GB/s each way, both together a tenth of "
                              "an A100's 600 GB/s (NVIDIA, NVLink)"),
    "NVIDIA Volta": HostLink("12 GB/s", "14 GB/s", "5 GB/s",
                             "assumed: PCIe 3.0 x16 has 16 GB/s each way (Dell EMC Ready Solutions for "
                             "AI, reference guide, 3.1.3: 32 both ways)"),
}  # fmt: skip


def host_link(device: str) -> HostLink | None:
    """The link of a device that is called so; None where PCIe 5.0 is taken, as for any other."""
    if re.search(r"(?<!\w)GB[23]00(?!\d)", device):
        return _SUPERCHIP
    return _OF_GENERATIONS.get(generation(device))
