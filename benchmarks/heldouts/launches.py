"""A row's layout and training as the keys of [launch]; what the row does not say is left out."""

from __future__ import annotations

import re
from typing import Any

from heldouts.defaults import BF16_GRADIENTS, BF16_STATE, launch_defaults
from heldouts.recomputed import on_host, recomputed
from heldouts.rows import RefusedError, Row, framework

_PLAIN = {"tp": "tp", "pp": "pp", "cp": "cp", "ep": "ep", "etp": "etp", "dp": "dp",
          "vpp": "virtual_stages", "micro_batch": "microbatch", "global_batch": "batch",
          "seq_len": "sequence_length"}  # fmt: skip
# ZeRO's stage by the words of dp_kind, the first that is found; of a page whose one column says that
# weights are whole, and of nothing, none is known.
_STAGES = (
    (r"FSDP = 0|no FSDP column|distributed optimizer not said", None),
    (r"no FSDP|no distributed optimizer|^plain \(DDP|optimizer not sharded|^DP1\b", 0),
    (r"^ZeRO-2|without resharding|parameters gathered|reshard_after_forward=False", 2), (r"^ZeRO-1", 1),
    (r"FSDP|HSDP|ZeRO-3|MiCS|parameters, gradients and optimizer|parameters sharded", 3),
    (r"ZeRO-2|stage2", 2),
    (r"ZeRO-1|stage1|distributed optimizer|optimizer states over", 1),
    (r"gradients reduced and optimizer states sharded", 1),  # whole gradients, before they are reduced
    (r"^DDP \(replicate \d+, shard 1\)", 0),
    (r"replicated|^DDP(?: \(static_graph\))?$|^none", 0),
)  # fmt: skip
_COPIES = r"x (\d+) slices|, DP (\d+)|x DP (\d+)|DCN between (\d+) slices|(?:dp_|HSDP \()replicate (\d+)"
# MaxText shards over both axes; experts that lie over fewer devices than the rest make no copies of it.
_GROUP = r"(?<!experts )(?:over|group) (?:the )?(\d+)(?:, experts over (\d+))?"
# FSDP1 shards within a node if it is told of no group (torch/distributed/fsdp, HYBRID_SHARD); PithTrain's
# copies are those of its data parallelism, beside which experts lie over devices.
_OWN_NODE = r"HYBRID_SHARD \(sharded within a group"
_BESIDE_EXPERTS = r"replicated over DP"
_WHOLE = 3  # ZeRO's stage of all state
_IN_NODES = r"shards within the node of (\d+)"
_TWO_GROUPS = r"gradients over .*optimizer states over"
# Experts of FSDP2 that are shared among fewer devices than the rest and not sharded over the others.
_WHOLE_EXPERTS = (
    r"experts replicated on each|experts by expert parallelism, replicated over the \d+ groups"
)
_SOME_EXPERTS = r"FSDP2.*experts distributed over EP (\d+)"
# PithTrain leaves units gathered after the forward (pithtrain/modules/training.py, apply_fsdp:
# `reshard_after_forward=False` of layers and experts).
_STAY_GATHERED = "PithTrain"
_STAYS = "ZeRO-2 by default"  # of a program, where experts are shared among devices
_KEPT_SCORES = r"eager attention|FlashAttention off|fused causal softmax"
# PyTorch runs a whole model "eager", unless it is compiled; that is not said of attention.
_OF_ALL = r"^torch\.compile"
_OF_WIDTHS = ("precision", "notes", "overlap", "dp_kind", "optimizer", "framework")
_WIDTHS = (
    (
        r"BF16 weights and states|(?:parameters|weights) and states (?:in )?BF16|BF16 throughout"
        r"|AdamW of BF16 parameters|BF16 master weights, gradients and Adam states"
        r"|pure BF16|training\.dtype bfloat16|BF16 parameters, autocast;.*FSDP2"
        r"|BF16 state|AdamW on BF16 parameters|parameters and (?:moments BF16|optimizer states .* BF16)"
        r"|BF16 parameters \(model_dtype bfloat16\)|BF16 weights and compute"
        r"|AdamW fused, BF16 moments"  # PyTorch's: moments are of the parameters' type
        r"|BF16 weights, BF16 Adam moments|weights, gradients and moments BF16"
        r"|BF16 \((?:weights, gradients, moments|parameters too)"
        r"|BF16 parameters(?:, gradients and AdamW moments| and compute)"
        r"|AdamWBF16|master_weights=False, optimizer states in BF16",
        BF16_STATE,
    ),
    (r"BF16 weights and compute, FP32 Adam moments", {"moment_width": "4 byte"}),
    (r"fp16 gradients|before the FP32 gradient accumulation|\); bf16 gradient reduction", BF16_GRADIENTS),
    (r"bf16 exp_avg|bf16 gradients/moments", {"moment_width": "2 byte"}),
    (r"bf16 gradients/moments", {"gradient_width": "2 byte"}),
    (r"bf16 gradient accumulation|gradient reduce \(BF16\)|BF16 main gradients", BF16_GRADIENTS),
    (
        r"bf16 AdamW moments|precision-aware(?:, BF16 moments|: gradients BF16, moments BF16)",
        {"moment_width": "2 byte"},
    ),
    (r"first moment BF16", {"moment_width": "3 byte"}),  # the second stays in four
    (r"gradients BF16|precision-aware optimizer with BF16 gradients", BF16_GRADIENTS),
    (r"master by int16 remainders", {"master_width": "2 byte"}),  # of what the BF16 weight has not
    # FusedAdam of Transformer Engine keeps of a master what the BF16 weight, which is trained, has not;
    # weights in MXFP8 are there in both directions, beside whole masters.
    (r"FP32-precision masters|16-bit remainder", {"working_width": "0 byte", "gradient_width": "2 byte"}),
    (r"MXFP8 weights kept", {"working_width": "2 byte", "gradient_width": "2 byte"}),
    # Modalities' BF_16 has both types of FSDP1's policy in BF16 (running_env/env_utils.py, bfSixteen).
    (r"gradients reduced in bf16|mixed precision BF_16", {"reduce_width": "2 byte"}),
    # FSDP without a policy of its own gathers weights as they are kept; autocast casts what is gathered.
    (r"FSDP[^;]*\(fp32 parameters, bf16 autocast\)", {"gather_width": "4 byte"}),
    # Other optimizers keep another number of values than Adam's two, in four bytes each.
    (
        r"\bMuonH|optimizer muon|Muon for matrices|Muon \(matrices\)|; Muon \(Newton",
        {"moment_width": "2 byte"},
    ),
    (r"\bSGD\b|\bAdafactor\b", {"moment_width": "0 byte"}),
    (r"AdEMAMix", {"moment_width": "6 byte"}),
)


_NEEDED = {"seq_len": "the sequence", "global_batch": "the batch"}


def launch(row: Row) -> dict[str, Any]:
    """[launch]. Raises RefusedError where the row's words have no key, or say too little for one."""
    for key, what in _NEEDED.items():
        if key not in row:
            raise RefusedError(f"launch: {what} is not said")
    found: dict[str, Any] = {ours: row[theirs] for theirs, ours in _PLAIN.items() if theirs in row}
    each = found.get("microbatch", 1)
    if each == int(each) and "microbatch" in found:
        found["microbatch"] = int(each)
    if name := framework(row):
        found["framework"] = name
    if "expert tensor parallel size (1 presumably" in "; ".join(row["unknown"]):
        found["etp"] = 1
    if "sequence_parallel" in row:
        found["sequence_parallel"] = row["sequence_parallel"]
    found |= recomputed(row) | on_host(row)
    if _keeps_scores(row):
        found["flash_attention"] = False
    found |= _chunks(row)
    found = {**launch_defaults(row), **found, **sharding(row), **_widths(row)}
    if found.get("zero") == 2 and found.get("working_width") == "0 byte":
        found["working_width"] = found.get(
            "gather_width", "2 byte"
        )  # units stay gathered beside their shards
    return found


def _chunks(row: Row) -> dict[str, int]:
    """A schedule whose devices hold two chunks of the model each, its first and its last half."""
    return {"virtual_stages": 2} if row.get("pipeline_schedule") == "DualPipeV" else {}


def sharding(row: Row) -> dict[str, int]:
    """ZeRO's stage, and the copies of the sharded state where its group is smaller than the replicas.

    Raises RefusedError where gradients are sharded over fewer devices than what the optimizer keeps.
    """
    said = row.get("dp_kind", "")
    if _two_groups(row, said):
        raise RefusedError("launch: state is sharded over groups of two sizes")
    if row.get("ep", 1) > 1 and _STAYS in "; ".join(row["unknown"]):
        return {"zero": 2}
    stage = next((stage for words, stage in _STAGES if re.search(words, said)), None)
    if stage is None:
        return {}
    if stage == _WHOLE and re.search(_STAY_GATHERED, row["framework"]):
        stage = _WHOLE - 1
    copies = _copies(row, said) if stage else 1
    return {"zero": stage, **({"replicas": copies} if copies > 1 else {})}


def _two_groups(row: Row, said: str) -> bool:
    """Whether some of the state has more copies than the rest."""
    if re.search(_TWO_GROUPS, said) or re.search(_WHOLE_EXPERTS, said):
        return True
    some = re.search(_SOME_EXPERTS, said)
    return some is not None and int(some[1]) < int(row["dp"]) * int(row.get("cp", 1))


def _copies(row: Row, said: str) -> int:
    """Copies by their number, or by the devices of a group that share one."""
    if found := re.search(_COPIES, f"{said}; {row.get('network', '')}"):
        return int(next(filter(None, found.groups())))
    if racks := re.search(r"(\d+) racks", row.get("network", "") if "over racks" in said else ""):
        return int(racks[1])
    if re.search(_BESIDE_EXPERTS, said):
        return int(row["dp"]) // int(row["ep"])
    if "shard in node" in said or re.search(_OWN_NODE, said):
        return int(row["dp"]) // int(row["gpus_per_node"])
    if node := re.search(_IN_NODES, said):
        return int(row["dp"]) // int(node[1])
    group = re.search(_GROUP, said)
    return int(row["dp"]) // (int(group[1]) * int(group[2] or 1)) if group else 1


def _keeps_scores(row: Row) -> bool:
    """Whether attention is said to be computed without a fused kernel."""
    unknown = (words for words in row["unknown"] if not re.search(_OF_ALL, words))
    said = f"{row.get('attention', '')}; {row.get('notes', '')}; {'; '.join(unknown)}"
    if re.search(_KEPT_SCORES, row["framework"]):
        return True
    if re.search(r"^unfused\b|\(unfused\)|^from-scratch attention", row.get("attention", "")):
        return True
    if re.search(r"unfused attention|none fused|\beager\b|weights returned|\(no FlashAttention\)", said):
        return True
    found = re.search(r"no flash attention(?: for (\w+))?", said)
    return found is not None and (found[1] or "") in row["name"]


def _widths(row: Row) -> dict[str, str]:
    """Bytes of state where the row says that it is kept in fewer."""
    said = "; ".join([*(row.get(key, "") for key in _OF_WIDTHS), *row["unknown"]])
    found = dict[str, str]()
    for words, widths in _WIDTHS:
        found |= widths if re.search(words, said) else {}
    return found
