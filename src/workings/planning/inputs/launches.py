"""[launch]: layout and training, by keys of its own or from the launch of a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from workings.planning.frameworks import FRAMEWORKS
from workings.planning.inputs.counts import decimal_count, plain_batch, sequence_length
from workings.planning.inputs.files import beside, text_of, toml_of
from workings.planning.inputs.given import (
    Entries,
    Entry,
    Reader,
    agree,
    entries,
    flag,
    one_of,
    only,
    quantity,
    refused,
    share,
    whole,
    words,
)
from workings.planning.inputs.kept import BY_NAMES, away
from workings.planning.inputs.products import Products
from workings.planning.recomputed import UnknownError, plain
from workings.planning.schedules import SCHEDULES
from workings.scenario.order import EXPECTED, order_of, replicas_before_stages
from workings.units import BYTE

DEGREES = ("dp", "tp", "cp", "pp", "ep", "etp", "virtual_stages")
WIDTHS = ("master_width", "gradient_width", "moment_width", "working_width", "activation_width",
          "gather_width", "reduce_width", "logit_width", "dispatch_width")  # fmt: skip
_FROM = ("file", "megatron", "torchtitan")


def _width(entry: Entry) -> Fraction:
    """Bytes of a value: `2 byte`, or a plain number."""
    if isinstance(entry.value, int) and not isinstance(entry.value, bool):
        return whole(entry, 0, 64)
    width = quantity(entry, BYTE, "2 byte", zero=True)
    if width > 64:
        raise refused(entry, "at most 64 byte a value")
    return width


def _batch(entry: Entry) -> object:
    """As given: tokens can be counted only once the length of a sequence is known."""
    return entry.value if isinstance(entry.value, str) else plain_batch(entry)


def _order(entry: Entry) -> Fraction:
    """1 where the order of ranks has replicas before pipeline stages, else 0."""
    order = order_of(words(entry))
    if order is None:
        raise refused(entry, EXPECTED)
    return Fraction(replicas_before_stages(order))


def recomputed(entry: Entry) -> str:
    """What the backward computes again, in one spelling. Raises JobError."""
    try:
        return plain(entry.value)
    except UnknownError as error:
        raise refused(entry, str(error)) from error


_READ: Mapping[str, Callable[[Entry], object]] = {
    **dict.fromkeys((*DEGREES, "replicas", "microbatch", "microbatches", "steps", "loss_parts"), whole),
    "zero": lambda entry: whole(entry, 0, 3),
    "sequence_parallel": flag,
    "recompute": recomputed,
    "flash_attention": flag,
    "order": _order,
    "keep_gradients": flag,
    "fused_operations": flag,
    "reduce_each_microbatch": flag,
    "schedule": lambda entry: one_of(entry, SCHEDULES),
    "token_nodes": lambda entry: whole(entry, 0, 10_000),
    "prefetched_units": lambda entry: whole(entry, 0, 1000),
    "offload_optimizer": share,
    **dict.fromkeys(BY_NAMES, away),
    "batch": _batch,
    "sequence_length": sequence_length,
    "training_tokens": decimal_count,
    **dict.fromkeys(WIDTHS, _width),
}
LAUNCH_KEYS = tuple(_READ)


class Launch(NamedTuple):
    """What a launch says: its keys, and what it says of model, devices and assumptions.

    `products` is how matrices are multiplied where they are in FP32.
    """

    keys: Entries
    model: Entries
    devices: Entry | None
    hidden: Entries
    products: Products = "FP32"
    framework: str = ""


def typed(found: Entries) -> Entries:
    """The keys of [launch], each read as what it is. Raises JobError."""
    return {name: replace(entry, value=_READ[name](entry)) for name, entry in found.items()}


def launch_of(reader: Reader, raw: object, prefix: str = "launch") -> Launch:
    """What [launch] says. Raises JobError."""
    own = entries(reader, prefix, raw)
    only(reader, own, (*LAUNCH_KEYS, *_FROM, "framework"))
    program = own.pop("framework", None)
    named = [key for key in _FROM if key in own]
    if len(named) > 1:
        raise refused(own[named[1]], f"no other launch beside {own[named[0]].key}")
    under = Launch({}, {}, None, {})
    for key in named:
        under = {"file": _file, "megatron": _megatron, "torchtitan": _torchtitan}[key](
            reader, own.pop(key)
        )
    named_one = _framework(program, under.framework) if program else under.framework
    keys = agree(under.keys, typed(own))
    return under._replace(keys={**_of_program(named_one, keys), **keys}, framework=named_one)


def _of_program(name: str, keys: Entries) -> Entries:
    """What a program does of its own accord, where nothing is said of it."""
    if name != "torchtitan":
        return {}
    does = {"keep_gradients": "PyTorch's zero_grad gives gradients back after each step"}
    if "recompute" not in keys or keys["recompute"].value != "compiled operations":
        does["fused_operations"] = "blocks run PyTorch's operations one by one unless they are compiled"
    if "zero" in keys and keys["zero"].value == 3:
        does["working_width"] = (
            "FSDP2 shards the FP32 weights alone, and makes 16 bits of what it gathers"
        )
    return {
        key: Entry(Fraction(0), "follows", f"torchtitan: {why}", "", f"launch.{key}")
        for key, why in does.items()
    }


def _framework(entry: Entry, by_file: str) -> str:
    """The program that is named, which must be that of the launch's file. Raises JobError."""
    if by_file and entry.value != by_file:
        raise refused(entry, f"{by_file}, whose launch is given")
    return one_of(entry, FRAMEWORKS)


def _file(reader: Reader, entry: Entry) -> Launch:
    path = beside(reader, entry)
    raw = toml_of(reader, path)
    inner = raw["launch"] if set(raw) == {"launch"} else raw
    return launch_of(reader.beside(path), inner, "launch" if inner is not raw else "")


def _megatron(reader: Reader, entry: Entry) -> Launch:
    from workings.planning.inputs.megatron.launch import megatron_launch  # noqa: PLC0415 - rarely needed

    path = beside(reader, entry)
    there = reader.beside(path)
    return Launch(*megatron_launch(there, text_of(there, path)), framework="megatron")


def _torchtitan(reader: Reader, entry: Entry) -> Launch:
    from workings.planning.inputs.torchtitan import torchtitan_launch  # noqa: PLC0415 - rarely needed

    path = beside(reader, entry)
    there = reader.beside(path)
    return Launch(*torchtitan_launch(there, toml_of(there, path)), framework="torchtitan")
