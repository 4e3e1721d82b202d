"""Clusters: tiers, measured bandwidths, assumptions, and what contradicts in them."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import JOB, LAUNCH, MODEL, read, remarks

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs.measured import FACTORS, bus_from_algorithm, link_from_bus
from workings.planning.job import Job, JobError

OWN = """
[cluster]
compute = "989.4 TFLOP/s"
memory = "80 GB"
memory_bandwidth = "3.35 TB/s"
devices = 16
"""
TIERS = """
[[cluster.tier]]
name = "NVLink"
devices = 8
bandwidth = "450 GB/s"
latency = "3 us"
[[cluster.tier]]
name = "leaf"
devices = 3072
bandwidth = "50 GB/s"
latency = "10 us"
[[cluster.tier]]
name = "spine"
devices = 24576
bandwidth = "50 GB/s"
oversubscription = 7
"""


def cluster(folder: Path, text: str, launch: str = LAUNCH) -> Job:
    return read(folder, MODEL + OWN + text + launch)


def test_three_tiers_are_node_network_and_pods(tmp_path: Path) -> None:
    job = cluster(tmp_path, TIERS)
    values = job.values()
    assert values["n_node"] == 8
    assert values["n_pod"] == 3072
    assert values["W_1"] == 450 * 10**9
    assert values["W_2"] == 50 * 10**9
    assert values["W_3"] == Fraction(50 * 10**9, 7)
    assert values["alpha_1"] == Fraction(3, 10**6)
    assert values["alpha_2"] == Fraction(1, 10**5)
    assert "oversubscribed 7 to 1" in job.figures["W_3"].source


def test_the_latency_of_a_third_tier_is_said_to_be_ignored(tmp_path: Path) -> None:
    job = cluster(tmp_path, TIERS + 'latency = "20 us"\n')
    assert "cluster.tier 3.latency" in remarks(job, "ignored")
    assert job.values() == cluster(tmp_path, TIERS).values()


def test_tiers_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "net.toml").write_text(OWN.replace("[cluster]", "") + TIERS.replace("cluster.", ""))
    job = read(tmp_path, f'{MODEL}[cluster]\nfile = "net.toml"\n{LAUNCH}')
    assert job.values() == cluster(tmp_path, TIERS).values()


def test_one_tier_leaves_nothing_to_a_network(tmp_path: Path) -> None:
    job = cluster(tmp_path, '[[cluster.tier]]\ndevices = 16\nbandwidth = "450 GB/s"\n')
    assert job.values()["W_2"] == 450 * 10**9
    assert job.figures["W_2"].kind == "follows"
    assert exactly(plan(), job.values(), ["q_d"])["q_d"] == 0


@pytest.mark.parametrize(
    ("tiers", "said"),
    [
        ('[[cluster.tier]]\nbandwidth = "1 GB/s"\n' * 4, "cluster.tier: found 4, expected 1 to 3 tiers"),
        (
            TIERS.replace("devices = 3072", "devices = 12"),
            "tier 2.devices: found 12, expected several times",
        ),
        (TIERS.replace("devices = 3072\n", ""), "tier 2.devices: found nothing"),
        (TIERS.replace('"450 GB/s"', '"450 Gb/s"'), "expected Gbit/s for bits or GB/s for bytes"),
        (TIERS.replace('"450 GB/s"', '"0 GB/s"'), "found '0 GB/s', expected a positive quantity"),
        (TIERS.replace('"450 GB/s"', "450"), "found 450, expected a positive quantity such as '50 GB/s'"),
        (TIERS.replace("oversubscription = 7", "oversubscription = 0.5"), "expected a number from 1"),
        (TIERS.replace("name", "nmae"), "found an unknown key, expected one of bandwidth"),
        (
            'link_one_way = "400 GB/s"\n' + TIERS,
            "cluster.link_one_way: found '400 GB/s', expected it only",
        ),
        (
            '[[cluster.tier]]\ndevices = 8\nbandwidth = "1 GB/s"\n',
            "cluster.devices: found 16, expected at most",
        ),
    ],
)
def test_tiers_that_contradict_are_refused(tmp_path: Path, tiers: str, said: str) -> None:
    with pytest.raises(JobError, match=said.replace("(", r"\(")):
        cluster(tmp_path, tiers)


# --- measured bandwidths -------------------------------------------------------------------------


def ring_seconds(size: Fraction, ranks: int, passes: int, port: Fraction, ports: int) -> Fraction:
    """A ring by hand: each pass, every rank but one sends a chunk on; nodes have `ports` to share."""
    chunk = size / ranks
    return sum((chunk / (port * ports) for _ in range(passes * (ranks - 1))), Fraction(0))


@pytest.mark.parametrize(
    ("name", "passes"), [("all-reduce", 2), ("all-gather", 1), ("reduce-scatter", 1)]
)
@pytest.mark.parametrize(("ranks", "inside"), [(16, 8), (4, 1), (24, 4)])
def test_a_rings_measured_rate_gives_back_the_port(
    name: str, passes: int, ranks: int, inside: int
) -> None:
    size, port = Fraction(10**9), Fraction(50 * 10**9)
    algorithm = size / ring_seconds(size, ranks, passes, port, inside)
    assert link_from_bus(bus_from_algorithm(algorithm, name, ranks), name, ranks, inside) == port


@pytest.mark.parametrize(("ranks", "inside"), [(16, 8), (64, 8), (4, 1)])
def test_an_all_to_alls_measured_rate_gives_back_the_port(ranks: int, inside: int) -> None:
    size, port = Fraction(10**9), Fraction(50 * 10**9)
    beyond = sum(1 for other in range(ranks) if other // inside != 0)  # of rank 0, which sits in node 0
    algorithm = size / (beyond * (size / ranks) / port)
    bus = bus_from_algorithm(algorithm, "all-to-all", ranks)
    assert link_from_bus(bus, "all-to-all", ranks, inside) == port


def test_factors_are_those_that_nccl_tests_prints() -> None:
    at_8 = {name: factor(8) for name, factor in FACTORS.items()}
    assert at_8["all-reduce"] == Fraction(7, 4)
    assert at_8["reduce-scatter"] == at_8["all-gather"] == at_8["all-to-all"] == Fraction(7, 8)
    assert at_8["broadcast"] == at_8["reduce"] == at_8["send-receive"] == 1


NVLINK = """
[[cluster.tier]]
devices = 8
measured_algorithm = "200 GB/s"
collective = "all-reduce"
ranks = 8
"""
NETWORK = (
    '[[cluster.tier]]\ndevices = 64\nbandwidth = "50 GB/s"\nmeasured_bus = "320 GB/s"\n'
    'collective = "all-reduce"\nranks = 16\nranks_inside = 8\n'
)


def test_a_measured_link_says_how_it_was_converted(tmp_path: Path) -> None:
    job = cluster(tmp_path, NVLINK + NETWORK)
    assert job.figures["W_1"].kind == job.figures["W_2"].kind == "measured"
    assert "all-reduce of 8 ranks, 200 GB/s algorithm bandwidth × 7/4" in job.figures["W_1"].source
    assert "cluster.tier 2.bandwidth" in remarks(job, "ignored")


def contradictions(job: Job) -> list[str]:
    return [note.text for note in job.noted if note.remark == "contradicts"]


PRESET = (
    MODEL + '[cluster]\nhardware = "h100-sxm"\ndevices = 16\n' + NVLINK
    + NETWORK.replace('bandwidth = "50 GB/s"\n', "") + LAUNCH
)  # fmt: skip


def of_all_gather(text: str) -> str:
    """The same measurements, of a collective that no switch adds up."""
    return text.replace('"all-reduce"', '"all-gather"')


@pytest.mark.parametrize(
    ("network", "said"),
    [
        (
            NETWORK.replace("320 GB/s", "900 GB/s"),
            "tier 2.measured_bus: found 900 GB/s, 112.5 GB/s of each device, expected at most 400 GB/s, "
            "since the link of a device carries 50 GB/s one way: both directions may be counted, or more",
        ),
        (NETWORK.replace("320 GB/s", "700 GB/s"), "the switches add up .SHARP., which an all-gather"),
        (of_all_gather(NETWORK).replace("320 GB/s", "700 GB/s"), "or more ports than ranks_inside says"),
        (NETWORK.replace("320 GB/s", "3200 GB/s"), "bits may be taken for bytes, or a whole node"),
        (
            of_all_gather(NETWORK).replace("measured_bus", "measured_algorithm").replace("320", "600"),
            "found 600 GB/s, 70.31 GB/s of each device, expected at most 426.7 GB/s",
        ),
    ],
)
def test_a_link_measured_above_what_its_wire_carries_is_refused(
    tmp_path: Path, network: str, said: str
) -> None:
    with pytest.raises(JobError, match=said):
        cluster(tmp_path, NVLINK + network)


def test_the_wire_may_be_a_presets(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="carries 50 GB/s one way"):
        read(tmp_path, PRESET.replace("320 GB/s", "900 GB/s"))
    assert read(tmp_path, PRESET).values()["W_2"] == 40 * 10**9


def test_an_all_reduce_just_above_the_wire_may_be_one_that_switches_add_up(tmp_path: Path) -> None:
    within = cluster(tmp_path, NVLINK + NETWORK.replace("320 GB/s", "400 GB/s"))
    above = cluster(tmp_path, NVLINK + NETWORK.replace("320 GB/s", "430 GB/s"))
    gathered = cluster(tmp_path, NVLINK + of_all_gather(NETWORK).replace("320 GB/s", "430 GB/s"))
    assert not contradictions(within)
    assert not contradictions(gathered)  # within what a measurement may err
    [text] = contradictions(above)
    assert text.startswith("measured 53.75 GB/s a device, its link carries 50 GB/s one way; switches")


def test_an_assumption_measured_above_the_wire_is_refused_too(tmp_path: Path) -> None:
    said = "assume.network_one_way: found 100 GB/s, expected at most the 50 GB/s that the link"
    with pytest.raises(JobError, match=said):
        assumed(tmp_path, 'network_one_way = { value = "100 GB/s", measured = true }')
    what_if = assumed(tmp_path, 'network_one_way = "100 GB/s"')  # a question, no measurement
    assert what_if.values()["W_2"] == 100 * 10**9


def test_the_time_of_a_collective_is_the_measured_one(tmp_path: Path) -> None:
    """The gradients' all-reduce over two whole nodes takes what nccl-tests would print of many bytes.

    Its pieces' starts, which many bytes at once do not show, come on top.
    """
    launch = LAUNCH.replace("tp = 2", "tp = 1").replace("zero = 1", "zero = 0")
    job = cluster(tmp_path, NVLINK + NETWORK, launch)
    no_starts = {**job.values(), "alpha_1": Fraction(0), "alpha_2": Fraction(0)}
    found = exactly(plan(), no_starts, ["T_d", "P_top"])
    size = found["P_top"] * job.values()["g"]
    algorithm = Fraction(320 * 10**9) / Fraction(30, 16)  # 16 ranks: 2 × 15/16
    assert found["T_d"] == size / algorithm
    assert exactly(plan(), job.values(), ["T_d"])["T_d"] > found["T_d"]


@pytest.mark.parametrize(
    ("tier", "said"),
    [
        (NETWORK.replace("ranks_inside = 8\n", ""), "ranks_inside: found nothing, expected how many"),
        (
            NETWORK.replace("ranks_inside = 8", "ranks_inside = 16"),
            "found 16, expected a whole number from 1 to 15",
        ),
        (NETWORK.replace("ranks = 16\n", ""), "tier 2.ranks: found nothing"),
        (NETWORK.replace('"all-reduce"', '"all-magic"'), "found 'all-magic', expected one of all-reduce"),
        (NETWORK + 'measured_algorithm = "1 GB/s"\n', "expected no measured_bus beside it"),
        (
            '[[cluster.tier]]\ndevices = 64\nbandwidth = "1 GB/s"\nranks = 8\n',
            "ranks: found 8, expected measured_bus",
        ),
    ],
)
def test_measurements_that_say_too_little_are_refused(tmp_path: Path, tier: str, said: str) -> None:
    with pytest.raises(JobError, match=said):
        cluster(tmp_path, NVLINK + tier)


# --- memory and what is missing ------------------------------------------------------------------


def test_the_jobs_memory_goes_before_what_a_device_reports(tmp_path: Path) -> None:
    job = read(tmp_path, JOB.replace("devices = 16", 'devices = 16\nmemory = "70 GB"'))
    assert job.values()["M_dev"] == 70 * 10**9
    assert job.figures["M_dev"].kind == "given"


@pytest.mark.parametrize(
    ("cluster_text", "said"),
    [
        (OWN.replace('compute = "989.4 TFLOP/s"\n', ""), "cluster.compute: found nothing"),
        (OWN.replace('memory = "80 GB"\n', ""), "cluster.memory: found nothing"),
        (OWN, "cluster.link_one_way: found nothing"),
        (
            OWN + 'link_one_way = "1 GB/s"\nnetwork_one_way = "1 GB/s"\n',
            "cluster.node_devices: found nothing",
        ),
        (OWN + 'link_one_way = "1 GB/s"\nnode_devices = 8\n', "expected at most the 8 devices of a node"),
        (OWN + 'hardware = "h101"\n', "no hardware preset 'h101'"),
        (OWN + 'gpu = "h100"\n', "cluster.gpu: found an unknown key"),
        ("[cluster]\nhardware = 5\n", "cluster.hardware: found 5"),
        ("cluster = 5\n", "cluster: found 5, expected a table"),
    ],
)
def test_clusters_that_say_too_little_are_refused(tmp_path: Path, cluster_text: str, said: str) -> None:
    before = cluster_text + MODEL if cluster_text.startswith("cluster =") else MODEL + cluster_text
    with pytest.raises(ValueError, match=said):
        read(tmp_path, before + LAUNCH)


# --- assumptions ---------------------------------------------------------------------------------


def assumed(folder: Path, text: str) -> Job:
    return read(folder, f"{JOB}[assume]\n{text}\n")


def test_an_assumption_is_a_value_or_a_range_with_its_source(tmp_path: Path) -> None:
    table = '{ value = 0.62, low = 0.55, high = 0.7, source = "nsys, run 41", measured = true }'
    job = assumed(tmp_path, f'goodput = "93 %"\nmatmul_efficiency = {table}')
    eta = job.figures["eta"]
    assert job.values()["gamma"] == Fraction(93, 100)
    assert eta.value == Fraction(31, 50)
    assert eta.kind == "measured"
    assert eta.source == "nsys, run 41"


def test_low_is_the_end_that_costs_least(tmp_path: Path) -> None:
    job = assumed(tmp_path, "matmul_efficiency = { value = 0.6, low = 0.5, high = 0.7 }\n"
                            "imbalance = { value = 1.2, low = 1.0, high = 1.5 }")  # fmt: skip
    eta, busiest = job.figures["eta"], job.figures["lambda"]
    assert eta.low == Fraction(7, 10)
    assert eta.high == Fraction(1, 2)
    assert busiest.low == 1
    assert busiest.high == Fraction(3, 2)


def test_figures_of_the_hardware_may_have_a_range_too(tmp_path: Path) -> None:
    job = assumed(tmp_path, 'price = { value = "2 USD/h", low = "1 USD/h", high = "3 USD/h" }')
    assert job.figures["c_d"].low == Fraction(1, 3600)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("luck = 1", "assume.luck: found 'luck', expected an assumption: one of"),
        ("matmul_efficiency = 1.2", "expected share of its peak .* a number above 0 and at most 1"),
        ("matmul_efficiency = 0", "a number above 0"),
        ("matmul_efficiency = nan", "found nan, expected a finite number"),
        ("matmul_efficiency = 1e999999999", "expected a finite number of reasonable size"),
        ('device_context = "1 GB/s"', "expected a quantity such as '1 GB'"),
        ("device_context = 600", "found 600"),
        ("goodput = { low = 0.1, high = 0.2 }", "assume.goodput.value: found nothing"),
        ("goodput = { value = 0.9, low = 0.1 }", "both low and high"),
        ("goodput = { value = 0.9, low = 0.95, high = 0.99 }", "low ≤ value ≤ high"),
        ("goodput = { value = 0.9, hi = 1 }", "assume.goodput.hi"),
        ('goodput = { value = 0.9, measured = "yes" }', "true or false"),
    ],
)
def test_assumptions_that_make_no_sense_are_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(JobError, match=said):
        assumed(tmp_path, text)


def test_a_torus_is_taken_as_a_switch_and_said_so_unless_its_tiers_give_what_it_carries(
    tmp_path: Path,
) -> None:
    text = JOB.replace('hardware = "h100-sxm"', 'hardware = "tpu-v5p"')
    job = read(tmp_path, text)
    assert "both ways round its rings" in remarks(job, "ignored")["cluster.network"]
    assert job.values()["W_1"] == 90 * 10**9
    tier = '\n[[cluster.tier]]\ndevices = 16\nbandwidth = "180 GB/s"\n'
    assert "cluster.network" not in remarks(
        read(tmp_path, text.replace("\n[launch]", f"{tier}[launch]")), "ignored"
    )
    assert "cluster.network" not in remarks(read(tmp_path), "ignored")
    with pytest.raises(JobError, match=r"cluster.network: found 'mesh', expected one of switch, torus"):
        read(tmp_path, JOB.replace('"h100-sxm"', '"h100-sxm"\nnetwork = "mesh"'))


def test_the_busiest_expert_has_no_less_than_the_mean(tmp_path: Path) -> None:
    with pytest.raises(
        JobError, match=r"imbalance: found 0\.9, expected tokens of the busiest, .*from 1"
    ):
        assumed(tmp_path, "imbalance = 0.9")
