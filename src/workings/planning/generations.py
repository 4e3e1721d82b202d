"""Which generation of hardware a device belongs to, by its name: runs on it are evidence for others."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Devices of one generation compute alike; their memory and links may differ. The H20 is a Hopper by its
# chip and computes a seventh of what the others do. A GH200 has the chip of an H100, but one budget of
# power for it and its CPU: 680 W on JUPITER ("Configuration"), where an H100 alone has 700.
GENERATIONS: Mapping[str, tuple[str, ...]] = {
    "NVIDIA Volta": ("V100",),
    "NVIDIA Ampere": ("A100", "A800"),
    "NVIDIA Hopper": ("H100", "H200", "H800"),
    "NVIDIA Grace Hopper": ("GH200",),
    "NVIDIA Hopper, throttled": ("H20",),
    "NVIDIA Blackwell": ("B100", "B200", "B300", "GB200", "GB300"),
    **{f"TPU {version}": (f"TPU {version}",) for version in ("v3", "v4", "v5e", "v5p", "v6e", "v7")},
    "AMD CDNA 3": ("MI300X", "MI300A", "MI325X"),
}


def generation(name: str) -> str:
    """The generation of a device that is called so, or nothing where its name says none."""
    plain = re.sub(r"[\s_-]+", " ", name)
    return next(
        (
            found for found, devices in GENERATIONS.items()
            for device in devices if re.search(rf"(?<![\w]){device}(?![\w])", plain, re.IGNORECASE)
        ),
        "",
    )  # fmt: skip
