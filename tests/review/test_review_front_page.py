"""What the first page claims: of which runs, about what, and what it does not follow."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from jobs import llama3_8b, llama3_405b

from workings.document.blocks import Block, Items, Note, Number, Prose, Strong
from workings.planning.accuracy import enough, of_kind, peaks, step_times
from workings.planning.cost import plan
from workings.planning.generations import generation
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options
from workings.planning.job import Cover, Job, Noted, Results
from workings.planning.unfollowed import unfollowed
from workings.review.desk import Desk
from workings.review.front_page import MOST_CONDITIONS, front_page
from workings.review.sources_of_odds import how_sure
from workings.review.verdict import verdict
from workings.scenario.presets import preset_names

REVIEWS = sorted((Path(__file__).parents[2] / "reports" / "reviews").glob("*/job.toml"))
SIZE: dict[str, str | int] = {"model": "llama3-8b", "gpus": 8, "seq": 8192, "global_batch": 64, "zero": 1}
H800 = """
[model]
preset = "llama3-8b"
[cluster]
name = "H800"
compute = "989 TFLOP/s"
memory = "80 GB"
memory_bandwidth = "3.35 TB/s"
link_one_way = "200 GB/s"
network_one_way = "50 GB/s"
node_devices = 8
devices = 8
[launch]
dp = 8
batch = 64
sequence_length = 8192
"""


def on_gpu(gpu: str) -> Callable[[Path], Job]:
    return lambda _: job_from_options(None, gpu=gpu, dp=8, **SIZE)


def on_h800(folder: Path) -> Job:
    (folder / "job.toml").write_text(H800, encoding="utf-8")
    return read_job(folder / "job.toml")


def on_something_unnamed(folder: Path) -> Job:
    (folder / "job.toml").write_text(H800.replace("H800", "our cluster"), encoding="utf-8")
    return read_job(folder / "job.toml")


def in_fp8(folder: Path) -> Job:
    launch = folder / "launch.sh"
    launch.write_text(
        "torchrun pretrain_gpt.py --micro-batch-size 1 --global-batch-size 64 --seq-length 8192 --bf16 "
        "--recompute-num-layers 2 --bucket-size 4 --fp8-format hybrid --use-distributed-optimizer",
        encoding="utf-8",
    )
    return job_from_options(model="llama3-8b", gpu="h100-sxm", gpus=8, megatron=str(launch))


def at_the_fp8_peak(folder: Path) -> Job:
    (folder / "job.toml").write_text(H800.replace("989", "1979"), encoding="utf-8")
    return read_job(folder / "job.toml")


def in_fp32(_: Path) -> Job:
    return llama3_8b(a=4)


OTHERS: dict[str, tuple[Callable[[Path], Job], tuple[str, str]]] = {
    "TPU v5p": (on_gpu("tpu-v5p"), ("TPU v5p", "16-bit")),
    "TPU v4": (on_gpu("tpu-v4"), ("TPU v4", "16-bit")),
    "A100": (on_gpu("a100-80gb-sxm"), ("NVIDIA Ampere", "16-bit")),
    "B200": (on_gpu("b200-sxm"), ("NVIDIA Blackwell", "16-bit")),
    "H200": (on_gpu("h200-sxm"), ("NVIDIA Hopper", "16-bit")),
    "H800": (on_h800, ("NVIDIA Hopper", "16-bit")),
    "unnamed": (on_something_unnamed, ("", "16-bit")),
    "FP8": (in_fp8, ("NVIDIA Hopper", "8-bit")),
    "the peak of FP8": (at_the_fp8_peak, ("NVIDIA Hopper", "8-bit")),
    "FP32": (in_fp32, ("NVIDIA Hopper", "32-bit")),
}


@cache
def reviewed(path: Path) -> Desk:
    return Desk(read_job(path), plan())


def said(desk: Desk) -> str:
    """The words of the first page, without its tables."""
    return " ".join(_words(block) for block in front_page(desk, verdict(desk)))


def _words(block: Block) -> str:
    if isinstance(block, Prose):
        return "".join(_inline(piece) for piece in block.line)
    if isinstance(block, Note):
        title = "".join(_inline(piece) for piece in block.title)
        return " ".join([title, *(_words(inside) for inside in block.inside)])
    if isinstance(block, Items):
        return " ".join(_words(inside) for item in block.items for inside in item)
    return ""


def _inline(piece: object) -> str:
    if isinstance(piece, Strong):
        return "".join(_inline(inside) for inside in piece.inside)
    return f"{piece.number} {piece.unit}" if isinstance(piece, Number) else getattr(piece, "text", "")


def check_claims(desk: Desk) -> None:
    """Every step that a review counts was timed on such devices, every peak at this precision.

    The odds are theirs.
    """
    page, (where, precision) = how_sure(desk), desk.device
    for result, every, name in (("T_step", step_times(), "step times"), ("M", peaks(), "measured peaks")):
        alike = [
            r for r in every
            if r.precision == precision and (result == "M" or r.generation == where)
            and r.generation.startswith("TPU") == where.startswith("TPU")
        ]  # fmt: skip
        found = re.search(rf"(\d+) {name}[^()]*? from (\w+) sources? \(([^()]+) times\)", page)
        if result in desk.known or not enough(alike):
            assert found is None
            said_of = "memory" if result == "M" else "a step"
            assert result in desk.known or f"The odds of {said_of} are assumed" in page
            continue
        assert found is not None
        place = f"at {precision}" if result == "M" else f"on {where} at {precision}"
        assert f"{name} {place} precision" in page
        kind = desk.peaks if result == "M" else of_kind(alike, desk.base, desk.job.framework)
        some = [r for r in alike if r in kind]
        assert int(found[1]) == len(some)
        assert found[2] in (str(len({r.source for r in some})), "one")
        middle = float(found[3].split("P50 ")[1].split(",")[0])
        weights = Counter(r.source for r in some)
        below = sum(1 / weights[r.source] for r in some if float(r.ratio) <= middle + 1e-3)
        assert below >= 0.4 * len(weights)


@pytest.mark.parametrize("path", REVIEWS, ids=lambda path: path.parent.name)
def test_a_review_cites_only_runs_on_its_devices_and_says_what_it_is_about(path: Path) -> None:
    desk = reviewed(path)
    check_claims(desk)
    page = said(desk)
    answer = verdict(desk)
    assert f"{answer.word} on " in page
    assert page.count("Measure first:") <= MOST_CONDITIONS
    assert ("his run took place, so it fits" in page) == bool(desk.job.published.source)
    assert "Nobody has said why" not in page
    if desk.job.published.values:
        assert "plan with that" in page or "plan with the longer" in page


@pytest.mark.parametrize("name", OTHERS)
def test_other_devices_and_precisions_have_their_own_evidence_or_none(name: str, tmp_path: Path) -> None:
    make, where = OTHERS[name]
    desk = Desk(make(tmp_path), plan())
    assert desk.device == where
    check_claims(desk)


def test_the_answer_names_every_limit_that_is_set() -> None:
    job = llama3_8b(M_dev=Fraction(140 * 10**9))
    for limits, about in (({}, "memory"), ({"max_time": Fraction(10**9)}, "memory and days"),
                          ({"max_cost": Fraction(10**9)}, "memory and cost"),
                          ({"max_time": Fraction(10**9), "max_cost": Fraction(10**9)},
                           "memory, days and cost")):  # fmt: skip
        desk = Desk(replace(job, **limits), plan())  # type: ignore[arg-type]
        assert verdict(desk).said == f"GO on {about}"
        assert f"GO on {about} " in said(desk)


def published(step: Fraction) -> Desk:
    job = llama3_405b(z_2=1)
    eta = replace(job.figures["eta"], low=Fraction(8, 10), high=Fraction(5, 10))
    told = Results({"T_step": step}, "a paper")
    return Desk(replace(job, figures={**job.figures, "eta": eta}, published=told), plan())


def test_a_published_step_outranks_all_others_and_one_far_off_is_said_to_be() -> None:
    base = published(Fraction(1)).base["T_step"]
    for times, outside in ((Fraction(1), False), (Fraction(4), True), (Fraction(1, 4), True)):
        desk = published(base * times)
        page = said(desk)
        assert "plan with that" in page or "plan with the longer" in page
        assert ("fewer than 20 lie so far off" in page) == outside
        days = desk.base["T_run"] * times / 86400
        assert desk.expected("T_run") == desk.base["T_run"] * times
        assert f"the run {float(days):,.3g} days" in page or f"the run {float(days):,.1f} days" in page


def test_a_published_step_decides_on_a_limit_of_days() -> None:
    desk = published(published(Fraction(1)).base["T_step"] * 2)
    limit = desk.base["T_run"] * Fraction(3, 2)
    desk = Desk(replace(desk.job, max_time=limit), plan())
    assert verdict(desk).word == "NO-GO"
    assert verdict(Desk(replace(desk.job, published=Results({})), plan())).word != "NO-GO"


def test_an_mfu_is_a_step_by_its_source_s_own_count() -> None:
    job = llama3_405b(z_2=1)
    for share in (Fraction(1, 2), Fraction(1)):
        u = Desk(llama3_405b(z_2=1, kappa_u=share), plan()).base["u"]
        told = Results({"u": u * Fraction(9, 10)}, "a paper", counts=(share,))
        desk = Desk(replace(job, published=told), plan())
        assert set(desk.published["T_step"]) == {desk.base["T_step"] / Fraction(9, 10)}


def test_a_run_that_took_place_fits_and_says_why_the_model_would_refuse_it() -> None:
    """That a source tells of it is enough."""
    job = llama3_405b(z_1=0)
    told = Results({}, "a paper", why="they held fewer micro-batches")
    assert verdict(Desk(job, plan())).word == "NO-GO"
    assert "took place" not in said(Desk(job, plan()))
    there = Desk(replace(job, published=told), plan())
    assert verdict(there).said == "GO on memory"
    assert verdict(Desk(there.job, plan())).reason.endswith(
        "fewer than 5 of 100 runs like this one would fit)"
    )
    page = said(there)
    assert "This run took place, so it fits" in page
    assert "Of its memory the model or its input is at fault. They held fewer micro-batches." in page
    assert "Nobody has said why" in said(Desk(replace(job, published=told._replace(why="")), plan()))


def test_a_step_of_which_nobody_says_how_attention_counts_has_both_readings_as_its_ends() -> None:
    job = llama3_405b(z_2=1)
    ways = (Fraction(1, 2), Fraction(1))
    u = [Desk(llama3_405b(z_2=1, kappa_u=share), plan()).base["u"] for share in ways]
    told = Results({"u": u[0]}, "a paper", counts=ways)
    desk = Desk(replace(job, published=told), plan())
    step = desk.base["T_step"]
    assert desk.likely("T_step") == (step, step * (1 + u[1] / u[0]) / 2, step * u[1] / u[0])
    page = said(desk)
    assert "as its source does not say how it counts attention" in page
    days = desk.likely("T_run")
    assert days.least == desk.base["T_run"]  # by the shorter reading, which is the model's here


def test_what_its_author_asks_for_makes_a_go_conditional_and_no_no_go_better() -> None:
    tight = llama3_405b(z_2=1)
    job = tight.with_values({"M_dev": 2 * tight.figures["M_dev"].value})
    asked = Cover(conditions=("the network has passed its test.",))
    desk, there = (Desk(one, plan()) for one in (job, replace(job, cover=asked)))
    before, answer = verdict(desk), verdict(there)
    assert (before.word, answer.word) == ("GO", "GO IF")
    assert answer.said == "GO IF on what its author asks for"
    assert answer.reason == before.reason
    assert "On condition that: the network has passed its test." in said(there)
    worse = replace(llama3_405b(z_1=0), cover=asked)
    assert verdict(Desk(worse, plan())).said == "NO-GO on memory"
    both = verdict(Desk(replace(tight, cover=asked), plan()))
    assert both.said == "GO IF on memory and what its author asks for"
    assert len(both.conditions) == 2


def test_what_is_trained_names_chunks_and_how_a_sequence_is_split() -> None:
    for chunks, split, words in (
        (1, 1, "DP 128, sequence parallelism, ZeRO"),
        (2, 0, "DP 128, 2 chunks a rank, no sequence parallelism, ZeRO"),
    ):
        assert words in said(Desk(llama3_405b(v=chunks, z_s=split), plan()))
    assert "sequence parallelism" not in said(Desk(llama3_8b(t=1, z_s=0), plan()))


def test_what_is_trained_names_the_parts_of_a_loss_that_are_made_one_after_the_other() -> None:
    assert "computed again, the loss in 8 parts." in said(Desk(llama3_8b(n_l=8), plan()))
    assert "the loss in" not in said(Desk(llama3_8b(), plan()))


def test_of_experts_conditions_ask_for_routers_that_have_learned() -> None:
    """First steps do not show how these balance."""
    (path,) = (path for path in REVIEWS if path.parent.name == "qwen3-235b-gb200")
    page = said(reviewed(path))
    for condition in ("the measured peak of memory", "a measured step"):
        assert f"{condition}, with routers that have learned," in page
    assert page.count("a few steps of this layout from trained weights") == 2
    assert "routers" not in said(Desk(llama3_405b(), plan()))


def test_what_the_launch_asks_for_and_the_plan_does_not_follow_stands_there_fp8_first(
    tmp_path: Path,
) -> None:
    job = in_fp8(tmp_path)
    page = said(Desk(job, plan()))
    told = page.split("Asked for and not followed, the heaviest first: ")[1]
    assert told.startswith("--fp8-format (the plan computes in 16 bits")
    assert told.index("fp8") < told.index("recompute-num-layers") < told.index("bucket-size")
    assert "see Inputs" in told


def test_what_is_not_followed_is_told_by_consequence_whatever_its_order() -> None:
    notes = [
        Noted("ignored", "a.sh", "--log-interval", "the plan has no use for it"),
        Noted("ignored", "a.sh", "--bucket-size", "buckets are not timed one by one"),
        Noted("ignored", "a.sh", "--recompute-num-layers", "every block is computed again"),
        Noted("contradicts", "a.sh", "--seq-length", "4,096 and 8,192"),
        Noted("ignored", "a.sh", "--fp8", "compute is at the 16-bit peak"),
        Noted("read", "a.sh", "--bf16", "True"),
    ]
    order = ["--fp8 ", "--seq-length", "--recompute-num-layers", "--bucket-size", "--log-interval"]
    for turn in range(len(notes)):
        told = unfollowed([*notes[turn:], *notes[:turn]])
        assert [told.index(key) for key in order] == sorted(told.index(key) for key in order)
        assert "--bf16" not in told
    assert unfollowed(notes[-1:]) == ""
    twice = [Noted("ignored", "a.sh", key, "compute") for key in ("--fp8-format", "--fp8-margin")]
    assert unfollowed(twice).count("16-bit peak") == 1


def test_every_preset_of_hardware_has_a_generation() -> None:
    for name in preset_names("hardware"):
        assert generation(job_from_options(None, gpu=name, dp=8, **SIZE).device)


def test_active_parameters_are_told_with_and_without_the_table_that_embeds_a_token() -> None:
    def active(model: str) -> str:
        job = job_from_options(None, gpu="h100-sxm", dp=8, **{**SIZE, "model": model})
        return said(Desk(job, plan())).partition(" parameters (")[2].partition(")")[0]

    # DeepSeek's documentation: 36.7 billion; Alibaba's: 22 of 235 billion
    found = "37.6 billion of them active for a token, 36.6 billion without the table that embeds it"
    assert active("deepseek-v3") == found
    assert active("qwen3-235b-a22b").startswith("22.2 billion of them active for a token, 21.6 billion")
