"""What a row's program does unless it is told otherwise, where its source or its manual was read.

A row prints what its page prints; who writes the job of a run also knows the program that runs it.
"""

from __future__ import annotations

import math
import re
from typing import Any

from heldouts.rows import Row

_TWO = "2 byte"
BF16_STATE = {**dict.fromkeys(("master_width", "gradient_width", "moment_width", "reduce_width"), _TWO),
              "working_width": "0 byte"}  # fmt: skip
BF16_GRADIENTS = {"gradient_width": _TWO, "reduce_width": _TWO}
# Optimizers of PyTorch give gradients back (`zero_grad(set_to_none=True)`, since 2.0), and in JAX they
# are values of one step. Megatron-LM, DeepSpeed, Colossal-AI and Paddle have buffers for them.
_FREED = r"torchtitan|PyTorch|Hugging Face|KempnerForge|torchtune|Lightning|GPT-Simple|MaxText|JAX|Pax"
_BUFFERS = r"DeepSpeed"
# Scripts of NVIDIA's summaries set `grad_reduce_in_fp32 = False` (Megatron-Bridge, scripts/performance,
# set_basic_perf_overrides; NeMo 2's recipes with performance_mode).
_SUMMARY = r"mbridge-summary|nemo-docs-25|card .*pretrain_(?:performance|weak_scaling)"
# build_parallel_model of KempnerForge turns the whole model into BF16; the optimizer's state follows it.
_WHOLE_BF16 = r"KempnerForge"
# Its loss holds logits, their softmax and two gradients, all in BF16 and whole on every tensor-parallel
# rank (training, `cross_entropy`; distributed/tensor_parallel.py), and it reduces gradients after the
# last micro-batch alone (training/grad.py, `set_requires_gradient_sync`).
_COPIES = 4
# `adamw_torch` of the Trainer is PyTorch's AdamW, which works on all tensors at once (foreach) and then
# needs as much again as the weights (manual of torch.optim.AdamW).
_FOREACH = r"Hugging Face Trainer / sft_trainer"
# Its plugin puts Liger's fused linear cross-entropy into Llama alone (models/llama.py, not mistral.py);
# Liger makes as many parts of the tokens as the vocabulary is wider than the model.
# Models of Hugging Face that Liger patches have it, too (`fused_linear_cross_entropy` is its default).
_LIGER = r"Llama.*foak-fast-kernels-liger|\+ Liger-Kernel"


# The trainer of torchtitan has `SelectiveAC` for every block unless its configuration says otherwise
# (torchtitan/trainer.py, activation_checkpoint), as its Llama 3 files had `selective_ac_option = "op"`.
_SELECTIVE = r"torchtitan"
_COMPILED = r"\bcompile\b(?! off)"


def launch_defaults(row: Row) -> dict[str, Any]:
    """Keys of [launch] that follow from the program."""
    found: dict[str, Any] = {}
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
    if re.search(_FREED, row["framework"]) and not re.search(_BUFFERS, row["framework"]):
        found["keep_gradients"] = False
        # FSDP's shards are the masters: 16 bits are made of them as a unit is gathered.
        found |= {"working_width": "0 byte"} if "FSDP" in row.get("dp_kind", "") else {}
    if re.search(_SELECTIVE, row["framework"]):
        compiled = re.search(_COMPILED, row["framework"])
        found["recompute"] = "compiled operations" if compiled else "operations"
    if re.search(_LIGER, f"{row['name']} {row['framework']}"):
        found["loss_parts"] = math.ceil(row["model"]["vocab"] / row["model"]["hidden"])
    return found


def assumed(row: Row, launch: dict[str, Any]) -> dict[str, Any]:
    """[assume]: what the optimizer's step takes for a while; `launch` has the width of a weight."""
    found = {}
    if re.search(_FOREACH, row["framework"]):
        found["optimizer_temporary"] = launch.get("master_width", "4 byte")
    if re.search(_WHOLE_BF16, row["framework"]):
        found["loss_width"] = f"{(_COPIES - 1) * int(launch['logit_width'].split()[0])} byte"
    return found
