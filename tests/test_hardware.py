"""Hardware presets: units, agreement with data sheets, and with each other."""

from fractions import Fraction

import pytest
from looping import each

import workings
from workings.planning.generations import generation
from workings.planning.precision import BEYOND, peaks
from workings.scenario.presets import PRESETS, layers, preset_names, read_preset
from workings.units import BYTE, FLOP, SECOND, Dimension, parse_quantity

NVIDIA = (
    "v100-32gb-sxm", "a100-40gb-sxm", "a100-80gb-sxm", "a800-80gb-sxm", "h100-sxm", "h200-sxm",
    "h800-sxm", "gh200", "h20-sxm", "b200-sxm", "b300-sxm", "gb200-nvl72", "gb300-nvl72",
)  # fmt: skip
GPUS = (*NVIDIA, "mi300x")
TPUS = ("tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e")
BANDWIDTHS = ("link_one_way", "network_one_way", "memory_bandwidth")
COUNTS = ("node_devices", "torus_axes", "ring_devices")
DIMENSIONS: dict[str, Dimension] = {
    "memory_marketing": BYTE, "memory_reported": BYTE, "compute": FLOP / SECOND,
    "compute_tf32": FLOP / SECOND, "compute_fp32": FLOP / SECOND,
    "link_latency": SECOND, "network_latency": SECOND, "mtbf": SECOND,
    **dict.fromkeys(BANDWIDTHS, BYTE / SECOND),
}  # fmt: skip


def figure(name: str, key: str) -> Fraction:
    return parse_quantity(str(read_preset("hardware", name)[key]["value"])).value


def test_there_is_a_preset_for_each_device_the_seeds_name() -> None:
    assert set(preset_names("hardware")) >= {*GPUS, *TPUS}


@pytest.mark.parametrize("name", [*GPUS, *TPUS])
def test_every_figure_has_its_unit(name: str) -> None:
    entries = {key: e for key, e in read_preset("hardware", name).items() if key != "name"}
    assert {"memory_marketing", "compute", *BANDWIDTHS, "node_devices", "network"} <= set(entries)
    torus = entries.pop("network")["value"] == "torus"
    assert torus == (name in TPUS) == ("torus_axes" in entries) == ("ring_devices" in entries)
    for key, entry in entries.items():
        if key in COUNTS:
            assert isinstance(entry["value"], int), key
        else:
            assert parse_quantity(entry["value"]).dimension == DIMENSIONS[key], key


# The tensor cores of Volta know no TF32; those of an H20 are throttled and its other units are not, and
# AMD's matrix cores multiply FP32 too.
FULL_OR_HALF = [name for name in NVIDIA if name not in ("v100-32gb-sxm", "h20-sxm")]


@pytest.mark.parametrize("name", FULL_OR_HALF)
def test_fp32_is_multiplied_at_half_the_16_bit_peak_in_tf32_and_far_below_it_in_full(name: str) -> None:
    """The vendor's sheet halves the peak for TF32, up to what it rounds; FP32 has no tensor cores."""
    half = figure(name, "compute") / 2
    assert half * Fraction(97, 100) < figure(name, "compute_tf32") <= half
    assert figure(name, "compute_fp32") < half / 5


# Dense peaks over the 16-bit peak of the same device: the vendors' sheets double them with each halving
FEWER_BITS = {
    **{f"{name}-{kind}": (name, 2) for name, kind in (
        ("a100-40gb-sxm", "int8"), ("a100-80gb-sxm", "int8"), ("a800-80gb-sxm", "int8"),
        ("h100-sxm", "fp8"), ("h200-sxm", "fp8"), ("h800-sxm", "fp8"), ("h20-sxm", "fp8"),
        ("gh200", "fp8"),
        ("b200-sxm", "fp8"), ("b300-sxm", "fp8"), ("gb200-nvl72", "fp8"), ("gb300-nvl72", "fp8"),
        ("mi300x", "fp8"), ("tpu-v5e", "int8"), ("tpu-v5p", "int8"), ("tpu-v6e", "int8"),
    )},
    "b200-sxm-fp4": ("b200-sxm", 4), "gb200-nvl72-fp4": ("gb200-nvl72", 4),
    "gb300-nvl72-fp4": ("gb300-nvl72", 6),  # Blackwell Ultra has half more of FP4 alone
}  # fmt: skip


def test_devices_in_fewer_bits_are_all_looked_at() -> None:
    derived = {name for name in preset_names("hardware") if len(layers("hardware", name)) > 1}
    assert derived == FEWER_BITS.keys()


@each("name, base, times", [(name, *of) for name, of in FEWER_BITS.items()])
def test_in_fewer_bits_a_device_has_another_peak_and_nothing_else(
    name: str, base: str, times: int
) -> None:
    narrow, wide = read_preset("hardware", name), read_preset("hardware", base)
    assert {key for key in narrow.keys() | wide.keys() if narrow.get(key) != wide.get(key)} == {
        "name", "compute"
    }  # fmt: skip
    assert str(narrow["name"]) == f"{wide['name']}, in {name.rpartition('-')[2].upper()}"
    assert abs(figure(name, "compute") / figure(base, "compute") - times) < Fraction(1, 100)


def test_the_peak_of_fewer_bits_is_no_generations_16_bit_peak() -> None:
    assert peaks()[generation("NVIDIA H100 80GB HBM3")] == figure("h100-sxm", "compute")


@each("name, base", [(name, base) for name, (base, _) in FEWER_BITS.items()])
def test_a_peak_of_fewer_bits_is_told_from_that_of_its_generation(name: str, base: str) -> None:
    of = generation(str(read_preset("hardware", base)["name"]))
    assert figure(name, "compute") > BEYOND * peaks()[of]


def test_what_is_decoded_in_fp8_is_asked_at_its_peak() -> None:
    what = {"model": "llama3-8b", "tp": "1", "batch": "2048", "sequence_length": "1"}
    what |= dict.fromkeys(("served_width", "cache_width"), "1 byte")
    wide, narrow = (
        workings.value("decode-step-time", set={**what, "hardware": name}).value
        for name in ("h100-sxm", "h100-sxm-fp8")
    )
    assert wide / narrow == figure("h100-sxm-fp8", "compute") / figure("h100-sxm", "compute")


# GB/s that the vendor prints for one device: both ways, all its links
# A100 and H100: NVIDIA data sheets; B200: NVIDIA DGX B200 (14.4 TB/s for eight); others: see the presets
@pytest.mark.parametrize(
    ("name", "both_ways"),
    [("v100-32gb-sxm", 300), ("a100-40gb-sxm", 600), ("a100-80gb-sxm", 600), ("a800-80gb-sxm", 400),
     ("h100-sxm", 900), ("h200-sxm", 900), ("h800-sxm", 400), ("h20-sxm", 900),
     ("b200-sxm", 14_400 // 8), ("b300-sxm", 1800), ("gb200-nvl72", 1800), ("gb300-nvl72", 1800),
     ("gh200", 3 * 300), ("mi300x", 7 * 128)],
)  # fmt: skip
def test_the_data_sheets_figure_of_links_is_twice_the_one_way_figure_here(
    name: str, both_ways: int
) -> None:
    assert 2 * figure(name, "link_one_way") == both_ways * 10**9


# Google's GBps of one chip, both ways, over ports in all directions; the book's figure is a tenth less
@pytest.mark.parametrize(
    ("name", "both_ways", "ports"), [("tpu-v5e", 400, 4), ("tpu-v5p", 1200, 6), ("tpu-v6e", 800, 4)]
)
def test_a_tpu_link_is_nine_tenths_of_googles_figure_for_one_port_one_way(
    name: str, both_ways: int, ports: int
) -> None:
    one_port = Fraction(both_ways * 10**9, 2 * ports)
    assert figure(name, "link_one_way") == one_port * Fraction(9, 10)


@pytest.mark.parametrize("name", [*GPUS, *TPUS])
def test_memory_is_faster_than_links_and_links_faster_than_the_network(name: str) -> None:
    memory, link, network = (
        figure(name, key) for key in ("memory_bandwidth", "link_one_way", "network_one_way")
    )
    assert memory > 2 * link > 2 * network
    assert figure(name, "compute") / memory > (30 if name == "h20-sxm" else 100)  # FLOPs a byte


@pytest.mark.parametrize("name", [name for name in GPUS if name != "h800-sxm"])
def test_a_gpu_reports_a_little_more_memory_than_it_is_sold_with(name: str) -> None:
    sold, reported = figure(name, "memory_marketing"), figure(name, "memory_reported")
    assert sold < reported < sold * Fraction(11, 10)


def test_a_tpu_v5p_reports_what_xla_names_as_its_capacity() -> None:
    sold, reported = figure("tpu-v5p", "memory_marketing"), figure("tpu-v5p", "memory_reported")
    assert round(float(reported / 2**30), 2) == 95.74  # "Used 112.37G of 95.74G hbm", G of XLA being GiB
    assert sold < reported < sold * Fraction(101, 100)


@pytest.mark.parametrize("name", GPUS)
def test_a_hop_inside_a_node_starts_sooner_than_one_over_the_network(name: str) -> None:
    assert 0 < figure(name, "link_latency") < figure(name, "network_latency") < Fraction(1, 10**5)


def test_what_was_made_for_export_differs_in_its_link_or_in_what_it_computes() -> None:
    same = ("compute", "memory_bandwidth", "network_one_way", "node_devices", "compute_tf32")
    for one, other in (("a800-80gb-sxm", "a100-80gb-sxm"), ("h800-sxm", "h100-sxm")):
        assert [figure(one, key) for key in same] == [figure(other, key) for key in same]
        assert figure(one, "link_one_way") < figure(other, "link_one_way")
    assert figure("h20-sxm", "link_one_way") == figure("h100-sxm", "link_one_way")
    assert figure("h20-sxm", "compute") < figure("h100-sxm", "compute") / 6


def test_siblings_differ_in_memory_only() -> None:
    same = ("compute", "link_one_way", "network_one_way", "node_devices")
    for one, other in (("a100-40gb-sxm", "a100-80gb-sxm"), ("h100-sxm", "h200-sxm")):
        assert [figure(one, key) for key in same] == [figure(other, key) for key in same]
        assert figure(one, "memory_marketing") < figure(other, "memory_marketing")
        assert figure(one, "memory_bandwidth") < figure(other, "memory_bandwidth")


def test_pods_of_tpus_have_the_chips_of_their_torus() -> None:
    sizes = {"tpu-v4": 16 * 16 * 16, "tpu-v5e": 16 * 16, "tpu-v5p": 16 * 20 * 28, "tpu-v6e": 16 * 16}
    assert {name: figure(name, "node_devices") for name in sizes} == sizes


@pytest.mark.parametrize("name", GPUS)
def test_where_a_vendor_counts_both_ways_the_file_says_so(name: str) -> None:
    text = (PRESETS / "hardware" / f"{name}.toml").read_text(encoding="utf-8")
    assert "counts both ways" in text
    assert "each" in read_preset("hardware", name)["link_one_way"]["source"]
