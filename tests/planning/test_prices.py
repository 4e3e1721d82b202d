"""What a device costs where a job says nothing of it, by the device's name."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from looping import each

from workings.planning.inputs.options import job_from_options
from workings.planning.prices import OTHER, PRICES, price
from workings.scenario.presets import preset_names, read_preset
from workings.units import parse_quantity

UNPRICED = {
    "gh200", "gh200-fp8", "v100-32gb-sxm", "h20-sxm", "h20-sxm-fp8", "b300-sxm", "b300-sxm-fp8",
    "gb300-nvl72", "gb300-nvl72-fp4", "gb300-nvl72-fp8",
}  # fmt: skip


# One list price each, without a commitment, and one with: RunPod, CoreWeave, Google (2026)
@each(
    "device, committed, listed",
    [
        ("NVIDIA H100 SXM, 80 GB", "2.35 USD/h", "3.99 USD/h"),
        ("NVIDIA H200 SXM, 141 GB, in FP8", "2.522 USD/h", "4.59 USD/h"),
        ("NVIDIA A100 SXM, 80 GB", "1.1 USD/h", "2.70 USD/h"),
        ("NVIDIA B200 SXM, 180 GB", "3.75 USD/h", "8.60 USD/h"),
        ("NVIDIA GB200 NVL72, 186 GB", "4.54 USD/h", "10.50 USD/h"),
        ("AMD Instinct MI300X, 192 GB", "1.50 USD/h", "6 USD/h"),
        ("tpu-v5e", "0.54 USD/h", "1.20 USD/h"), ("TPU v5p", "1.89 USD/h", "4.20 USD/h"),
        ("TPU v6e", "1.22 USD/h", "2.70 USD/h"),
    ],
)  # fmt: skip
def test_what_is_asked_lies_within_the_range(device: str, committed: str, listed: str) -> None:
    found = price(device)
    low, high = found.ends
    assert found is not OTHER
    assert low <= parse_quantity(committed).value < parse_quantity(listed).value <= high
    assert low < parse_quantity(found.value).value < high


@each("name", sorted(preset_names("hardware")))
def test_a_device_without_a_price_says_that_it_has_that_of_another(name: str) -> None:
    found = price(str(read_preset("hardware", name)["name"]))
    assert (found is OTHER) == (name in UNPRICED)
    assert ("no price of this device was found, so that of an H100" in found.source) == (found is OTHER)


@each("device", ["our cluster", "", "GB2000", "XH100"])
def test_what_no_name_tells_has_the_widest_range(device: str) -> None:
    low, high = price(device).ends
    assert all(low <= least and most <= high for least, most in
               (found.ends for name, found in PRICES.items() if "TPU" not in name))  # fmt: skip


def test_an_assumed_price_is_that_of_the_jobs_device() -> None:
    line: dict[str, Any] = {
        "model": "llama3-8b",
        "gpus": 8,
        "dp": 8,
        "seq": 8192,
        "global_batch": 8,
    }
    figures = {gpu: job_from_options(gpu=gpu, **line).figures["c_d"] for gpu in ("tpu-v5p", "h20-sxm")}
    tpu = figures["tpu-v5p"]
    assert (tpu.low, tpu.value, tpu.high) == tuple(Fraction(p, 360000) for p in (189, 294, 420))
    assert "for a TPU v5p" in tpu.source
    assert figures["h20-sxm"].source == OTHER.source


def test_the_documentation_prints_every_price() -> None:
    text = (Path(__file__).parents[2] / "docs" / "keys.md").read_text(encoding="utf-8")
    for name, found in [*PRICES.items(), ("any other", OTHER)]:
        amounts = [amount.removesuffix(" USD/h") for amount in found[:3]]
        assert f"| {name} | {amounts[0]} | {amounts[1]} to {amounts[2]} |" in text
