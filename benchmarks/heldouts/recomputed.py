"""What a row's backward computes again, and which activations lie with the host, as keys of [launch]."""

from __future__ import annotations

import re
from typing import Any

from heldouts.rows import RefusedError, Row, compiled

# Values of a block by the words of a page; MaxText and AXLearn call products by their matrices.
_VALUES = (
    ("query", r"\b[Qq]\b|(?i:qkv)|\bquery|attention projections"),
    ("key", r"\b[Kk]\b|(?i:qkv)|\bkey|attention projections"),
    ("value", r"\b[Vv]\b|(?i:qkv)|\bvalue|attention projections"), ("context", r"context"),
    ("middle", r"out(?:put)? projection|out_proj|attention projections|residual after attention"),
    ("gate", r"mlpwi|gate and up projections"), ("up", r"mlpwi|gate and up projections"),
    ("output", r"mlpwo"),
)  # fmt: skip
_INPUT = r"layer[ _]inputs?|and inputs"
_DOTS = "all but query, key, value, middle, gate, up, output"
_WITH_CONTEXT = "all but query, key, value, context, middle, gate, up, output"
# Names of policies (MaxText, layers/decoders.py, get_remat_policy; jax.checkpoint_policies).
_POLICIES = (
    (r"minimal_with_context|minimal_flash|flash attention and dots", _WITH_CONTEXT),
    ("save_dot_with_context_except_mlp", "all but query, key, value, context, middle"),
    ("save_dot_except_mlpwi", "all but query, key, value, middle, output"),
    ("save_dot_except_mlp", "all but query, key, value, middle"),
    (r"save_qkv_proj|qkv_proj_offloaded", "all but query, key, value"),
    ("save_out_proj", "all but middle"),
    (r"\bmoe\b.* kept", "all but tokens, hidden, expert_product, answers, shared"),
    (r"policy '?minimal|dots_saveable|save_dot_with_no_batch_dim|dots off-?loaded", _DOTS),
)
# Modules of Megatron-LM by their names and in a page's words; the whole MoE block before its parts.
_MODULES = (
    ("core_attn", r"core_attn|core attention"), ("layernorm", r"layernorm|norms"),
    ("mla_up_proj", r"mla_up_proj"), ("moe", r"\bmoe\b(?! act)(?!_)|whole moe"),
    ("moe_act", r"moe_act|moe activation"), ("shared_experts", r"shared_experts"),
    ("mlp_act", r"mlp activation"), ("mlp", r"\bmlp\b(?! act)"),
)  # fmt: skip


# Presets of torchprime's `model/remat`: whole decoder layers are computed again (configs/model/scaling,
# `activation_checkpoint_layers`), and those that off-load move the layers' inputs to the host, as 405B's
# does by default (configs/model/llama-3.1-405b.yaml, `remat: llama-scan-offload`).
_OF_405B = r"default of the model configuration llama-3\.1-405b"
_ALL = r"^(?:remat_policy )?full|^(?:hugging face )?(?:gradient|activation) checkpointing"
_EVERY = r"gradient checkpointing of every block"
_WHOLE = rf"{_ALL}|{_EVERY}|default: full|model/remat=|^scan .*host offload|{_OF_405B}"
_INPUTS_AWAY = rf"checkpoints offloaded|scan-offload|host offload|{_OF_405B}"
# Though no page states it; BigScience's files have every layer computed again, and its FLOP/s count that.
_SUPPOSED = (
    r"recompute \((?:full (?:likely|by the configuration)|not on the page; .* has --checkpoint-act)"
)
_BY_FILES = r"^activation checkpointing of every layer \(--checkpoint-activations in the folder"
_UNSAID = r"^unknown|not stated|none stated|none visible|not said|not printed|not told|contradictory"
_SAVED = r"\bbut (.* saved\b)"  # of whole layers that are computed again
_BY_HAND = r"saves (.*); recomputes the rest"
_AWAY = r"off-?load|saved on the host"
# Megatron-LM moves to the host what the core of attention is given (`offload_modules`).
_MODULE_AWAY = "(and core_attn off-loaded to the host)"
_ALL_AWAY = r"parameters and optimizer off-loaded"
_OPTIMIZER_AWAY = r"optimizer off-?loaded"
# torchtitan's choice of operations, by its page or by the program that makes it in a traced graph.
_OPERATIONS = (r"per[- ]op|\(op\)|\bop policy|selective op|default op|selectiveac|\bsac\b|graph policy"
               r"|joint graph|memory_policy=eager")  # fmt: skip
_OF_TITAN = ("selective (option", "selective;")
# Until commit c4e22911 (September 2025) it kept no all-to-alls; rows of that page say whether they do.
_EXCHANGES_KEPT, _KEPT_BY_PAGE = "2025-09-04", r"a2a (?:and \S+ )?kept"
_NO_EXCHANGES = "all but query, key, value, context, gate, output, shared"  # of latent keys and values


def recomputed(row: Row) -> dict[str, str]:
    """`recompute`; nothing where the row says nothing, or too little of it. Raises RefusedError."""
    said = str(row.get("recompute", ""))
    if re.search(_BY_FILES, said):
        return {"recompute": "full"}
    if not said or re.search(_UNSAID, said):
        return {"recompute": "full"} if re.search(_SUPPOSED, "; ".join(row["unknown"])) else {}
    if "partitioner chooses" in said:
        raise RefusedError("launch: a compiler chooses what is computed again")
    found = _of(row, said)
    if row["model"].get("experts") and "gate, up" in found:  # MaxText's experts name theirs alike
        found = found.replace("gate, up", "gate, up, hidden")
    return {"recompute": found}


def _of(row: Row, said: str) -> str:
    low = said.lower()
    if low.startswith("none"):
        return "none"
    if number := re.match(r"full, (\d+) layers", low):
        return _some(row, int(number[1]))
    if some := re.match(r"full, of (\d+) of \d+ layers", low):
        return f"layers {some[1]}"
    if saved := re.search(_SAVED, said) or re.search(_BY_HAND, said):
        return f"all but {', '.join(_named(saved[1]))}"
    if re.search(_WHOLE, low):
        return "full"
    if every := re.search(r"every (\d+)th layer", low):
        return f"every {every[1]} layers"
    if re.search(_OPERATIONS, low) and _without_exchanges(row, low):
        return _NO_EXCHANGES
    if re.search(_OPERATIONS, low) or (
        "torchtitan" in row["framework"] and f"{low};".startswith(_OF_TITAN)
    ):
        return "compiled operations" if compiled(row) else "operations"
    for pattern, ours in _POLICIES:
        if re.search(pattern, low):
            return ours
    if re.search(r"custom|rest recomputed|default: saves", low):
        kept = _named(_kept(said))
        return f"all but {', '.join(kept)}" if kept else "full"
    if "share of the blocks" in low:  # which share is not printed
        return "none"
    modules = [name for name, pattern in _MODULES if re.search(pattern, low.replace(_MODULE_AWAY, ""))]
    modules = [name for name in modules if name != "moe_act" or "moe" not in modules]
    if modules:
        return ", ".join(modules)
    return "selective" if low.startswith("selective") else "none"


def _without_exchanges(row: Row, low: str) -> bool:
    """Whether torchtitan's experts, of DeepSeek's models alone then, were exchanged and that not kept."""
    early = "torchtitan" in row["framework"] and "2025" <= str(row.get("date", "")) < _EXCHANGES_KEPT
    return early and int(row.get("ep", 1)) > 1 and not re.search(_KEPT_BY_PAGE, low)


def _some(row: Row, each: int) -> str:
    """`recompute_num_layers` counts the blocks of a chunk."""
    blocks = each * int(row.get("pp", 1)) * int(row.get("vpp", 1))
    return "full" if blocks >= int(row["model"]["layers"]) else f"layers {blocks}"


def _kept(said: str) -> str:
    """The words of what is kept or off-loaded; what is `recomputed` by name is not among them."""
    return re.sub(r"[^;:]*?((?:\b[QKV]\b,? ?)+)recomputed|\w+=remat", "", said)


def _named(said: str) -> list[str]:
    return [value for value, pattern in _VALUES if re.search(pattern, said)]


def on_host(row: Row) -> dict[str, Any]:
    """What lies with the host: activations by share or by name, or the optimizer. Raises RefusedError."""
    said = str(row.get("offload", ""))
    again = str(row.get("recompute", ""))
    if re.search("parameters|^weights", said) or re.search(_ALL_AWAY, row.get("dp_kind", "")):
        raise RefusedError("launch: parameters are off-loaded to the host")
    if said.startswith("optimizer states") or re.search(_OPTIMIZER_AWAY, row.get("dp_kind", "")):
        return {"offload_optimizer": 1}
    if share := re.search(r"([\d.]+) of the activations", said):
        return {"offload_activations": share[1]}
    if layers := re.search(r"activations of (\d+) layers", f"{said}; {again}"):
        return {"offload_activations": str(int(layers[1]) / int(row["model"]["layers"]))}
    if _MODULE_AWAY in again:
        return {"offload_activations": "query, key, value"}
    if re.search(_INPUTS_AWAY, again):
        return {"offload_activations": "input"}
    if not re.search(_AWAY, again):
        if "activations" in said or "layer inputs" in said:
            raise RefusedError("launch: it is not said which activations are off-loaded")
        return {}
    names = _kept(re.sub(r"(?:[,;] )?(?:the )?rest (?:of the layer )?recomputed.*", "", again))
    if re.search("dots|matmul outputs", names):
        dots = _DOTS.removeprefix("all but ")
        return {"offload_activations": dots if row["model"]["gated"] else dots.replace("gate, ", "")}
    values = [*(["input"] if re.search(_INPUT, names) else []), *_named(names)]
    return {"offload_activations": ", ".join(values)}
