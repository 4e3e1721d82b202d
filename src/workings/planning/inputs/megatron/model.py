"""The model that Megatron-LM's arguments describe, as keys of [model]."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import Entries, Entry, refused, shown
from workings.planning.inputs.megatron.arguments import Arguments

_PATTERN = re.compile(r"\(?\[[01](?:,[01])*\]\)?(?:\*[0-9]{1,4})?")
_LEARNED = ("learned_absolute", "rope", "mrope", "yarn", "relative", "none")


def megatron_model(arguments: Arguments, tp: int) -> Entries:
    """Keys of [model], those that are left out as Megatron-LM's defaults have them. Raises JobError.

    Another [model] is compared with what is given, and with what is left out.
    """
    sizes = {"blocks": "num_layers", "d_model": "hidden_size", "heads": "num_attention_heads"}
    found = {key: arguments.whole(name) for key, name in sizes.items()}
    model: Entries = {key: entry for key, entry in found.items() if entry is not None}
    rest = _feed_forward(arguments, model)
    latent = arguments.on("multi_latent_attention")
    rest |= _latent(arguments) if latent else _qkv_bias(arguments) | _attention(arguments, model)
    rest |= _tables(arguments, tp) | _norms(arguments) | _experts(arguments, model, rest)
    if "use_checkpoint_args" in arguments.given:  # what is left out is the checkpoint's
        rest = {key: entry for key, entry in rest.items() if entry.kind == "given"}
    return model | rest


def _feed_forward(arguments: Arguments, model: Entries) -> Entries:
    """Width and matrices of the feed-forward. Raises JobError."""
    swiglu = arguments.flag("swiglu")
    others = [arguments.flag(name) for name in ("quick_geglu", "gated_linear_unit")]
    gated = next((other for other in others if other.value), swiglu)
    bias = _bias(arguments)
    rows: Entries = {
        "ffn_matrices": replace(gated, value=2 + gated.value),
        "out_bias": bias,
        "ffn_bias": bias,
    }
    width = arguments.whole("ffn_hidden_size")
    if width is None and "d_model" in model:
        hidden = int(model["d_model"].value)
        size = hidden * 4 * 2 // 3 // 64 * 64 if swiglu.value else 4 * hidden
        width = arguments.default("ffn_hidden_size", Fraction(size))
    return rows | ({"d_ff": width} if width is not None else {})


def _bias(arguments: Arguments) -> Entry:
    """Whether matrices have biases. Raises JobError."""
    if arguments.entry("add_bias_linear") is not None:  # a configuration object's name of the opposite
        return arguments.flag("add_bias_linear")
    none = arguments.flag("disable_bias_linear")
    return replace(none, value=1 - none.value)


def _qkv_bias(arguments: Arguments) -> Entries:
    """Whether queries, keys and values have biases. Raises JobError."""
    add, bias = arguments.flag("add_qkv_bias"), _bias(arguments)
    return {"qkv_bias": replace(add if add.value else bias, value=max(add.value, bias.value))}


def _latent(arguments: Arguments) -> Entries:
    """Ranks and widths of latent attention, whose projections have no biases. Raises JobError."""
    if arguments.on("group_query_attention"):
        raise arguments.wrong("group_query_attention", True, "no multi-latent-attention beside it")
    if not arguments.on("qk_layernorm"):
        text = "norms of the latents are counted, though Megatron-LM has them with it only"
        arguments.reader.note("ignored", arguments.spelled("qk_layernorm"), text)
    for entry in map(arguments.entry, ("kv_channels", "num_query_groups")):
        if entry is not None:
            text = "latent attention has widths and heads of its own"
            arguments.reader.note("ignored", entry.key, text)
    keys, queries = arguments.whole("kv_lora_rank"), arguments.whole("q_lora_rank")
    if keys is None:
        raise arguments.wrong("kv_lora_rank", None, "a rank: the default differs between versions")
    if queries is None and arguments.style == "settings" and "q_lora_rank" not in arguments.given:
        raise arguments.wrong("q_lora_rank", None, "a rank, or None where queries are not compressed")
    return {
        "q_rank": queries or arguments.default("q_lora_rank", Fraction(0)),
        "kv_rank": keys,
        "nope_dim": arguments.number("qk_head_dim", 128),
        "rope_dim": arguments.number("qk_pos_emb_head_dim", 64),
        "v_dim": arguments.number("v_head_dim", 128),
    }


def _attention(arguments: Arguments, model: Entries) -> Entries:
    """Heads. Raises JobError."""
    rows: Entries = {}
    grouped, groups = arguments.flag("group_query_attention"), arguments.whole("num_query_groups")
    heads = model.get("heads")
    if groups is not None and (grouped.value or arguments.style == "settings"):
        rows["kv_heads"] = groups
    elif heads is not None:
        rows["kv_heads"] = arguments.default(
            "num_query_groups", Fraction(1 if grouped.value else heads.value)
        )
        if groups is not None:
            text = "without group-query-attention every head has its keys and values"
            arguments.reader.note("ignored", groups.key, text)
    channels = arguments.whole("kv_channels")
    if channels is None and heads is not None and "d_model" in model:
        if model["d_model"].value % heads.value:
            raise refused(
                heads, f"a divisor of hidden size {shown(model['d_model'].value)}, or kv-channels"
            )
        channels = arguments.default("kv_channels", model["d_model"].value / heads.value)
    if channels is not None:
        rows["head_dim"] = channels
    norms = arguments.flag("qk_layernorm")
    return rows | {"qk_norms": replace(norms, value=2 * norms.value)}


def _tables(arguments: Arguments, tp: int) -> Entries:
    """Vocabulary, padded as the program pads it, and positions. Raises JobError."""
    untied = arguments.flag("untie_embeddings_and_output_weights")
    rows: Entries = {"embeddings": replace(untied, value=1 + untied.value)}
    size, padded = arguments.whole("vocab_size"), arguments.whole("padded_vocab_size")
    multiple = arguments.number("make_vocab_size_divisible_by", 128)
    if padded is not None:
        rows["vocab"] = padded
    elif size is not None:
        step = multiple.value * tp
        rows["vocab"] = replace(size, value=-(-size.value // step) * step)
    kind = arguments.text("position_embedding_type", _LEARNED) or "learned_absolute"
    learned = kind == "learned_absolute" and not arguments.on("use_rotary_position_embeddings")
    positions = arguments.whole("max_position_embeddings")
    length = arguments.whole("seq_length")
    if positions is not None and length is not None and positions.value < length.value:
        raise refused(positions, f"at least the {shown(length.value)} tokens of a sequence")
    if positions is not None:
        rows["positions"] = positions if learned else replace(positions, value=Fraction(0))
    return rows


def _norms(arguments: Arguments) -> Entries:
    kind = arguments.text("normalization", ("layernorm", "rmsnorm")) or "layernorm"
    entry = arguments.entry("normalization") or arguments.default("normalization", Fraction(0))
    two = arguments.default("normalization", Fraction(2))
    return {"norm_bias": replace(entry, value=Fraction(int(kind == "layernorm"))), "norms": two}


def _experts(arguments: Arguments, model: Entries, rest: Entries) -> Entries:
    """Experts, if there are any. Raises JobError."""
    experts = arguments.whole("num_experts", least=0)
    width = arguments.whole("moe_ffn_hidden_size") or rest.get("d_ff")
    shared = arguments.whole("moe_shared_expert_intermediate_size", least=0)
    top = arguments.number("moe_router_topk", 2)
    gate, bias = arguments.flag("moe_shared_expert_gate"), arguments.flag("moe_router_enable_expert_bias")
    freq = arguments.entry("moe_layer_freq")
    if experts is None or not experts.value:
        return {}
    rows: Entries = {"experts": experts, "active_experts": top, "router_bias": bias, "shared_gate": gate}
    if width is not None:
        rows["d_expert"] = width
        if shared is not None and shared.value % width.value:
            raise refused(shared, f"a multiple of an expert's width {shown(width.value)}")
        if shared is not None:
            rows["shared_experts"] = replace(shared, value=shared.value / width.value)
    if "blocks" in model:
        rows |= _moe_blocks(arguments, freq, int(model["blocks"].value))
    return rows


def _moe_blocks(arguments: Arguments, freq: Entry | None, blocks: int) -> Entries:
    """Blocks with experts: every N-th from the first on, or a list such as `([0]*3+[1]*58)`."""
    if freq is None:
        default = arguments.default("moe_layer_freq", Fraction(blocks))
        return {"moe_blocks": default, "moe_from": replace(default, value=Fraction(0))}
    if isinstance(freq.value, int) and not isinstance(freq.value, bool) and freq.value > 0:
        return _placed(freq, -(-blocks // freq.value), 0, freq.value)
    listed = freq.value if isinstance(freq.value, list) else _listed(str(freq.value))
    if listed is None or len(listed) != blocks or not all(n in (0, 1) for n in listed):
        raise refused(freq, f"a number, or a list of {blocks} times 0 or 1 such as ([0]*3+[1]*58)")
    places = [place for place, experts in enumerate(listed) if experts]
    first, period = (*places, 0)[0], max(1, places[1] - places[0]) if len(places) > 1 else blocks
    if places and places != list(range(first, blocks, period)):
        return {"moe_blocks": replace(freq, value=Fraction(len(places)))}
    return _placed(freq, len(places), first, period)


def _placed(freq: Entry, blocks: int, first: int, period: int) -> Entries:
    found = {"moe_blocks": blocks, "moe_from": first, "moe_gap": period}
    return {key: replace(freq, value=Fraction(number)) for key, number in found.items()}


def _listed(text: str) -> list[int] | None:
    """A sum of lists of 0 and 1, each perhaps times a number."""
    bare = text.replace(" ", "")[:2000]
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1]
    found: list[int] = []
    for part in bare.split("+"):
        if not _PATTERN.fullmatch(part) or len(found) > 10_000:
            return None
        inner, _, times = part.partition("*")
        found += [int(n) for n in inner.strip("()[]").split(",")] * int(times or 1)
    return found
