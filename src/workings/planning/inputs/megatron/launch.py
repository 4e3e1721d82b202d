"""Megatron-LM's arguments as a launch of ours, with its own defaults and checks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import Entries, Entry, Reader, refused, share, shown
from workings.planning.inputs.megatron.arguments import Arguments, arguments_of, note_rest
from workings.planning.inputs.megatron.checks import check
from workings.planning.inputs.megatron.ignored import IGNORED
from workings.planning.inputs.megatron.model import megatron_model
from workings.planning.inputs.megatron.on_host import on_host
from workings.planning.inputs.megatron.precision import by_transformer_engine, products, widths
from workings.planning.inputs.megatron.recomputed import recomputed
from workings.planning.inputs.products import Products
from workings.planning.inputs.reasons import ADAMS

_DEGREES = {
    "tp": "tensor_model_parallel_size",
    "pp": "pipeline_model_parallel_size",
    "cp": "context_parallel_size",
    "ep": "expert_model_parallel_size",
}
_SHARDING = {"no_shard": 0, "optim": 1, "optim_grads": 2, "optim_grads_params": 3}


def megatron_launch(
    reader: Reader, text: str
) -> tuple[Entries, Entries, Entry | None, Entries, Products]:
    """Keys of [launch] and of [model], devices, what is hidden behind compute, and how FP32 multiplies.

    Raises JobError for what contradicts or cannot be read.
    """
    arguments = arguments_of(reader, text)
    keys = _plain(arguments)
    check(arguments)
    model = megatron_model(arguments, int(keys["tp"].value))
    _virtual(arguments, keys, model)
    keys["recompute"] = recomputed(arguments, keys, model)
    _sharding(arguments, keys)
    _dispatch(arguments, keys)
    if (away := on_host(arguments, model)) is not None:
        keys["offload_activations"] = away
    _length(arguments, keys)
    keys |= widths(arguments)
    half = bool(keys["working_width"].value)
    keys["flash_attention"] = _flash(arguments, half)
    devices, hidden = _devices(arguments), _hidden(arguments)
    if (optimizer := arguments.given.get("optimizer")) and str(optimizer.value).lower() in ADAMS:
        arguments.used.add("optimizer")
    note_rest(arguments, IGNORED)
    return keys, model, devices, hidden, products(arguments)


def _plain(arguments: Arguments) -> Entries:
    """Arguments that are keys of ours under another name. Raises JobError."""
    keys = {key: arguments.number(name, 1) for key, name in _DEGREES.items()}
    keys |= _optional(arguments, etp="expert_tensor_parallel_size", dp="data_parallel_size",
                      batch="global_batch_size", sequence_length="seq_length",
                      microbatches="num_microbatches", microbatch="micro_batch_size")  # fmt: skip
    if (
        not {"batch", "microbatches"} & keys.keys()
        and "microbatch" in keys
        and arguments.style == "shell"
    ):
        keys["microbatches"] = arguments.default("global_batch_size", Fraction(1))  # one micro-batch each
    stages_first = arguments.flag("use_tp_pp_dp_mapping")
    keys["order"] = replace(stages_first, value=1 - Fraction(stages_first.value))
    return {**keys, "sequence_parallel": arguments.flag("sequence_parallel")}


def _optional(arguments: Arguments, **names: str) -> Entries:
    found = {key: arguments.whole(name) for key, name in names.items()}
    return {key: entry for key, entry in found.items() if entry is not None}


def _virtual(arguments: Arguments, keys: Entries, model: Entries) -> None:
    """Model chunks a rank holds, from one of three arguments. Raises JobError."""
    per_chunk = arguments.whole("num_layers_per_virtual_pipeline_stage")
    both = ("num_virtual_stages_per_pipeline_rank", "virtual_pipeline_model_parallel_size")
    direct = [entry for entry in (arguments.whole(name) for name in both) if entry is not None]
    given = ([per_chunk] if per_chunk else []) + direct
    if len(given) > 1:
        raise refused(given[1], f"no {given[0].key} beside it")
    keys["virtual_stages"] = direct[0] if direct else arguments.default("virtual_stages", Fraction(1))
    if per_chunk is None:
        return
    if "blocks" not in model:
        raise arguments.wrong("num_layers", None, f"the layers that {per_chunk.key} divides")
    layers, stages = model["blocks"].value, keys["pp"].value
    layers += sum(arguments.on(name) for name in ("account_for_embedding_in_pipeline_split",
                                                  "account_for_loss_in_pipeline_split"))  # fmt: skip
    chunks = layers / stages / per_chunk.value
    if chunks.denominator != 1:
        raise refused(per_chunk, f"a divisor of the {shown(layers / stages)} layers of a stage")
    keys["virtual_stages"] = replace(per_chunk, value=chunks)


def _sharding(arguments: Arguments, keys: Entries) -> None:
    """ZeRO's stage: the distributed optimizer's, or that of FSDP. Raises JobError."""
    strategy = arguments.text("data_parallel_sharding_strategy", _SHARDING)
    optimizer = arguments.flag("use_distributed_optimizer")
    zero = optimizer
    if arguments.on("use_torch_fsdp2"):
        stays = arguments.on("torch_fsdp2_no_reshard_after_forward")
        zero = replace(arguments.flag("use_torch_fsdp2"), value=Fraction(2 if stays else 3))
    elif arguments.on("use_megatron_fsdp"):
        fsdp = arguments.entry("data_parallel_sharding_strategy") or arguments.flag("use_megatron_fsdp")
        zero = replace(fsdp, value=Fraction(_SHARDING[strategy or "no_shard"]))
    keys["zero"] = zero
    copies = arguments.whole("num_distributed_optimizer_instances")
    if copies is not None:
        keys["replicas"] = copies
    _offloading(arguments, keys)


def _dispatch(arguments: Arguments, keys: Entries) -> None:
    """DeepEP and HybridEP send a token once to each node, to few nodes where routing is limited."""
    once = arguments.flag("moe_enable_deepep")
    backend = arguments.given.get("moe_token_dispatcher_type")
    if backend is not None and str(backend.value).lower() == "flex":
        once = replace(backend, value=Fraction(1))
        arguments.used.add("moe_token_dispatcher_type")
    if not once.value:
        return
    nodes = arguments.whole("moe_router_group_topk") or arguments.number("moe_router_topk", 2)
    keys["token_nodes"] = replace(nodes, source=f"{nodes.source}; {once.key}")


def _offloading(arguments: Arguments, keys: Entries) -> None:
    """The part of the optimizer that lies with the host. Raises JobError."""
    part = arguments.entry("optimizer_offload_fraction")
    if arguments.on("optimizer_cpu_offload"):
        all_of_it = replace(arguments.flag("optimizer_cpu_offload"), value=Fraction(1))
        keys["offload_optimizer"] = all_of_it if part is None else replace(part, value=share(part))
    elif part is not None:  # as a dump of all arguments has it
        switch = arguments.spelled("optimizer_cpu_offload")
        arguments.reader.note("ignored", part.key, f"nothing is off-loaded without {switch}")


def _flash(arguments: Arguments, half: bool) -> Entry:
    """Whether attention keeps no scores. Raises JobError."""
    backend = arguments.text("attention_backend", ("flash", "fused", "unfused", "local", "auto"))
    entry = arguments.entry("attention_backend")
    if entry is not None:
        entry = replace(entry, value=Fraction(int(backend in ("flash", "fused", "auto"))))
    elif arguments.on("use_flash_attn"):
        entry = arguments.flag("use_flash_attn")
    else:
        entry = arguments.default("attention_backend", Fraction(int(by_transformer_engine(arguments))))
    return entry if half or not entry.value else _scores_kept(arguments, entry)


def _scores_kept(arguments: Arguments, entry: Entry) -> Entry:
    """Without a fused attention, which Transformer Engine leaves out for what is neither BF16 nor FP16.

    (dot_product_attention/utils.py, get_attention_backend)
    """
    text = "attention keeps its scores: all is in FP32, which FlashAttention does not take"
    arguments.reader.note("taken", entry.key, text)
    arguments.defaults.pop("attention_backend", None)
    return replace(entry, value=Fraction(0))


def _devices(arguments: Arguments) -> Entry | None:
    """The world: torchrun's nodes times processes, or what a configuration says. Raises JobError."""
    world, nodes = arguments.whole("world_size"), arguments.entry("num_nodes")
    each = arguments.entry("devices_per_node")
    if (
        nodes is None
        or each is None
        or not isinstance(nodes.value, int)
        or not isinstance(each.value, int)
    ):
        return world
    nodes, each = arguments.number("num_nodes", 1), arguments.number("devices_per_node", 1)
    product = replace(each, value=nodes.value * each.value, key=f"{nodes.key} × {each.key}")
    if world is not None and world.value != product.value:
        raise refused(world, f"{product.key} = {shown(product.value)}")
    return product


def _length(arguments: Arguments, keys: Entries) -> None:
    """How long the run is, in steps or samples. Raises JobError."""
    steps, samples = arguments.whole("train_iters"), arguments.whole("train_samples")
    if steps is not None and samples is not None:
        raise refused(samples, f"no {steps.key} beside it")
    if steps is not None:
        keys["steps"] = steps
    if samples is not None and "sequence_length" in keys:
        keys["training_tokens"] = replace(samples, value=samples.value * keys["sequence_length"].value)


def _hidden(arguments: Arguments) -> Entries:
    """Shares of traffic that nothing hides, because the program does not overlap them."""
    hidden: Entries = {}
    for name, argument in (("tp_hidden", "tp_comm_overlap"), ("dp_hidden", "overlap_grad_reduce"),
                           ("ep_hidden", "overlap_moe_expert_parallel_comm")):  # fmt: skip
        entry = arguments.flag(argument)
        if not entry.value:
            source = f"{arguments.reader.file}: no {arguments.spelled(argument)}"
            hidden[name] = replace(entry, kind="follows", source=source)
    if arguments.on("no_overlap_p2p_communication"):
        hidden["pp_hidden"] = replace(arguments.flag("no_overlap_p2p_communication"), value=Fraction(0))
    arguments.flag("overlap_param_gather")
    return hidden
