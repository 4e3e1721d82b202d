"""A launch beside [model] describes that model, by what it gives and by what it leaves out."""

import re
import shlex
from pathlib import Path

import pytest
from job_files import launch, read, remarks, write

from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.job import Job, JobError

MODELS = (
    "llama3-8b",
    "gpt3-175b",
    "qwen2-7b",
    "qwen3-8b",
    "mixtral-8x7b",
    "deepseek-v3",
    "qwen3-30b-a3b",
)
# Flags that say how large a model is or what it is made of, and what each is without.
SIZES = ("--num-layers", "--hidden-size", "--num-attention-heads")
OF_A_MODEL = (
    "--ffn-hidden-size", "--kv-channels", "--group-query-attention", "--num-query-groups", "--swiglu",
    "--untie-embeddings-and-output-weights", "--disable-bias-linear", "--normalization",
    "--position-embedding-type", "--qk-layernorm", "--add-qkv-bias", "--num-experts",
    "--moe-ffn-hidden-size", "--moe-shared-expert-intermediate-size", "--moe-layer-freq",
    "--moe-router-topk", "--moe-router-enable-expert-bias", "--moe-shared-expert-gate",
    "--multi-latent-attention", "--q-lora-rank",
)  # fmt: skip
RUN = "batch = 64\nsequence_length = 2048\ndp = 16\n"


def script(folder: Path, model: str) -> list[str]:
    """The launch of a preset's model as the writer of arguments has it, flag by flag."""
    cluster = '[cluster]\nhardware = "h100-sxm"\ndevices = 16\n'
    job = read(folder, f'[model]\npreset = "{model}"\n{cluster}[launch]\n{RUN}')
    return re.split(r" (?=--)", shlex.join(megatron_arguments(job)))


def with_preset(folder: Path, flags: list[str], model: str = "llama3-8b") -> Job:
    text = f"torchrun pretrain_gpt.py {' '.join(flags)}"
    return launch(folder, text, more="devices = 16", model=f'[model]\npreset = "{model}"')


def sizes(job: Job) -> dict[str, object]:
    return {
        n: job.values()[n]
        for n in [
            "D",
            "F",
            "L",
            "H",
            "K",
            "d_h",
            "n_f",
            "n_emb",
            "beta_f",
            "beta_n",
            "n_pos",
            "E",
            "k_E",
            "r_kv",
        ]
    }


@pytest.mark.parametrize("model", MODELS)
def test_every_flag_of_a_model_that_is_left_out_is_named_or_changes_nothing(
    tmp_path: Path, model: str
) -> None:
    """Each is dropped in turn: the script alone is then another model, or it is the same one."""
    flags = script(tmp_path, model)
    whole, named = sizes(with_preset(tmp_path, flags, model)), 0
    for flag in flags:
        name = flag.partition(" ")[0]
        if name not in OF_A_MODEL:
            continue
        rest = [one for one in flags if one != flag]
        text = f"torchrun pretrain_gpt.py {' '.join(rest)}"
        try:
            alone = sizes(launch(tmp_path, text, more="devices = 16"))
        except JobError:
            continue  # it is no launch at all, beside a preset or not
        if alone == whole:
            continue
        with pytest.raises(JobError) as refused:
            with_preset(tmp_path, rest, model)
        assert "run.sh: --" in str(refused.value), name
        assert f"presets/models/{model}.toml has" in str(refused.value), name
        named += 1
    assert named or model == "gpt3-175b"  # all of its flags are the defaults


def test_all_that_is_left_out_is_named_in_one_sentence(tmp_path: Path) -> None:
    flags = [f for f in script(tmp_path, "llama3-8b") if f.split()[0] not in OF_A_MODEL]
    with pytest.raises(JobError) as refused:
        with_preset(tmp_path, [f for f in flags if "max-position" not in f])
    said = str(refused.value)
    for words in (
        "--swiglu",
        "--ffn-hidden-size",
        "--num-query-groups",
        "ffn_matrices 2",
        "kv_heads 32",
        "--untie-embeddings-and-output-weights",
        "d_ff 16,384",
        "expected",
        "d_ff 14,336",
    ):
        assert words in said
    assert said.count("--disable-bias-linear") == 1


def test_a_launch_that_says_nothing_of_the_model_takes_the_presets_with_a_word(tmp_path: Path) -> None:
    flags = [f for f in script(tmp_path, "llama3-8b") if f.split()[0] not in (*OF_A_MODEL, *SIZES)]
    job = with_preset(tmp_path, flags)
    assert job.values()["F"] == 14336
    assert "[model] alone describes it" in remarks(job, "defaulted")["model"]
    assert "model" not in remarks(with_preset(tmp_path, script(tmp_path, "llama3-8b")), "defaulted")


def test_the_model_of_a_checkpoint_is_not_told_by_what_is_left_out(tmp_path: Path) -> None:
    rest = [f for f in script(tmp_path, "llama3-8b") if f != "--swiglu"]
    job = with_preset(tmp_path, [*rest, "--use-checkpoint-args"])
    assert job.values()["n_f"] == 3
    assert "--use-checkpoint-args" in remarks(job, "ignored")


def test_a_file_of_settings_that_leaves_a_size_out_contradicts_and_is_not_refused(
    tmp_path: Path,
) -> None:
    """Such files are a part of a configuration, of which another part may set it."""
    text = "bf16: true\nnum_layers: 32\nhidden_size: 4096\nnum_attention_heads: 32\n"
    text += "seq_length: 2048\nmicro_batch_size: 1\nglobal_batch_size: 64\n"
    job = launch(tmp_path, text, "run.yaml", more="devices = 16", model='[model]\npreset = "llama3-8b"')
    found = remarks(job, "contradicts")
    assert {"swiglu", "ffn_hidden_size"} <= found.keys()
    assert job.values()["F"] == 14336


def test_what_is_set_by_hand_stands_over_both(tmp_path: Path) -> None:
    flags = " ".join(f for f in script(tmp_path, "llama3-8b") if f != "--swiglu")
    write(tmp_path, f"torchrun pretrain_gpt.py {flags}", "run.sh")
    text = '[model]\npreset = "llama3-8b"\n[cluster]\nhardware = "h100-sxm"\ndevices = 16\n'
    job = read(tmp_path, f'{text}[launch]\nmegatron = "run.sh"\n', ffn_matrices="2")
    assert job.values()["n_f"] == 2


def test_the_flavor_of_torchtitan_is_held_against_the_preset_too(tmp_path: Path) -> None:
    write(tmp_path, '[model]\nflavor = "8B"\n[training]\nseq_len = 2048\n', "titan.toml")
    rest = '[cluster]\nhardware = "h100-sxm"\ndevices = 16\n[launch]\ntorchtitan = "titan.toml"\n'
    assert read(tmp_path, f'[model]\npreset = "llama3-8b"\n{rest}').values()["L"] == 32
    with pytest.raises(JobError, match=r"presets/models/llama3-70b\.toml"):
        read(tmp_path, f'[model]\npreset = "llama3-70b"\n{rest}')
