"""Launches of Megatron-LM: shell, YAML, JSON and the dictionary style, with its defaults and checks."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import launch, read, remarks

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError

# NVIDIA's script of the 76B row of Narayanan et al. (2021), table 1, reduced to what it says.
SCRIPT = r"""#!/bin/bash
# GPT-3 76B
GPUS_PER_NODE=8
NNODES=${NNODES:-128}   # don't count these
TP=8; PP=4
DISTRIBUTED_ARGS="--nproc_per_node $GPUS_PER_NODE --nnodes ${NNODES} --master_addr $MASTER_ADDR"
MODEL_ARGS=(
    --num-layers 60
    --hidden-size 10240          # wide
    --num-attention-heads 80
    --seq-length 2048 --max-position-embeddings 2048
    --padded-vocab-size 51200
)
options=" \
  --tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP} \
  --num-layers-per-virtual-pipeline-stage 5 \
  --micro-batch-size 2 --global-batch-size=1792 \
  --recompute-granularity full --recompute-method uniform \
  --bf16 --lr 1e-4 --data-path 1.0 $DATA 'my data' --transformer-impl local --train-samples 20000000"
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py "${MODEL_ARGS[@]}" $options --save "$(date +%s)/out"
"""
SHORT = ("--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048 "
         "--max-position-embeddings 2048 --vocab-size 50257 --micro-batch-size 2 --global-batch-size 512 "
         "--bf16 --tensor-model-parallel-size 2")  # fmt: skip

# The complete example of the second seed.
DICTIONARY = """
config = {
    'tensor_model_parallel_size': 8,
    'pipeline_model_parallel_size': 8,
    'virtual_pipeline_model_parallel_size': 2,
    'num_microbatches': 128,  # 128
    'sequence_parallel': True,
    'overlap_p2p_comm': True,
    'deallocate_pipeline_outputs': True,
    'use_distributed_optimizer': True,
    'recompute_granularity': 'selective',
}
ddp_config = DistributedDataParallelConfig(
    overlap_grad_reduce=True,
    bucket_size=40000000,
    use_distributed_optimizer=True,
    nccl_ub=True,
)
"""
GPT3 = '[model]\npreset = "gpt3-175b"\n'
RUN = "devices = 512\n"
EXTRA = "sequence_length = 2048\nmicrobatch = 1\n"


def from_dictionary(folder: Path, text: str = DICTIONARY, devices: str = RUN, extra: str = EXTRA) -> Job:
    (folder / "launch.py").write_text(text, encoding="utf-8")
    cluster = f'[cluster]\nhardware = "h100-sxm"\n{devices}'
    return read(folder, f'{GPT3}{cluster}[launch]\nmegatron = "launch.py"\n{extra}')


def test_a_script_is_read_with_its_variables_arrays_and_continuations(tmp_path: Path) -> None:
    values = launch(tmp_path, SCRIPT).values()
    expected = {"n": 1024, "t": 8, "p": 4, "v": 3, "b_m": 2, "b": 1792, "s": 2048, "L": 60, "D": 10240,
                "F": 40960, "H": 80, "K": 80, "d_h": 128, "V": 51200, "n_pos": 2048, "n_f": 2, "n_emb": 1,
                "z_f": 1, "z_c": 0, "z_s": 0, "z_1": 0, "z_a": 0, "w_c": 2, "w_g": 4, "g": 4,
                "beta_n": 1, "beta_f": 1, "T_tok": 20_000_000 * 2048, "h_d": 0, "h_t": 0}  # fmt: skip
    assert {letter: values[letter] for letter in expected} == expected
    assert exactly(plan(), values, ["m", "d"]) == {**values, "m": 28, "d": 32}


def test_every_argument_is_read_or_ignored_and_said(tmp_path: Path) -> None:
    job = launch(tmp_path, SCRIPT)
    assert {"--tensor-model-parallel-size", "--transformer-impl", "--nnodes"} <= set(remarks(job, "read"))
    assert {"--lr", "--data-path", "--save", "--master-addr"} <= set(remarks(job, "ignored"))


def test_a_line_of_flags_alone_is_enough(tmp_path: Path) -> None:
    values = launch(tmp_path, SHORT, more="devices = 16").values()
    assert values["t"] == 2
    assert values["b"] == 512
    assert values["z_1"] == 0
    assert values["V"] == 50432  # 197 × 128 × 2: padded to a multiple of 128 on each of 2 ranks


def test_flags_in_a_quoted_command_are_found(tmp_path: Path) -> None:
    job = launch(
        tmp_path, f'ARGS="{SHORT}"\nsrun bash -c "python pretrain_gpt.py $ARGS"\n', more="devices = 16"
    )
    assert job.values()["t"] == 2


def test_the_same_settings_in_yaml_and_json_and_python_say_the_same(tmp_path: Path) -> None:
    pairs = {"num_layers": 24, "hidden_size": 2048, "num_attention_heads": 16, "seq_length": 2048,
             "max_position_embeddings": 2048, "vocab_size": 50257, "micro_batch_size": 2,
             "global_batch_size": 512, "tensor_model_parallel_size": 2}  # fmt: skip
    lines = [f"  {key}: {value}   # a comment" for key, value in pairs.items()]
    yaml = "---\nmodel:\n  bf16: true\n" + "\n".join(lines) + "\n  data:\n    - 'a: b'\n    - c\n"
    json = "{" + ", ".join(f'"{key}": {value}' for key, value in pairs.items()) + ', "bf16": true}'
    python = "args.bf16 = True\n" + "\n".join(f"args.{key} = {value}" for key, value in pairs.items())
    shell = launch(tmp_path, SHORT, more="devices = 16").values()
    for name, text in (("run.yaml", yaml), ("run.json", json), ("run.py", python)):
        assert launch(tmp_path, text, name, more="devices = 16").values() == shell


def test_the_dictionary_of_the_second_seed_is_a_launch(tmp_path: Path) -> None:
    job = from_dictionary(tmp_path)
    values = job.values()
    expected = {"t": 8, "p": 8, "v": 2, "z_s": 1, "z_1": 1, "z_2": 0, "z_c": 1, "b": 1024, "h_d": 1}
    assert {letter: values[letter] for letter in expected} == expected  # 128 micro-batches of 8 replicas
    assert {"overlap_p2p_comm", "deallocate_pipeline_outputs", "bucket_size", "nccl_ub"} <= set(
        remarks(job, "ignored")
    )


def test_micro_batches_are_held_against_the_global_batch(tmp_path: Path) -> None:
    with pytest.raises(
        JobError, match=r"num_microbatches: found 128, expected batch / \(microbatch × dp\)"
    ):
        from_dictionary(tmp_path, extra=EXTRA + "batch = 512\n")


def test_the_world_is_the_product_of_the_degrees(tmp_path: Path) -> None:
    text = DICTIONARY.replace("'num_microbatches'", "'data_parallel_size': 16,\n    'num_microbatches'")
    with pytest.raises(JobError, match=r"data_parallel_size: found 16, expected .* = 512 / 64 = 8"):
        from_dictionary(tmp_path, text)
    with pytest.raises(JobError, match=r"cluster.devices: found 504, expected a multiple of .* = 64"):
        from_dictionary(tmp_path, devices="devices = 504\n")


def test_the_four_axes_of_the_second_seed_are_told_apart(tmp_path: Path) -> None:
    """It multiplies EP into the world; Megatron-LM takes EP's ranks from data parallelism."""
    degrees = {"tensor_model_parallel": 4, "pipeline_model_parallel": 4, "expert_model_parallel": 8,
               "data_parallel": 8}  # fmt: skip
    text = "num_microbatches = 16\n" + "".join(f"{name}_size = {n}\n" for name, n in degrees.items())
    (tmp_path / "four.py").write_text(text)
    job = '[model]\npreset = "mixtral-8x7b"\n[cluster]\nhardware = "h100-sxm"\ndevices = 1024\n'
    job += '[launch]\nmegatron = "four.py"\nsequence_length = 4096\n'
    with pytest.raises(
        JobError, match=r"found 8, expected .* = 64; expert parallelism takes its ranks from"
    ):
        read(tmp_path, job)


def test_a_model_beside_the_launch_must_be_the_same(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"run.sh: --num-layers: found 24, expected 96, as .*gpt3-175b"):
        launch(tmp_path, SHORT, more="devices = 16", model=GPT3)


def test_devices_of_torchrun_and_cluster_must_be_the_same(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"--nnodes × --nproc-per-node: found 1,024, expected 512"):
        launch(tmp_path, SCRIPT, more="devices = 512")


EXPERTS = " --num-experts 8 --expert-model-parallel-size 4 --moe-ffn-hidden-size 1024"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("--swiglu", {"n_f": 3, "F": 5440}),  # 4 × 2048 × 2/3 = 5461, down to a multiple of 64
        ("--swiglu --ffn-hidden-size 7168", {"F": 7168}),
        (
            "--disable-bias-linear --normalization RMSNorm",
            {"beta_f": 0, "beta_o": 0, "beta_qkv": 0, "beta_n": 0},
        ),
        ("--disable-bias-linear --add-qkv-bias", {"beta_qkv": 1, "beta_o": 0}),
        ("--group-query-attention --num-query-groups 4", {"K": 4}),
        ("--num-query-groups 4", {"K": 16}),
        (
            "--position-embedding-type rope --untie-embeddings-and-output-weights",
            {"n_pos": 0, "n_emb": 2},
        ),
        ("--qk-layernorm --kv-channels 64", {"n_qk": 2, "d_h": 64}),
        (
            "--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather",
            {"z_1": 1, "z_2": 0, "h_d": 1},
        ),
        ("--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads", {"z_2": 1, "z_3": 0}),
        ("--use-torch-fsdp2", {"z_3": 1}),
        ("--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward", {"z_2": 1, "z_3": 0}),
        ("--recompute-activations", {"z_c": 1, "z_f": 0}),
        (
            "--recompute-granularity selective --recompute-modules mlp moe_act",
            {"z_c": 0, "r_up": 1, "r_dwn": 1, "r_xact": 1, "r_nrm": 0},
        ),
        (
            "--recompute-granularity full --recompute-method block --recompute-num-layers 2",
            {"z_f": 1, "x_keep": Fraction(11, 12)},
        ),
        (
            "--recompute-granularity full --recompute-method block --recompute-num-layers 24",
            {"z_f": 1, "x_keep": 0},
        ),
        ("--moe-layer-recompute", {"r_tok": 1, "r_hid": 1, "z_c": 0}),
        ("--activations-checkpoint-method uniform", {"z_f": 1}),
        ("--sequence-parallel", {"z_s": 1}),
        ("", {"o_d": 1}),
        ("--use-tp-pp-dp-mapping", {"o_d": 0}),
        ("--attention-backend unfused", {"z_a": 0, "kappa": 1}),
        ("--use-flash-attn --transformer-impl local", {"z_a": 1}),
        ("--grad-reduce-in-bf16", {"w_g": 2, "g": 2}),
        (
            "--use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype fp32",
            {"w_o": 3, "w_p": 4},
        ),
        (EXPERTS, {"E": 8, "k_E": 2, "F_E": 1024, "L_E": 24, "e": 4, "t_e": 2, "E_s": 0}),
        (EXPERTS + " --moe-layer-freq 5", {"L_E": 5}),  # blocks 0, 5, 10, 15, 20
        (EXPERTS + " --moe-layer-freq '([0]*3+[1]*21)'", {"L_E": 21}),
        (EXPERTS + " --moe-layer-freq ([0,1]*12)", {"L_E": 12}),
        (
            EXPERTS + " --moe-shared-expert-intermediate-size 2048 --moe-router-topk 6",
            {"E_s": 2, "k_E": 6},
        ),
        ("--train-iters 100", {"T_tok": 100 * 512 * 2048}),
    ],
)
def test_arguments_mean_what_megatron_means_by_them(
    tmp_path: Path, more: str, expected: dict[str, int]
) -> None:
    text = (
        f"{SHORT} {more}" if "(" not in more else f"{SHORT} {more}".replace("([0,1]*12)", "'([0,1]*12)'")
    )
    values = launch(tmp_path, text, more="devices = 16").values()
    assert {letter: values[letter] for letter in expected} == expected


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--tensor-model-parallel-sise 4", "unknown argument, expected --tensor-model-parallel-size"),
        ("--encoder-seq-length 4096", "--encoder-seq-length: found 4,?096, expected 2,?048, as it was"),
        ("--num-layers 24 32", "--num-layers: found '24 32', expected one value"),
        ("--recompute-modules=core_attn mlp", "found 'mlp', expected a flag that takes it"),
        ("--recompute-modules 'core_attn mlp'", "found 'core_attn mlp', expected modules, each one of"),
        ("--recompute-modules core_attn core", "found 'core', expected modules, each one of core_attn"),
        ("--model-parallel-size 4", "--tensor-model-parallel-size"),
        ("--fp16", "--fp16: found 1, expected no --bf16 beside it"),
        (
            "--overlap-param-gather",
            "--overlap-param-gather: found true, expected use-distributed-optimizer",
        ),
        ("--use-distributed-optimizer --overlap-param-gather", "expected overlap-grad-reduce"),
        ("--tp-comm-overlap", "expected sequence-parallel beside it"),
        ("--use-torch-fsdp2 --use-distributed-optimizer", "expected no distributed optimizer"),
        ("--recompute-granularity full", "--recompute-method: found nothing, expected uniform or block"),
        ("--recompute-granularity selective --recompute-method block", "expected none beside selective"),
        ("--recompute-granularity most", "found 'most', expected one of"),
        ("--pipeline-model-parallel-size 5", "--num-layers: found 24, expected a multiple of the 5"),
        (
            "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 4",
            "expected a divisor of the 6",
        ),
        (
            "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3 "
            "--num-virtual-stages-per-pipeline-rank 2",
            "expected no --num-layers-per-virtual-pipeline-stage",
        ),
        ("--num-virtual-stages-per-pipeline-rank 2", "found 2, expected 1 where there is one stage"),
        ("--pipeline-model-parallel-layout 'E|t|L'", "the plan does not read layouts"),
        ("--context-parallel-size 3", "--seq-length: found 2,048, expected a multiple of 2 × "),
        ("--multi-latent-attention", "--kv-lora-rank: found nothing, expected a rank: the default"),
        (
            "--multi-latent-attention --kv-lora-rank 512 --group-query-attention",
            "--group-query-attention: found true, expected no multi-latent-attention beside it",
        ),
        ("--expert-model-parallel-size 4", "found 4, expected 1: the model has no experts"),
        (EXPERTS.replace("size 4", "size 3"), "found 3, expected a divisor of the 8 experts"),
        (
            EXPERTS + " --moe-layer-freq '__import__(1)'",
            "expected a number, or a list of 24 times 0 or 1",
        ),
        (
            EXPERTS + " --moe-shared-expert-intermediate-size 1000",
            "a multiple of an expert's width 1,024",
        ),
        ("--train-iters 5 --train-samples 6", "expected no --train-iters beside it"),
        (
            "--ffn-hidden-size $(nproc)",
            r"--ffn-hidden-size: found '\$\(nproc\)', expected a whole number",
        ),
        ("--ffn-hidden-size $WIDTH", r"found '\$WIDTH, not set here', expected a whole number"),
        ("--num-query-groups 0", "found 0, expected a whole number from 1"),
        ("--attention-backend magic", "expected one of flash, fused"),
    ],
)
def test_what_megatron_would_refuse_is_refused(tmp_path: Path, more: str, said: str) -> None:
    selective = "--recompute-granularity selective" if "modules" in more else ""
    text = f"torchrun pretrain_gpt.py {SHORT} {selective} {more}"
    with pytest.raises(JobError, match=said):
        launch(tmp_path, text, more="devices = 24" if "size 3" in more else "devices = 40")


def test_neither_precision_means_fp32_in_a_script(tmp_path: Path) -> None:
    job = launch(tmp_path, SHORT.replace("--bf16 ", ""), more="devices = 16")
    values = job.values()
    assert [values[n] for n in ("w_c", "w_p", "a", "w", "g")] == [0, 4, 4, 4, 4]
    assert "--bf16" in remarks(job, "defaulted")


def test_a_variable_set_under_a_condition_is_not_guessed(tmp_path: Path) -> None:
    text = f"if [ $BIG ]; then\n TP=8\nelse\n TP=4\nfi\n{SHORT.replace('size 2 --bf', 'size $TP --bf')}"
    text = text.replace("--tensor-model-parallel-size 2", "--tensor-model-parallel-size $TP")
    with pytest.raises(JobError, match="found 'TP, set under a condition', expected a whole number"):
        launch(tmp_path, text, more="devices = 16")


def test_two_commands_that_train_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="found 2 commands with Megatron-LM's arguments, expected one"):
        launch(tmp_path, f"python a.py {SHORT}\npython b.py {SHORT}\n", more="devices = 16")
