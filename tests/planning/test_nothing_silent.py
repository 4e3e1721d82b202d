"""Nothing that a job is given is ignored, or taken otherwise, without a word beside the answer."""

import re
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from workings.cli import main
from workings.planning.exact import exactly
from workings.planning.idle import with_idle
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options
from workings.planning.job import Job, JobError
from workings.planning.stored import stored_plan
from workings.planning.unfollowed import taken, told, unfollowed
from workings.scenario.inputs import SECTIONS
from workings.scenario.presets import preset_names, read_preset
from workings.units import parse_quantity

SCRIPT = (
    "torchrun --nproc_per_node 8 --nnodes 1 --node-rank 0 --master-addr host --master-port 6000 "
    "--rdzv-backend c10d pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 "
    "--num-attention-heads 32 --group-query-attention --num-query-groups 8 --swiglu "
    "--untie-embeddings-and-output-weights --disable-bias-linear --normalization RMSNorm "
    "--position-embedding-type rope --seq-length 2048 --max-position-embeddings 2048 "
    "--padded-vocab-size 128256 --tensor-model-parallel-size 8 --micro-batch-size 1 "
    "--global-batch-size 64 --use-distributed-optimizer --lr 1e-4"
)
FILE = """
[model]
preset = "llama3-8b"
[cluster]
hardware = "h100-sxm"
devices = 8
[launch]
sequence_length = 2048
batch = 64
"""
IN_FP32 = "dp = 8\nactivation_width = 4\ngather_width = 4\nworking_width = 0\n"
TITAN = """
[model]
flavor = "8B"
[training]
seq_len = 2048
"""


def ran(folder: Path, command: str, *arguments: str) -> str:
    """What a command prints, on one line; of a review its first page."""
    out = ("-o", str(folder / "out"), "--format", "md") if command == "review" else ()
    made = CliRunner().invoke(main, [command, *arguments, *out])
    assert made.exit_code in (0, 1), made.output
    if command == "review":
        page = (folder / "out" / "review.md").read_text(encoding="utf-8")
        return " ".join(page.partition("## Measure first")[0].replace("\\_", "_").split())
    return " ".join(made.output.split())


def scripted(folder: Path, more: str = "", gpu: str = "h100-sxm") -> Job:
    (folder / "run.sh").write_text(f"{SCRIPT} {more}", encoding="utf-8")
    return job_from_options(None, megatron=str(folder / "run.sh"), gpu=gpu)


def filed(folder: Path, launch: str, text: str = FILE) -> Job:
    (folder / "job.toml").write_text(text + launch, encoding="utf-8")
    return read_job(folder / "job.toml")


def titan(folder: Path, more: str) -> Job:
    (folder / "titan.toml").write_text(TITAN + more, encoding="utf-8")
    launch = FILE.partition("[launch]")[0].partition("[cluster]")[2]
    return filed(folder, "", f'[cluster]{launch}[launch]\ntorchtitan = "titan.toml"\n')


def sheet(name: str, key: str) -> Fraction:
    return parse_quantity(str(read_preset("hardware", name)[key]["value"])).value


@pytest.mark.parametrize("name", preset_names("hardware"))
def test_a_launch_in_fp32_is_never_timed_at_the_16_bit_peak_without_a_word(
    tmp_path: Path, name: str
) -> None:
    """Transformer Engine multiplies FP32 in TF32, PyTorch by itself in full; BF16 is as before."""
    known = "compute_fp32" in read_preset("hardware", name)
    assert scripted(tmp_path, "--bf16", name).values()["C"] == sheet(name, "compute")
    for more, key in (("", "compute_tf32"), ("--transformer-impl local", "compute_fp32")):
        job = scripted(tmp_path, more, name)
        assert job.values()["C"] == sheet(name, key if known else "compute")
        said = (taken if known else unfollowed)(job.noted)
        assert "--bf16 (all is in FP32" in said
        assert known or f"give cluster.{key}" in said


@pytest.mark.parametrize(
    "job",
    [
        lambda folder: filed(folder, IN_FP32),
        lambda folder: titan(folder, 'mixed_precision_param = "float32"\n'),
    ],
)
def test_so_is_any_other_job_in_fp32(tmp_path: Path, job: Callable[[Path], Job]) -> None:
    found = job(tmp_path)
    assert found.values()["C"] == sheet("h100-sxm", "compute_fp32")
    assert "all is in FP32" in taken(found.noted)


def test_a_compute_that_is_given_counts_in_fp32_too_and_that_is_said(tmp_path: Path) -> None:
    own = FILE.replace("devices = 8", 'devices = 8\ncompute = "50 TFLOP/s"')
    job = filed(tmp_path, IN_FP32, own)
    assert job.values()["C"] == 50 * 10**12
    assert "the compute given, has to be that of such products" in taken(job.noted)
    unread = FILE.replace("devices = 8", 'devices = 8\ncompute_fp32 = "50 TFLOP/s"')
    assert filed(tmp_path, "dp = 8\n", unread).values()["C"] == sheet("h100-sxm", "compute")
    assert "cluster.compute_fp32 (no matrix product" in unfollowed(filed(tmp_path, "", unread).noted)


def test_attention_in_fp32_keeps_its_scores_whatever_backend_is_asked_for(tmp_path: Path) -> None:
    """Transformer Engine's fused backends take 16-bit values."""
    for more in ("", "--attention-backend flash", "--use-flash-attn"):
        job = scripted(tmp_path, more)
        assert job.values()["z_a"] == 0
        assert "attention keeps its scores" in taken(job.noted)
        assert scripted(tmp_path, f"{more} --bf16").values()["z_a"] == 1
    assert "keeps its scores" not in taken(scripted(tmp_path, "--attention-backend unfused").noted)


def test_review_plan_and_lint_all_say_what_is_taken_otherwise_and_what_is_heavy(tmp_path: Path) -> None:
    scripted(tmp_path, "--optimizer sgd --window-size 1024,0 --tokenizer-type X --log-interval 3")
    line = ("--megatron", str(tmp_path / "run.sh"), "--gpu", "h100-sxm")
    for command in ("review", "plan", "lint"):
        said = ran(tmp_path, command, *line)
        for words in ("--bf16 (all is in FP32: products are timed at 494.7 TFLOP/s",
                      "--optimizer (sgd: Adam's two moments are counted",
                      "--window-size (1024,0: attention is taken over the whole sequence"):  # fmt: skip
            assert words in said, (command, words)
        assert not re.search(r"node-rank|master|rdzv", said), command


def test_a_window_of_a_config_stands_there_too(tmp_path: Path) -> None:
    config = (
        '{"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, '
        '"num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, '
        '"vocab_size": 32000, "sliding_window": 1024}'
    )
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    line = ("--hf", str(tmp_path / "config.json"), "--gpu", "h100-sxm", "--gpus", "8", "--dp", "8",
            "--seq", "4096", "--global-batch", "64")  # fmt: skip
    for command in ("review", "lint"):
        assert "sliding_window (attention is taken over the whole sequence" in ran(
            tmp_path, command, *line
        )


def test_the_heaviest_come_first_whatever_their_order_and_light_ones_only_by_name(
    tmp_path: Path,
) -> None:
    flags = [
        "--bucket-size 4",
        "--optimizer lion",
        "--window-size 1024,0",
        "--mtp-num-layers 1",
    ]
    for turn in range(len(flags)):
        job = scripted(tmp_path, " ".join(["--bf16", *flags[turn:], *flags[:turn]]))
        said = unfollowed(job.noted)
        places = [said.index(key) for key in ("--optimizer", "--window", "--mtp", "--bucket", "--lr")]
        assert places == sorted(places)
        assert "node-rank" not in said
        shown = " ".join(words for _, words in told(job.noted))
        assert "--optimizer (lion" in shown
        assert "--lr" not in shown
    adam = unfollowed(scripted(tmp_path, "--bf16 --optimizer adam").noted)
    assert "optimizer" not in adam


def test_torchtitans_heavy_keys_are_told_by_consequence(tmp_path: Path) -> None:
    more = "enable_cpu_offload = true\n[optimizer]\nname = {}\nlr = 1e-4\n"
    said = unfollowed(titan(tmp_path, more.format('"SGD"')).noted)
    assert "optimizer.name ('SGD': Adam's two moments" in said
    assert "training.enable_cpu_offload (true: weights, gradients" in said
    assert "optimizer.name" not in unfollowed(titan(tmp_path, more.format('"AdamW"')).noted)
    eight = TITAN.replace("[training]", 'converters = ["float8"]\n[training]')
    (tmp_path / "titan.toml").write_text(eight, encoding="utf-8")
    job = read_job(tmp_path / "job.toml")
    assert "model.converters (the plan computes in 16 bits at the 16-bit peak" in unfollowed(job.noted)


def test_tokens_of_a_model_without_heads_are_said_where_the_verdict_stands(tmp_path: Path) -> None:
    words = "4 sequences of 2,048 tokens taken as 16 of 512, one a replica: no attention"
    for command in ("review", "lint", "plan"):
        assert words in ran(tmp_path, command, "xxl-220b"), command


OWN = """
[model]
preset = "xxl-ffn"
[hardware]
preset = "h100-sxm"
[layout]
fsdp = 8
tp = 2
devices = 16
[training]
batch = 16
sequence_length = 2048
"""
# Every key that the README lists for a job or a scenario and that is no figure of a plan.
UNCHANGED = (
    "max_days", "max_cost", "min_mfu", "limits", "decision", "owner", "version", "date", "step_time",
    "peak_memory", "mfu", "tokens_per_second", "flops_per_device", "counts", "why", "source", "bandwidth",
    "ranks", "measured_bus", "collective", "ranks_inside", "hf", "megatron", "torchtitan", "framework",
)  # fmt: skip


def test_every_key_of_a_file_is_set_or_refused_by_its_own_name(tmp_path: Path) -> None:
    """Refused names get what to write instead, and no message is a wall of names."""
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    for section, struct in SECTIONS.items():
        for key in struct.__struct_fields__:
            for name in (key, f"{section}.{key}"):
                with suppress(JobError):
                    read_job(own, {name: "1"})
                    continue
                with pytest.raises(JobError) as refused:
                    read_job(own, {name: "1"})
                assert "unknown name" not in str(refused.value), name
                assert len(str(refused.value)) < 250
    for key in (*UNCHANGED, "review.max_cost", "published.mfu"):
        with pytest.raises(
            JobError, match="found a key that no setting changes, expected it in the"
        ) as e:
            read_job(own, {key: "1"})
        assert len(str(e.value)) < 250


def test_a_scenarios_own_fsdp_is_set_and_a_jobs_is_told_what_to_write(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN, encoding="utf-8")
    for name in ("fsdp", "layout.fsdp"):
        values = read_job(own, {name: "4"}).values()
        assert [int(values[letter]) for letter in ("n", "t", "z_3")] == [8, 2, 1]
    assert read_job(own, {"training.batch": "32", "layout.tp": "1"}).values()["t"] == 1
    with pytest.raises(JobError, match="fsdp: found a key that no setting changes, expected dp and zero"):
        filed(tmp_path, "") and read_job(tmp_path / "job.toml", {"fsdp": "4"})
    with pytest.raises(JobError, match="--set: fsdp: found 0, expected a whole number"):
        read_job(own, {"fsdp": "0"})


def test_a_misspelt_name_gets_at_most_the_few_nearest(tmp_path: Path) -> None:
    filed(tmp_path, "")
    for name in ("tpp", "micro_batch", "warp", "zzz", "sequence", "moment"):
        with pytest.raises(JobError, match="found an unknown name, expected") as refused:
            read_job(tmp_path / "job.toml", {name: "1"})
        assert str(refused.value).count(",") <= 6


def test_a_sweep_and_a_setting_take_the_same_names(tmp_path: Path) -> None:
    """By an option, a key, its section and key, or a letter: the same points."""
    bare = ("--model", "llama3-8b", "--gpus", "8", "--seq", "2048", "--global-batch", "64", "--dp", "8")
    names = ("gpu", "hardware", "cluster.hardware", "cluster.preset")
    made = {name: rows(tmp_path, name, "h100-sxm,a100-80gb-sxm", *bare) for name in names}
    assert len(set(made.values())) == 1
    line = (*bare, "--gpu", "h100-sxm")
    for values, same in (("1,2", ("microbatch", "launch.microbatch", "b_m")),
                         ("4 byte,2 byte", ("moment_width", "launch.moment_width", "w_o"))):  # fmt: skip
        assert len({rows(tmp_path, name, values, *line) for name in same}) == 1
    for name, value in (("gpu", "a100-80gb-sxm"), ("cluster.hardware", "a100-80gb-sxm"), ("seq", "4096")):
        shown = ran(tmp_path, "lint", *line, "--set", f"{name}={value}")
        assert "unknown" not in shown


def rows(folder: Path, name: str, values: str, *line: str) -> tuple[str, ...]:
    """The rows of a sweep over a name, without its head."""
    out = folder / "out.csv"
    made = CliRunner().invoke(main, ["sweep", *line, "--over", f"{name}={values}", "-o", str(out)])
    assert made.exit_code == 0, made.output
    return tuple(out.read_text(encoding="utf-8").splitlines()[1:])


def test_what_another_preset_takes_the_place_of_is_named(tmp_path: Path) -> None:
    filed(tmp_path, "", FILE.replace("devices = 8", 'devices = 8\nprice = "3 USD/h"'))
    said = unfollowed(read_job(tmp_path / "job.toml", {"hardware": "h200-sxm"}).noted)
    assert "cluster.price (the preset of --set hardware takes the place of [cluster])" in said


def idle_keys(job: Job) -> dict[str, str]:
    """What a review notes of given values that move nothing."""
    return {n.key: n.text for n in with_idle(job, stored_plan()).noted[len(job.noted) :]}


def held(folder: Path, key: str, width: float, zero: int) -> Fraction:
    """The fullest rank's memory with one width at a value."""
    job = filed(folder, f'dp = 8\nzero = {zero}\n{key} = "{width} byte"\n')
    return exactly(stored_plan(), job.values(), ["M"])["M"]


@pytest.mark.parametrize("zero", range(4))
def test_a_given_width_moves_the_memory_or_that_it_does_not_is_said(tmp_path: Path, zero: int) -> None:
    """Each is read from a file again a little smaller and a little larger."""
    for key in ("master_width", "gradient_width", "moment_width", "working_width", "logit_width"):
        for width in (1, 2, 4):
            there = held(tmp_path, key, width, zero)
            still = all(held(tmp_path, key, width * by, zero) == there for by in (0.995, 1.005))
            job = filed(tmp_path, f'dp = 8\nzero = {zero}\n{key} = "{width} byte"\n')
            assert (f"launch.{key}" in idle_keys(job)) == still, (key, width)


def test_a_working_width_below_the_gathered_one_is_said_beside_the_answer(tmp_path: Path) -> None:
    filed(tmp_path, 'dp = 8\nzero = 1\nworking_width = "1 byte"\n')
    for command in ("review", "lint"):
        said = ran(tmp_path, command, str(tmp_path / "job.toml"))
        assert "launch.working_width (does not move the memory of this layout: weights" in said
    other = filed(tmp_path, 'dp = 8\nzero = 0\nworking_width = "1 byte"\n')
    assert idle_keys(other) == {}


def test_a_link_that_nothing_crosses_is_said_among_the_inputs_only(
    tmp_path: Path,
) -> None:
    one_node = FILE.replace("devices = 8", 'devices = 8\nnetwork_one_way = "25 GB/s"')
    job = filed(tmp_path, "dp = 8\n", one_node)
    assert idle_keys(job) == {"cluster.network_one_way": "moves neither memory nor time of this layout"}
    assert "network" not in taken(with_idle(job, stored_plan()).noted)
    wide = one_node.replace("devices = 8", "devices = 16")
    assert idle_keys(filed(tmp_path, "dp = 16\n", wide)) == {}
