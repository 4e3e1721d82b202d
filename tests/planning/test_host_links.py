"""The link between a device and its host, by the device's name."""

from fractions import Fraction

from looping import each

from workings.planning.assumed import ASSUMPTIONS
from workings.planning.host_links import host_link


@each(
    "device, one_way",
    [
        ("NVIDIA GB200 NVL72", 900 / 2 / 2), ("NVIDIA GB300 NVL72", 900 / 2 / 2),
        ("NVIDIA A100 SXM, 80 GB", 64 / 2), ("NVIDIA V100 SXM2, 32 GB", 32 / 2),
    ],
)  # fmt: skip
def test_nobody_reaches_more_than_the_link_has(device: str, one_way: float) -> None:
    link = host_link(device)
    assert link is not None
    value, best, worst = link.numbers
    assert worst < value < best < Fraction(one_way) * 10**9


@each("device", ["NVIDIA H100 SXM, 80 GB", "NVIDIA B200 SXM", "TPU v5p", "AMD MI300X", "MI-GB2000", ""])
def test_pcie_5_is_taken_of_any_other(device: str) -> None:
    assert host_link(device) is None
    assert ASSUMPTIONS["host_link"].value == "50 GB/s"
