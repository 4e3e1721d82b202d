"""What Megatron-LM computes again, from its arguments (TransformerConfig, `recompute_...`)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import Entries, Entry, refused
from workings.planning.inputs.megatron.arguments import Arguments
from workings.planning.inputs.megatron.names import MODULES
from workings.planning.recomputed import MODULES as FOLLOWED
from workings.planning.recomputed import plain


def recomputed(arguments: Arguments, keys: Entries, model: Entries) -> Entry:
    """Nothing, modules, some of the blocks, or all of them. Raises JobError."""
    kind = arguments.text("recompute_granularity", ("none", "null", "full", "selective"))
    entry = arguments.entry("recompute_granularity")
    method = arguments.text("recompute_method", ("uniform", "block", "none", "null"))
    if kind is None and arguments.on("recompute_activations"):
        kind, entry = "selective", arguments.entry("recompute_activations")
    if kind is None and method in ("uniform", "block"):  # before 2022 the method alone meant all of it
        kind, entry = "full", arguments.entry("recompute_method")
    said = "none" if kind in (None, "null") else kind
    more = arguments.on("moe_layer_recompute")  # of before 2025: `moe` among the modules
    if more and said == "full":
        raise arguments.wrong("moe_layer_recompute", True, "none beside full recomputation")
    if said == "selective" or more:
        said = _modules(arguments, more=more, said=said)
        named = arguments.entry("recompute_modules")
        entry = named or entry or arguments.entry("moe_layer_recompute")
    if said == "full" and method == "block":
        said = _some_blocks(arguments, keys, model)
    elif said == "full":
        _in_units(arguments)
    entry = entry or arguments.default("recompute_granularity", Fraction(0))
    return replace(entry, value=said)


def _modules(arguments: Arguments, *, more: bool, said: str) -> str:
    """The modules computed again, in whatever order they stand. Raises JobError.

    Those that cannot be followed are named one by one.
    """
    modules, entry = arguments.several("recompute_modules"), arguments.entry("recompute_modules")
    found = ["moe"] if more else []
    if modules is None or entry is None:
        return plain([*found, *(["core_attn"] if said == "selective" else [])])
    for module in modules:
        if module not in MODULES:
            raise refused(replace(entry, value=module), f"modules, each one of {', '.join(MODULES)}")
        if module not in FOLLOWED:
            text = f"{module} is not computed again in this model: what it saves counts as kept"
            arguments.reader.note("ignored", f"{entry.key} {module}", text)
    found += [module for module in modules if module in FOLLOWED]
    return plain(found) if found else "none"


def _some_blocks(arguments: Arguments, keys: Entries, model: Entries) -> str:
    """So many blocks of every chunk, which is the whole stage where a rank holds one. Raises JobError."""
    number = arguments.whole("recompute_num_layers")
    if number is None:
        return "full"
    blocks = number.value * keys["pp"].value * keys["virtual_stages"].value
    if "blocks" in model and blocks >= model["blocks"].value:
        return "full"
    return f"layers {int(blocks)}"


def _in_units(arguments: Arguments) -> None:
    """`uniform` keeps the input of a unit of so many blocks; each is one here. Raises JobError."""
    number = arguments.whole("recompute_num_layers")
    if number is not None and number.value > 1:
        text = "every block is computed again by itself: units of several keep fewer inputs"
        arguments.reader.note("ignored", number.key, text)
