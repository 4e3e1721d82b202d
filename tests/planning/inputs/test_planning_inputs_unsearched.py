"""What a search cannot choose, or chooses in place of a file, stands in the list of what was read."""

import json
from pathlib import Path

import pytest
from job_files import CLUSTER, JOB, MODEL, read, remarks

SIZES = "\n[model]\nd_model = 3328\nd_ff = 8960\nblocks = 32\nvocab = 32000\nheads = 26\nkv_heads = 13\n"
OPEN = '\n[launch]\nbatch = 64\nsequence_length = 8192\ntraining_tokens = "15T"\n'
LINE = "neither a multiple nor a divisor of 2, 4 or 8; a search leaves out such tensor parallelism"


@pytest.mark.parametrize("launch", [OPEN, f"{OPEN}tp = 1\n"])
def test_a_size_that_forbids_tensor_parallelism_says_so_at_its_key(tmp_path: Path, launch: str) -> None:
    found = remarks(read(tmp_path, SIZES + CLUSTER + launch), "read")
    assert found["model.kv_heads"] == f"13: {LINE}"
    assert found["model.heads"] == "26"


def test_the_key_is_that_of_the_configuration_which_gave_it(tmp_path: Path) -> None:
    config = {
        "model_type": "llama", "hidden_size": 3328, "intermediate_size": 8960, "num_hidden_layers": 32,
        "num_attention_heads": 26, "num_key_value_heads": 13, "head_dim": 128, "vocab_size": 32000,
        "tie_word_embeddings": False, "hidden_act": "silu",
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    job = read(tmp_path, '[model]\nhf = "config.json"\n' + CLUSTER + OPEN)
    [note] = [n for n in job.noted if n.key == "num_key_value_heads"]
    assert (note.file, note.text) == ("config.json", f"13: {LINE}")


def test_a_model_that_goes_with_all_usual_degrees_says_nothing_of_them(tmp_path: Path) -> None:
    for text in (JOB, MODEL + CLUSTER + OPEN):
        assert not [n for n in read(tmp_path, text).noted if "leaves out" in n.text]


def test_a_number_of_micro_batches_that_a_search_chooses_is_ignored(tmp_path: Path) -> None:
    more = "microbatches = 4\n"
    assert "launch.microbatches" in remarks(read(tmp_path, MODEL + CLUSTER + OPEN + more), "ignored")
    given = MODEL + CLUSTER + OPEN + more + "tp = 4\n"
    assert "launch.microbatches" not in remarks(read(tmp_path, given), "ignored")


def test_a_batch_that_allows_few_replicas_says_so_at_its_key(tmp_path: Path) -> None:
    odd = OPEN.replace("batch = 64", "batch = 65")
    said = [n.text for n in read(tmp_path, MODEL + CLUSTER + odd).noted if n.key == "launch.batch"]
    assert any(
        "at most 1 replica, " in text and "(launch.batch of cluster.toml)" in text for text in said
    )
    usual = [n.text for n in read(tmp_path, MODEL + CLUSTER + OPEN).noted if n.key == "launch.batch"]
    assert not any("replica" in text for text in usual)
