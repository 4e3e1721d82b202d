"""What `workings measure` found takes the place of assumed efficiencies, by the nearest size."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from job_files import JOB, read, remarks, write

from workings.measure import node as measuring
from workings.planning.assumed import ASSUMPTIONS
from workings.planning.exact import exactly
from workings.planning.inputs.layer_products import layer_products
from workings.planning.job import Figure, Job, JobError
from workings.planning.stored import stored_plan
from workings.planning.usual import usual

PEAK = 989.4e12
NAMED = JOB + '\n[assume]\nnode = "node.toml"\n'
BIG, SMALL = (16384, 14336, 4096), (16384, 2048, 2048)


def product(sizes: tuple[int, int, int], share: float, how: str = "forward") -> measuring.Row:
    """A row of a product that reaches this share of the H100's peak, 2 in a hundred more or less."""
    rate = share * PEAK
    return {
        "precision": "bf16", "rows": sizes[0], "columns": sizes[1], "inner": sizes[2], "pass": how,
        "flops_per_second": rate, "flops_per_second_range": [0.98 * rate, 1.02 * rate],
        "peak_share": share,
    }  # fmt: skip


def attention(length: int, share: float, **more: object) -> measuring.Row:
    row = product((1, 1, 1), share)
    return {**row, "kernel": "default", "backward": True, "length": length, "head_width": 128,
            "value_width": 128, **more}  # fmt: skip


def copied(size: int, rate: float) -> measuring.Row:
    return {"operation": "copy", "bytes": size, "bytes_per_second": rate,
            "bytes_per_second_range": [rate, rate]}  # fmt: skip


def job_of(folder: Path, rows: Mapping[str, list[measuring.Row]], text: str = NAMED) -> Job:
    """The job beside a file of such rows, as the script writes it."""
    made = measuring.document({"device": "NVIDIA H100 80GB HBM3"}, rows)
    write(folder, made, "node.toml")
    return read(folder, text)


def ends(figure: Figure) -> tuple[float, float, float]:
    assert figure.low is not None
    assert figure.high is not None
    return float(figure.low), float(figure.value), float(figure.high)


MODELS = (("llama3-8b", ""), ("gpt3-175b", ""), ("xxl-ffn", ""), ("deepseek-v3", "ep = 8"),
          ("mixtral-8x7b", "ep = 8\netp = 1"))  # fmt: skip


@pytest.mark.parametrize(("model", "more"), MODELS)
def test_the_products_of_a_layer_are_the_flops_of_the_cost_model(
    tmp_path: Path, model: str, more: str
) -> None:
    text = JOB.replace("8192", "2048").replace("llama3-8b", model).replace("tp = 2", f"tp = 2\n{more}")
    values = {**read(tmp_path, text).values(), "lambda": Fraction(1)}
    v = exactly(stored_plan(), values, ["f_lin", "f_exp", "T_r", "x_E", "P_down"])
    # Ours leave out the router; theirs have the logits elsewhere, and split the way to the latents.
    router = 2 * v["T_r"] / v["t"] * v["x_E"] * v["D"] * v["E"]
    whole = 2 * v["T_r"] * (v["P_down"] - v["P_down"] / v["t"]) if v["r_kv"] else Fraction(0)
    ours = sum(p.flops for p in layer_products(values) if p.of != "logits")
    assert ours + router - whole == v["f_lin"] + v["f_exp"]


def test_every_product_counts_by_its_nearest(tmp_path: Path) -> None:
    """Of all the same rate it is the rate; else of two rates something between, by time."""
    same = job_of(tmp_path, {"matmul": [product(BIG, 0.7)]}).figures["eta"]
    assert ends(same) == (0.714, 0.7, 0.686)
    mixed = job_of(tmp_path, {"matmul": [product(BIG, 0.7), product(SMALL, 0.4)]})
    eta = mixed.figures["eta"]
    attention = ("query, key, value", "attention's output")
    near = sum(p.flops for p in layer_products(mixed.values()) if p.of in attention)
    whole = sum(p.flops for p in layer_products(mixed.values()))
    assert float(eta.value) == pytest.approx(
        float(whole / (near / Fraction(4, 10) + (whole - near) / Fraction(7, 10))), abs=1e-4
    )
    assert eta.kind == "measured"
    assert (eta.place.file, eta.place.key) == ("node.toml", "measured.matmul")


def test_the_backward_has_rows_of_its_own_and_counts_twice(tmp_path: Path) -> None:
    rows = [product(BIG, 0.7), product(BIG, 0.5, "backward")]
    eta = job_of(tmp_path, {"matmul": rows}).figures["eta"]
    assert float(eta.value) == pytest.approx(3 / (1 / 0.7 + 2 / 0.5), abs=1e-4)


def test_what_a_product_holds_for_seconds_lowers_all(tmp_path: Path) -> None:
    rows = [product(BIG, 0.7), product(BIG, 0.63, "sustained")]
    assert ends(job_of(tmp_path, {"matmul": rows}).figures["eta"]) == (0.714, 0.63, 0.6174)
    rows[1] = product(BIG, 0.75, "sustained")  # it cannot hold more than it reaches
    assert ends(job_of(tmp_path, {"matmul": rows}).figures["eta"]) == (0.714, 0.7, 0.686)


def test_attention_and_memory_are_replaced_too(tmp_path: Path) -> None:
    rows = [attention(2048, 0.3), attention(8192, 0.5), attention(8192, 0.6, backward=False),
            attention(8192, 0.7, kernel="flash")]  # fmt: skip
    found = job_of(tmp_path, {"attention": rows, "memory": [copied(8, 1e12), copied(2**31, 3e12)]})
    assert float(found.figures["eta_a"].value) == 0.5
    assert float(found.figures["eta_m"].value) == pytest.approx(3 / 3.35, abs=1e-4)
    assert found.figures["eta"].kind == "assumed"


def test_the_review_is_told_what_took_the_place_of_what(tmp_path: Path) -> None:
    job = job_of(tmp_path, {"matmul": [product(BIG, 0.65)]})
    assumed, _ = usual("NVIDIA Hopper", "16-bit")
    _, best, worst = assumed.numbers
    narrower = float(Fraction(26, 1000) / (best - worst))
    said = remarks(job, "read")
    assert said["assume.node"] == "'node.toml': NVIDIA H100 80GB HBM3"
    assert said["measured.matmul"] == (
        f"matmul_efficiency 0.65 (0.637 to 0.663) in place of {assumed.value} ({assumed.worst} to "
        f"{assumed.best}), {narrower:.2g} times as wide; 5 products of a layer, each by the nearest of 1"
    )
    assert "node.toml" in job.files


def test_what_the_job_itself_says_stays(tmp_path: Path) -> None:
    text = NAMED + "matmul_efficiency = 0.6\n"
    eta = job_of(tmp_path, {"matmul": [product(BIG, 0.65)]}, text).figures["eta"]
    assert (eta.value, eta.kind) == (Fraction(6, 10), "given")


def test_rows_with_an_error_do_not_count(tmp_path: Path) -> None:
    row = {"precision": "bf16", "rows": 1, "columns": 1, "inner": 1, "pass": "forward", "error": "no"}
    assert float(job_of(tmp_path, {"matmul": [row, product(BIG, 0.6)]}).figures["eta"].value) == 0.6


ONE = product(BIG, 0.5)
WRONG: tuple[tuple[str, measuring.Row, str], ...] = (
    (
        "matmul",
        {**ONE, "precision": "fp32"},
        "found nothing, expected a row in bf16, which the job computes",
    ),
    ("matmul", {**ONE, "pass": "backward"}, "measured.matmul: found nothing, expected a row with pass ="),
    ("matmul", {**ONE, "peak_share": 0.9}, "expected the job's device, with 989.4 TFLOP/s"),
    ("matmul", {**ONE, "rows": -1}, "measured.matmul.rows: found -1, expected a positive number"),
    ("matmul", {**ONE, "inner": True}, "measured.matmul.inner: found true, expected a positive number"),
    ("matmul", {**ONE, "flops_per_second_range": [1]}, "expected two numbers as flops_per_second_range"),
    ("attention", attention(8, 0.5, backward=False), "expected a row with backward = true"),
    (
        "memory",
        {"bytes": 8, "error": "no"},
        "measured.memory: found nothing, expected a row without an error",
    ),
    ("memory", copied(8, 4e12), "the job's own device: it comes to memory_efficiency 1.194"),
)


@pytest.mark.parametrize(("family", "row", "said"), WRONG)
def test_what_cannot_be_of_this_job_is_refused(
    tmp_path: Path, family: str, row: measuring.Row, said: str
) -> None:
    with pytest.raises(JobError) as error:
        job_of(tmp_path, {family: [row]})
    assert said in str(error.value)


def test_another_file_is_refused(tmp_path: Path) -> None:
    for text in ("", 'measured = "x"', "[measured]\nstep_time = '7 s'"):
        write(tmp_path, text, "node.toml")
        with pytest.raises(
            JobError, match=r"node\.toml: measured\.device: found nothing, expected a device"
        ):
            read(tmp_path, NAMED)
    write(tmp_path, "[measured]\ndevice = 'X'\nmatmul = 3", "node.toml")
    with pytest.raises(JobError, match=r"measured\.matmul: found 3, expected rows"):
        read(tmp_path, NAMED)


def test_a_file_of_assumptions_names_no_node(tmp_path: Path) -> None:
    write(tmp_path, 'node = "node.toml"', "assumed.toml")
    with pytest.raises(
        JobError, match=r"assumed\.toml: node: found .*, expected assumptions, no further"
    ):
        read(tmp_path, JOB + '\n[assume]\nfile = "assumed.toml"\n')


def test_the_rows_that_the_script_writes_are_those_that_are_read() -> None:
    """Names of precisions, passes and kernels, which no type holds together."""
    text = Path(measuring.__file__).read_text(encoding="utf-8")
    for word in ('"bf16"', '"forward"', '"backward"', '"sustained"', '"default"', '"head_width"'):
        assert word in text
    assert {"matmul_efficiency", "attention_efficiency", "memory_efficiency"} <= ASSUMPTIONS.keys()
