"""Latent attention in what a job is read from: keys, and Megatron-LM's arguments."""

from pathlib import Path

import pytest
from job_files import CLUSTER, LAUNCH, MODEL, launch, read, remarks

from workings.planning.job import JobError

LATENT = """
[model]
d_model = 2048
d_ff = 8192
blocks = 24
vocab = 32000
heads = 16
ffn_matrices = 3
kv_rank = 512
nope_dim = 128
rope_dim = 64
v_dim = 128
"""


def test_latent_attention_has_heads_of_its_own_and_no_width_but_its_own(tmp_path: Path) -> None:
    job = read(tmp_path, LATENT + CLUSTER + LAUNCH)
    expected = {"r_q": 0, "r_kv": 512, "d_n": 128, "d_r": 64, "d_v": 128, "K": 16, "d_h": 0}
    assert {letter: job.values()[letter] for letter in expected} == expected
    assert "model.q_rank" in remarks(job, "defaulted")


def test_sizes_of_the_other_kind_of_attention_are_ignored_and_said(tmp_path: Path) -> None:
    both = read(tmp_path, LATENT + "kv_heads = 4\nhead_dim = 64\nqkv_bias = 1\n" + CLUSTER + LAUNCH)
    assert {"model.kv_heads", "model.head_dim", "model.qkv_bias"} <= set(remarks(both, "ignored"))
    assert both.values() == read(tmp_path, LATENT + CLUSTER + LAUNCH).values()
    plain = read(tmp_path, MODEL + "rope_dim = 64\n" + CLUSTER + LAUNCH)
    assert "model.rope_dim" in remarks(plain, "ignored")
    assert plain.values() == read(tmp_path).values()


def test_latents_without_heads_are_refused(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="kv_rank: found 512, expected model"):
        read(tmp_path, LATENT.replace("heads = 16\n", "") + CLUSTER + LAUNCH)


@pytest.mark.parametrize("missing", ["nope_dim", "rope_dim", "v_dim"])
def test_latent_attention_without_one_of_its_widths_is_refused(tmp_path: Path, missing: str) -> None:
    text = "\n".join(line for line in LATENT.splitlines() if not line.startswith(missing))
    with pytest.raises(JobError, match=f"model.{missing}: found nothing, expected a width of latent"):
        read(tmp_path, text + CLUSTER + LAUNCH)


SHORT = ("--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048 "
         "--max-position-embeddings 2048 --vocab-size 50257 --micro-batch-size 2 --global-batch-size 512 "
         "--bf16 --tensor-model-parallel-size 2")  # fmt: skip
FLAGS = "--multi-latent-attention --kv-lora-rank 512 --qk-head-dim 96 --qk-layernorm"


def test_latent_attention_is_read_with_megatron_s_defaults(tmp_path: Path) -> None:
    job = launch(tmp_path, f"{SHORT} {FLAGS} --kv-channels 128", more="devices = 16")
    values = job.values()
    assert "--kv-channels" in remarks(job, "ignored")
    sizes = {"r_q": 0, "r_kv": 512, "d_n": 96, "d_r": 64, "d_v": 128, "d_h": 0, "K": 16, "n_qk": 0}
    assert {letter: values[letter] for letter in sizes} == sizes
    assert values["beta_qkv"] == 0  # its projections have none, whatever the others have
    assert values["beta_o"] == 1
    older = FLAGS.replace("--qk-head-dim", "--qk-nope-head-dim") + " --q-lora-rank 768"
    found = launch(tmp_path, f"{SHORT} {older}", more="devices = 16").values()
    assert {letter: found[letter] for letter in sizes} == {**sizes, "r_q": 768}


def test_latents_without_norms_are_counted_with_them_and_that_is_said(tmp_path: Path) -> None:
    bare = FLAGS.replace(" --qk-layernorm", "")
    with_norms, without = (
        launch(tmp_path, f"{SHORT} {flags}", more="devices = 16") for flags in (FLAGS, bare)
    )
    assert "--qk-layernorm" in remarks(without, "ignored")
    assert "--qk-layernorm" not in remarks(with_norms, "ignored")
    assert without.values() == with_norms.values()


def test_a_configuration_object_says_whether_queries_are_compressed(tmp_path: Path) -> None:
    lines = ["num_layers: 24", "hidden_size: 2048", "num_attention_heads: 16", "seq_length: 2048",
             "max_position_embeddings: 2048", "vocab_size: 50257", "micro_batch_size: 2", "bf16: true",
             "global_batch_size: 512", "multi_latent_attention: true", "kv_lora_rank: 512"]  # fmt: skip
    with pytest.raises(JobError, match="q_lora_rank: found nothing, expected a rank, or None"):
        launch(tmp_path, "\n".join(lines), "run.yaml", more="devices = 16")
    text = "\n".join([*lines, "q_lora_rank: null"])
    assert launch(tmp_path, text, "run.yaml", more="devices = 16").values()["r_q"] == 0


RANKS = ("q_lora_rank", "kv_lora_rank", "qk_head_dim", "qk_pos_emb_head_dim", "v_head_dim")


def test_ranks_in_a_launch_without_latent_attention_are_said_to_be_ignored(tmp_path: Path) -> None:
    flags = " ".join(f"--{name.replace('_', '-')} 32" for name in RANKS)
    shell = launch(tmp_path, f"{SHORT} {flags}", more="devices = 16")
    lines = [f"{name}: 32" for name in RANKS]
    lines += ["num_layers: 24", "hidden_size: 2048", "num_attention_heads: 16", "seq_length: 2048",
              "max_position_embeddings: 2048", "vocab_size: 50257", "micro_batch_size: 2", "bf16: true",
              "global_batch_size: 512", "multi_latent_attention: false"]  # fmt: skip
    dump = launch(tmp_path, "\n".join(lines), "run.yaml", more="devices = 16")
    for job, spelled in ((shell, "--kv-lora-rank"), (dump, "kv_lora_rank")):
        ignored = remarks(job, "ignored")
        assert ignored[spelled] == "32: only latent attention has it"
        assert len([text for text in ignored.values() if text == ignored[spelled]]) == len(RANKS)
        assert job.values()["r_kv"] == 0


def test_an_argument_that_another_one_makes_void_is_no_misspelling_of_itself(tmp_path: Path) -> None:
    flags = "--recompute-granularity selective --recompute-activations"
    job = launch(tmp_path, f"{SHORT} {flags}", more="devices = 16")
    assert "--recompute-activations" in remarks(job, "ignored")
    assert job.values()["z_c"] == 1
