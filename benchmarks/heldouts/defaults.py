"""What a row's program does unless it is told otherwise, where its source or its manual was read.

A row prints what its page prints; who writes the job of a run also knows the program that runs it.
"""

from __future__ import annotations

import math
import re
from typing import Any

from heldouts.models import ACTIVE
from heldouts.rows import Row, compiled, framework

_TWO = "2 byte"
BF16_STATE = {**dict.fromkeys(("master_width", "gradient_width", "moment_width", "reduce_width"), _TWO),
              "working_width": "0 byte"}  # fmt: skip
BF16_GRADIENTS = {"gradient_width": _TWO, "reduce_width": _TWO}
# Optimizers of PyTorch give gradients back (`zero_grad(set_to_none=True)`, since 2.0), and in JAX they
# are values of one step. Megatron-LM, DeepSpeed (also GPT-NeoX, and SageMaker's MiCS, written in it),
# Colossal-AI and Paddle have buffers for them.
_FREED = (r"torchtitan|PyTorch|Hugging Face|KempnerForge|torchtune|Lightning|GPT-Simple|MaxText|JAX|Pax"
          r"|FSDP2|TRL|OLMo-core|torchprime|universal-llm-trainer|AutoModel|LitGPT|^Thunder|nanochat|nanoGPT"
          r"|OLMo trainer|prime-rl|Levanter|mesh-transformer-jax|PithTrain")  # fmt: skip
_BUFFERS = r"Deep(?:er)?Speed|ColossalAI|SageMaker|Megatron"
# Weights that are whole only as they are gathered, unit by unit.
_SHARDS = (
    r"(?:FSDP|HSDP: dp_replicate|parameters sharded)(?!.*(?:without resharding|parameters gathered))"
)
# DistMuonAdamW of nanochat reduces gradients in its step, after all micro-batches (nanochat/optim.py).
_REDUCED_LAST = r"nanochat"
# Gemini copies a weight's gradient into the weight's own place (`copy_tensor_to_chunk_slice(p, grad)`,
# colossalai/nn/parallel/data_parallel.py), in 16 bits.
_IN_PLACE, _NO_GRADIENTS = r"Gemini", {"gradient_width": "0 byte", "reduce_width": _TWO}
# Scripts of NVIDIA's summaries set `grad_reduce_in_fp32 = False` (Megatron-Bridge, scripts/performance,
# set_basic_perf_overrides; NeMo 2's recipes with performance_mode).
# Others run the same scripts and recipes on their own machines; gb200-qwen3-30b-mcore has its own.
# together's run scripts/performance/run_script.py (its logs: `grad_reduce_in_fp32: false`) and the
# recipes of NeMo 2 through NVIDIA's dgxc-benchmarking.
_SUMMARY = (r"mbridge-summary|nemo-docs-25|card .*pretrain_(?:performance|weak_scaling)"
            r"|gb200-bridge-gke|gb300-gke-dsv3-qwen3|Megatron Bridge user run"
            r"|gb200-qwen3-30b-mcore|bridge-issue-949"
            r"|p5en-qwen3-30b-h200|vultr-b200-dgxc|fair-gb300-bridge|mbridge-recipe-prs"
            r"|together-(?:8gpu|llama70b-fsdp|nemotron15b|qwen3-235b|512)")  # fmt: skip
# build_parallel_model of KempnerForge turns the whole model into BF16; the optimizer's state follows it.
_WHOLE_BF16 = r"KempnerForge"
# Its loss holds logits, their softmax and two gradients, all in BF16 and whole on every tensor-parallel
# rank (training, `cross_entropy`; distributed/tensor_parallel.py), and it reduces gradients after the
# last micro-batch alone (training/grad.py, `set_requires_gradient_sync`).
_COPIES = 4
# `adamw_torch` of the Trainer is PyTorch's AdamW, which works on all tensors at once (foreach) and then
# needs as much again as the weights (manual of torch.optim.AdamW); so is `optim.AdamW` of
# universal-llm-trainer (src/trainer/trainer.py), which says neither `foreach` nor `fused`.
_FOREACH = r"Hugging Face Trainer / sft_trainer|universal-llm-trainer"
# torchprime has weights in `torch_dtype: bfloat16` and takes `type: adafactor` (configs/default.yaml and
# configs/task/basic.yaml of torch_xla_models), which keeps means of rows and columns for moments.
_FACTORED, _NO_MOMENTS = r"torchprime, torch_xla", {**BF16_STATE, "moment_width": "0 byte"}
# GPT-NeoX has `attention_config` global, with a fused softmax, unless flash attention is asked for
# (megatron/neox_arguments/arguments.py; configs/20B.yml does not); Hugging Face's GPT-2 had eager
# attention alone before transformers 4.46 (here 4.25.1: LambdaLabsML/flash-attention, Dockerfile).
# The fork of BigScience had Megatron-LM's fused softmax alone, and no sequence parallelism: the papers of
# FlashAttention and of that are of May 2022.
_BIGSCIENCE = r"BigScience, February 2022"
_SCORES = rf"GPT-NeoX|GPT2LMHeadModel|{_BIGSCIENCE}"
# Its plugin puts Liger's fused linear cross-entropy into Llama alone (models/llama.py, not mistral.py);
# Liger makes as many parts of the tokens as the vocabulary is wider than the model.
# Models of Hugging Face that Liger patches have it, too (`fused_linear_cross_entropy` is its default).
_LIGER = r"Llama.*foak-fast-kernels-liger|\+ Liger-Kernel|fused linear cross[ -]entropy"
_NO_LIGER = r"no fused linear cross-entropy"
# TRL makes the loss of 256 tokens at once (`_CHUNKED_LM_HEAD_CHUNK_SIZE`, trainer/sft_trainer.py), and
# torchtitan's configurations since pull request 2937 (April 2026) in 8 parts (components/loss.py).
_CHUNKED, _TOKENS = r"chunked_nll", 256
# Its graph trainer has them since 3429 (June; the note of titan-pr-graphtrainer in the fifth set).
_LAST_WHOLE, _FIRST, _FIRST_GRAPH, _PARTS = 2937, "2026-05", "2026-06", 8
_IN_CHUNKS = r"ChunkedCELoss|cross entropy in chunks|no full logits"
_TILES = r"loss head tiled in (\d+)"
_OF_TOKENS = r"(?:logits|cross-entropy) in chunks of (\d+)"
# Transformer Engine's cross entropy takes Megatron-LM's logits as they are, in 16 bits, and puts their
# gradient in their place (pytorch/triton/cross_entropy.py, `cross_entropy_backward_kernel`).
_NO_ARRAYS, _NOTHING = r"TE fused cross entropy|fused cross entropy \(te\)", "0 byte"


# PyTorch's cross entropy of logits in FP32 keeps their log-softmax, and makes two arrays of them on its
# way back (`nll_loss_backward`, `_log_softmax_backward_data`); over tensor-parallel ranks three
# (torch/distributed/tensor/parallel/loss.py, `_nll_loss_and_log_softmax_backward`). So have torchtitan
# (components/loss.py), prime-rl (trainer/model.py, `forward`), AutoModel (loss/masked_ce.py) and Llama
# and its kin of Hugging Face (loss/loss_utils.py, `ForCausalLMLoss`).
_OWN_LOSS = (
    r"torchtitan|prime-rl|AutoModel|Hugging Face (?:model|Transformers|Llama)|transformers [45]"
    r"|plain cross"
)
_OTHER_LOSS = r"Liger-Kernel \d|chunked_nll|compile on"
# torchtitan held logits in FP32 while it went back until commit e29b6b4d.
_LOGITS_HELD = "2024-06-12"
# Compiled with the cast to FP32, a loss keeps the 16-bit logits and makes their gradient, in 16 bits.
# torchtitan compiles its loss with the model, but for some months (commits e10cb949, e8977b00, bbb1b616),
# and DeepSeek's without it (deepseek_v3_16b.toml since 08b8b244). Of whole graphs nothing is known.
_COMPILED_LOSS, _FROM, _NOT = "2 byte", "2024-10-22", ("2024-12-18", "2025-04-02")
_ALONE = "torch.compile (model)"
_LOSS_ALONE, _GRAPHS = "2025-08-20", r"aot_eager|graph(?!=True)"
# When torchtitan ran whose rows have no date, by the PyTorch beside it.
_WITH_PYTORCH = (("torch 2.7.0a0", "2025-03"), ("torch 2.9 dev", "2025-08"))
# Programs whose blocks run as PyTorch's operations one by one, unless they are compiled.
_EAGER = (r"torchtitan|Hugging Face (?:model|Transformers|Llama)|transformers [45]|LitGPT model, eager"
          r"|Fabric.*eager|torchtune|universal-llm-trainer|with PyTorch ROCm|Modalities")  # fmt: skip
_OTHER_KERNELS = r"Liger-Kernel \d"
# PyTorch/XLA traces a step and has XLA compile it, whoever wrote its model.
_TRACED = r"PyTorch/XLA"


# The trainer of torchtitan has `SelectiveAC` for every block unless its configuration says otherwise
# (torchtitan/trainer.py, activation_checkpoint), as its Llama 3 files had `selective_ac_option = "op"`.
_SELECTIVE = r"torchtitan"


# Recipes of Megatron-Bridge 0.1.0rc4 for dense Qwen3 have `sequence_parallelism: bool = False`, whatever
# the tensor parallelism (recipes/qwen/qwen3_8b.py, qwen3_32b.py).
_NO_SEQUENCE = r"Megatron-Bridge 0\.1\.0rc4"


# A step for TPUs gathers a block's weights in its own turn of the loop over blocks: compiled for v6e by
# libtpu 0.0.52, a Llama takes 4.0 bytes for each parameter of a block at work: there is no second copy.
_TPU = r"^TPU|TPU v"


# DeepEP and HybridEP send a token once to each node (DeepEP, README.md; Megatron-LM, fused_a2a.py); of
# what runs beside the compute of another micro-batch nine tenths hide, our better end.
_ONCE = r"(?<!no )\b(?:DeepEP|HybridEP)\b"
_BESIDE = r"EP communication overlap|(?<!no )all-to-all (?:overlap|hidden)|^moe_a2a_overlap on;"
_TWO_WAYS = "DualPipeV"  # the forward of one micro-batch runs beside the backward of another
# Where tokens beyond a capacity are dropped and the rest of it is padded, every expert computes so much.
_CAPACITY = r"\bcapacity (?:factor )?(\d\.\d+|\d(?= padded))"
_EVEN = r"\(round-robin\) routing"
# Data-parallel traffic that waits for all of the backward.
_EXPOSED = r"no overlap-grad-reduce|FSDP is not asynchronous"
_OF_CAPACITY = ("dispatcher", "name", "notes")
_DISPATCH = ("dispatcher", "overlap", "framework", "name")


def launch_defaults(row: Row) -> dict[str, Any]:
    """Keys of [launch] that follow from the program."""
    found: dict[str, Any] = {"prefetched_units": 0} if re.search(_TPU, row.get("device", "")) else {}
    early = re.search(_BIGSCIENCE, row["framework"])
    if early or (re.search(_NO_SEQUENCE, row["framework"]) and "experts" not in row["model"]):
        found["sequence_parallel"] = False
    if re.search(_SUMMARY, f"{row['source']} {row['name']}"):
        found |= BF16_GRADIENTS
    if re.search(_WHOLE_BF16, row["framework"]):
        whole = int(_TWO[0]) * int(row.get("tp", 1))
        found |= {
            **BF16_STATE,
            "reduce_width": "4 byte",
            "reduce_each_microbatch": False,
            "logit_width": f"{whole} byte",
        }
    buffers = re.search(_BUFFERS, row["framework"]) or framework(row) == "megatron"
    if re.search(_FREED, row["framework"]) and not buffers:
        found["keep_gradients"] = False
        # FSDP's shards are the masters: 16 bits are made of them as a unit is gathered, and are all there
        # only where units stay gathered after the forward.
        shards = re.search(_SHARDS, row.get("dp_kind", ""))
        found |= {"working_width": "0 byte"} if shards else {}
    if re.search(_REDUCED_LAST, row["framework"]):
        found["reduce_each_microbatch"] = False
    for pattern, widths in ((_FACTORED, _NO_MOMENTS), (_IN_PLACE, _NO_GRADIENTS)):
        found |= widths if re.search(pattern, f"{row['framework']} {row.get('dp_kind', '')}") else {}
    if re.search(_SCORES, row["framework"]):
        found["flash_attention"] = False
    if re.search(_EAGER, _made_of(row)) and not re.search(
        f"{_OTHER_KERNELS}|{_TRACED}", row["framework"]
    ):
        found["fused_operations"] = compiled(row)
    if _loss_is_compiled(row) or re.search(_NO_ARRAYS, row.get("loss_head", "")):
        found["logit_width"] = _COMPILED_LOSS
    if re.search(_SELECTIVE, row["framework"]):
        found["recompute"] = "compiled operations" if compiled(row) else "operations"
    liger = re.search(_LIGER, f"{row['name']} {_made_of(row)}")
    if liger and not re.search(_NO_LIGER, row.get("notes", "")):
        found["loss_parts"] = math.ceil(row["model"]["vocab"] / row["model"]["hidden"])
    return found | _of_loss(row) | _of_dispatch(row)


def _made_of(row: Row) -> str:
    """The program, and the head of the loss, which tells of some whose model it is."""
    return f"{row['framework']}; {row.get('loss_head', '')}"


def _of_dispatch(row: Row) -> dict[str, int]:
    """How often a token crosses the network."""
    said = "; ".join(str(row.get(key, "")) for key in _DISPATCH)
    if "experts" not in row["model"] or not re.search(_ONCE, said, re.IGNORECASE):
        return {}
    return {"token_nodes": next(row["model"][key] for key in ACTIVE if key in row["model"])}


def _of_loss(row: Row) -> dict[str, int]:
    """The parts in which a program makes the loss of what a device has of a micro-batch."""
    if re.search(_CHUNKED, row["framework"]):
        return {"loss_parts": math.ceil(row["micro_batch"] * row["seq_len"] / row["cp"] / _TOKENS)}
    if tiles := re.search(_TILES, row.get("notes", "")):
        return {"loss_parts": int(tiles[1])}
    if chunk := re.search(_OF_TOKENS, f"{row['name']}; {row.get('loss_head', '')}"):
        return {"loss_parts": math.ceil(row["micro_batch"] * row["seq_len"] / int(chunk[1]))}
    if re.search(_IN_CHUNKS, row.get("notes", "")) or _late(row):
        return {"loss_parts": _PARTS}
    return {}


def _loss_is_compiled(row: Row) -> bool:
    """Whether torchtitan compiles the loss."""
    date, said = _when(row), str(row.get("compile", ""))
    if "torchtitan" not in row["framework"] or re.search(_GRAPHS, said) or said.endswith(_ALONE):
        return False
    alone = date >= _LOSS_ALONE and "DeepSeek" in f"{row.get('model_source', '')} {row['name']}"
    there = date >= _FROM and not _NOT[0] <= date < _NOT[1]
    return bool(alone) or (there and (compiled(row) or "loss" in said))


def _when(row: Row) -> str:
    """The date of a run, or one that is late where nothing tells it."""
    told = next((date for words, date in _WITH_PYTORCH if words in row["framework"]), _FIRST)
    return str(row.get("date") or told)


def _loss_width(row: Row) -> str | None:
    """Bytes per logit that a loss makes on its way back, where its program is known."""
    if _loss_is_compiled(row):
        return _COMPILED_LOSS
    if re.search(_NO_ARRAYS, row.get("loss_head", "")):
        return _NOTHING
    said, own = str(row.get("compile", "")), re.search(_OWN_LOSS, _made_of(row))
    if not own or re.search(f"{_OTHER_LOSS}|{_TRACED}", row["framework"]) or re.search(_GRAPHS, said):
        return None
    held = "torchtitan" in row["framework"] and _when(row) < _LOGITS_HELD
    return "12 byte" if held or int(row.get("tp", 1)) > 1 else "8 byte"


def _late(row: Row) -> bool:
    """Whether it ran torchtitan since its loss is made in parts."""
    if request := re.search(r"issue-torchtitan-(\d+)", row["source"]):
        return int(request[1]) > _LAST_WHOLE
    first = _FIRST_GRAPH if re.search("(?i)graph_?trainer", row["framework"]) else _FIRST
    return "torchtitan" in row["framework"] and str(row.get("date", "")) >= first


def assumed(row: Row, launch: dict[str, Any]) -> dict[str, Any]:
    """[assume]: what the optimizer's step takes for a while; `launch` has the width of a weight."""
    found = {}
    if re.search(_FOREACH, row["framework"]):
        found["optimizer_temporary"] = launch.get("master_width", "4 byte")
    if width := _loss_width(row):
        found["loss_width"] = width
    if factor := re.search(_CAPACITY, "; ".join(str(row.get(key, "")) for key in _OF_CAPACITY)):
        found["imbalance"] = factor[1]
    if re.search(_EVEN, row.get("notes", "")):
        found["imbalance"] = "1"
    if re.search(_EXPOSED, f"{row.get('overlap', '')}; {row.get('notes', '')}"):
        found["dp_hidden"] = "0"
    if re.search(_BESIDE, "; ".join(str(row.get(key, "")) for key in ("overlap", "name", "notes"))):
        found["ep_hidden"] = "90 %"
    if row.get("pipeline_schedule") == _TWO_WAYS:
        found["ep_hidden"] = "90 %"
    if re.search(_WHOLE_BF16, row["framework"]):
        found["loss_width"] = f"{(_COPIES - 1) * int(launch['logit_width'].split()[0])} byte"
    return found
