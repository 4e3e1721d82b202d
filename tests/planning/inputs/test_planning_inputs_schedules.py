"""`schedule`, `token_nodes`, `dispatch_width` and `reduce_each_microbatch` of a launch."""

from pathlib import Path

import pytest
from job_files import CLUSTER, MODEL, launch, read, remarks

from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.job import JobError
from workings.planning.precision import precision

STAGES = """
[launch]
pp = {pp}
virtual_stages = {chunks}
batch = {batch}
sequence_length = 2048
schedule = "{schedule}"
"""


def staged(
    folder: Path, schedule: str, pp: int = 4, batch: int = 64, chunks: int = 1
) -> dict[str, object]:
    text = STAGES.format(pp=pp, chunks=chunks, batch=batch, schedule=schedule)
    return dict(read(folder, MODEL + CLUSTER + text).values())


@pytest.mark.parametrize(("schedule", "letter"), [("zero-bubble", "z_zb"), ("dualpipe", "z_bi")])
def test_a_schedule_goes_by_its_name(tmp_path: Path, schedule: str, letter: str) -> None:
    assert staged(tmp_path, schedule)[letter] == 1
    assert staged(tmp_path, "1f1b")[letter] == 0
    assert read(tmp_path).values()[letter] == 0


@pytest.mark.parametrize(
    ("schedule", "changed", "said"),
    [
        ("dualpipe", {"pp": 1}, ""),
        ("dualpipe", {"batch": 16}, r"launch\.schedule: found 'dualpipe', expected 1f1b: .* at least 8"),
        ("dualpipe", {"chunks": 2}, r"launch\.virtual_stages: found 2, expected 1"),
        ("zero-bubble", {"batch": 8}, r"launch\.schedule: found 'zero-bubble', expected 1f1b"),
        ("gpipe", {}, r"launch\.schedule: found 'gpipe', expected one of 1f1b, zero-bubble, dualpipe"),
    ],
)  # fmt: skip
def test_what_cannot_run_a_schedule_is_refused_and_one_stage_ignores_it(
    tmp_path: Path, schedule: str, changed: dict[str, int], said: str
) -> None:
    if said:
        with pytest.raises(JobError, match=said):
            staged(tmp_path, schedule, **changed)
        return
    job = read(tmp_path, MODEL + CLUSTER + STAGES.format(pp=1, chunks=1, batch=64, schedule=schedule))
    assert "one stage" in remarks(job, "ignored")["launch.schedule"]


def test_values_go_to_experts_as_wide_as_activations_unless_somebody_says_otherwise(
    tmp_path: Path,
) -> None:
    assert read(tmp_path, activation_width="4 byte").values()["w_dsp"] == 4
    assert read(tmp_path, dispatch_width="1 byte").values()["w_dsp"] == 1


def test_what_is_taken_of_its_own_accord_has_its_own_reason(tmp_path: Path) -> None:
    figures = read(tmp_path).figures
    reasons = {letter: figures[letter].source for letter in ("x_8", "z_each", "k_nod", "z_k", "n_l")}
    assert len(set(reasons.values())) == len(reasons)
    assert "as wide as activations" in reasons["x_8"]


def test_an_activation_of_one_byte_on_a_16_bit_peak_is_no_run_in_8_bits(tmp_path: Path) -> None:
    assert precision(read(tmp_path, activation_width="1 byte")) == "16-bit"


@pytest.mark.parametrize(
    ("setting", "value", "what"),
    [
        ("saved_in_8_bits", "0.5", "keep in 8 bits"), ("loss_parts", "8", "logits in parts"),
        ("reduce_each_microbatch", "false", "after the last micro-batch"),
    ],
)  # fmt: skip
def test_no_launch_is_written_that_leaves_out_what_the_job_says(
    tmp_path: Path, setting: str, value: str, what: str
) -> None:
    with pytest.raises(JobError, match=what):
        megatron_arguments(read(tmp_path, **{setting: value}))


MIXTURE = (
    "torchrun --nnodes 1 --nproc-per-node 8 pretrain_gpt.py --num-layers 4 --hidden-size 512 "
    "--num-attention-heads 8 --seq-length 2048 --max-position-embeddings 2048 --vocab-size 32000 "
    "--micro-batch-size 1 --global-batch-size 64 --bf16 --num-experts 8 --moe-router-topk 4 "
    "--expert-model-parallel-size 8"
)


@pytest.mark.parametrize(
    ("more", "nodes"),
    [
        ("", 0), ("--moe-token-dispatcher-type alltoall", 0), ("--moe-router-group-topk 2", 0),
        ("--moe-enable-deepep", 4), ("--moe-token-dispatcher-type flex", 4),
        ("--moe-token-dispatcher-type flex --moe-enable-deepep --moe-router-group-topk 2", 2),
    ],
)  # fmt: skip
def test_deepep_sends_a_token_once_to_each_node_and_to_few_where_its_router_is_limited(
    tmp_path: Path, more: str, nodes: int
) -> None:
    job = launch(tmp_path, f"{MIXTURE} {more}")
    assert job.values()["k_nod"] == nodes
    unread = {note.key for note in job.noted if note.remark == "ignored"}
    given = {word for word in more.split() if word.startswith("--")}
    assert given & unread == (set() if nodes else given)


def test_megatron_hides_traffic_of_experts_only_where_it_is_told_to(tmp_path: Path) -> None:
    silent = launch(tmp_path, MIXTURE).figures["h_e"]
    told = launch(tmp_path, f"{MIXTURE} --overlap-moe-expert-parallel-comm").figures["h_e"]
    assert silent.value == 0
    assert silent.low is None
    assert told.low is not None
    assert told.low > 0
