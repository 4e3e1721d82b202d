"""Activations that Megatron-LM moves to the host: of so many layers, or the inputs of modules."""

from __future__ import annotations

from dataclasses import replace

from workings.planning.inputs.given import Entries, Entry
from workings.planning.inputs.kept import NAMES
from workings.planning.inputs.megatron.arguments import Arguments

# `offload_modules` of its TransformerConfig name modules whose input goes; of `qkv_linear` that is what
# one of two norms gives, and a fused product's and other mixers' inputs are no values of ours.
_INPUTS = {
    "attn_norm": ("input",), "core_attn": ("query", "key", "value"), "attn_proj": ("context",),
    "mlp_norm": ("middle",), "expert_fc1": ("tokens",), "moe_act": ("hidden",),
}  # fmt: skip


def on_host(arguments: Arguments, model: Entries) -> Entry | None:
    """A share of the layers, or values by name; None where all stays. Raises JobError."""
    layers = arguments.whole("cpu_offloading_num_layers", 0)
    modules = arguments.entry("offload_modules")
    fine = arguments.on("fine_grained_activation_offloading")
    if layers is not None and layers.value and fine:
        raise arguments.wrong("fine_grained_activation_offloading", True, "none beside cpu-offloading")
    if modules is not None and not fine:
        switch = arguments.spelled("fine_grained_activation_offloading")
        arguments.reader.note("ignored", modules.key, f"nothing is off-loaded without {switch}")
    if layers is not None and layers.value:
        return _of_layers(arguments, layers, model)
    return _of_modules(arguments, modules) if fine and modules is not None else None


def _of_layers(arguments: Arguments, layers: Entry, model: Entries) -> Entry | None:
    """The first layers, all that they keep. Raises JobError."""
    if "blocks" not in model:
        text = "no activations are off-loaded: the layers of the model are not said beside it"
        arguments.reader.note("ignored", layers.key, text)
        return None
    if layers.value >= model["blocks"].value:
        raise arguments.wrong("cpu_offloading_num_layers", int(layers.value), "fewer than all layers")
    return replace(layers, value=layers.value / model["blocks"].value)


def _of_modules(arguments: Arguments, entry: Entry) -> Entry | None:
    """The inputs of modules; those that are no value of ours are named one by one."""
    named = [str(module) for module in arguments.several("offload_modules") or ()]
    for module in named:
        if module not in _INPUTS:
            text = f"the input of {module} counts as held on the device"
            arguments.reader.note("ignored", f"{entry.key} {module}", text)
    found = {value for module in named for value in _INPUTS.get(module, ())}
    return replace(entry, value=tuple(name for name in NAMES if name in found)) if found else None
