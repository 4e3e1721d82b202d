"""A row's layout and training as the keys of [launch]; what the row does not say is left out."""

from __future__ import annotations

import re
from typing import Any

from heldouts.defaults import BF16_GRADIENTS, BF16_STATE, launch_defaults
from heldouts.recomputed import on_host, recomputed
from heldouts.rows import Row, framework

_PLAIN = {"tp": "tp", "pp": "pp", "cp": "cp", "ep": "ep", "etp": "etp", "dp": "dp",
          "vpp": "virtual_stages", "micro_batch": "microbatch", "global_batch": "batch",
          "seq_len": "sequence_length"}  # fmt: skip
# ZeRO's stage by the words of dp_kind, the first that is found; of a page whose one column says that
# weights are whole, and of nothing, none is known.
_STAGES = (
    (r"FSDP = 0|no FSDP column", None), (r"FSDP|HSDP|ZeRO-3", 3), (r"ZeRO-2|stage2", 2),
    (r"ZeRO-1|stage1|distributed optimizer", 1), (r"replicated|^DDP$|^none", 0),
)  # fmt: skip
_COPIES = r"x (\d+) slices|, DP (\d+)|x DP (\d+)"
_GROUP = r"(?:over|group) (\d+)"
_WIDTHS = (
    (
        r"BF16 weights and states|(?:parameters|weights) and states (?:in )?BF16|BF16 throughout"
        r"|AdamW of BF16 parameters|BF16 master weights, gradients and Adam states",
        BF16_STATE,
    ),
    (r"bf16 exp_avg|bf16 gradients/moments", {"moment_width": "2 byte"}),
    (r"bf16 gradients/moments", {"gradient_width": "2 byte"}),
    (r"bf16 gradient accumulation|gradient reduce \(BF16\)", BF16_GRADIENTS),
)


def launch(row: Row) -> dict[str, Any]:
    """[launch]. Raises RefusedError for activations that are off-loaded, if it is not said which."""
    found: dict[str, Any] = {ours: row[theirs] for theirs, ours in _PLAIN.items() if theirs in row}
    each = found.get("microbatch", 1)
    if each == int(each) and "microbatch" in found:
        found["microbatch"] = int(each)
    if name := framework(row):
        found["framework"] = name
    if "sequence_parallel" in row:
        found["sequence_parallel"] = row["sequence_parallel"]
    found |= recomputed(row) | on_host(row)
    if _keeps_scores(row):
        found["flash_attention"] = False
    return {**launch_defaults(row), **found, **sharding(row), **_widths(row)}


def sharding(row: Row) -> dict[str, int]:
    """ZeRO's stage, and the copies of the sharded state where its group is smaller than the replicas."""
    said = row.get("dp_kind", "")
    stage = next((stage for words, stage in _STAGES if re.search(words, said)), None)
    if stage is None:
        return {}
    copies = _copies(row, said) if stage else 1
    return {"zero": stage, **({"replicas": copies} if copies > 1 else {})}


def _copies(row: Row, said: str) -> int:
    """Copies by their number, or by the devices of a group that share one."""
    if found := re.search(_COPIES, said):
        return int(next(filter(None, found.groups())))
    if "shard in node" in said:
        return int(row["dp"]) // int(row["gpus_per_node"])
    group = re.search(_GROUP, said)
    return int(row["dp"]) // int(group[1]) if group else 1


def _keeps_scores(row: Row) -> bool:
    """Whether attention is said to be computed without a fused kernel."""
    said = f"{row.get('attention', '')}; {row.get('notes', '')}; {'; '.join(row['unknown'])}"
    if re.search(r"unfused attention|none fused|\beager\b|weights returned|\(no FlashAttention\)", said):
        return True
    found = re.search(r"no flash attention(?: for (\w+))?", said)
    return found is not None and (found[1] or "") in row["name"]


def _widths(row: Row) -> dict[str, str]:
    """Bytes of state where the row says that it is kept in fewer."""
    said = "; ".join([*(row.get(key, "") for key in ("precision", "notes", "overlap")), *row["unknown"]])
    found = dict[str, str]()
    for words, widths in _WIDTHS:
        found |= widths if re.search(words, said) else {}
    return found
