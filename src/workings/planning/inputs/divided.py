"""Degrees of a layout that do not divide what they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from workings.planning.inputs.given import Entries, refused, shown

ONE_EACH = ("tp", "cp", "pp", "ep", "virtual_stages", "replicas", "microbatch")  # where nothing is said


def check_shares(keys: Entries, model: Mapping[str, Fraction]) -> None:
    """Degrees that do not divide what they share. Raises JobError."""
    named = (*ONE_EACH, "etp", "dp", "devices", "sequence_length", "order")
    n = {key: keys[key].value for key in named}
    n["within"] = n["cp"] * (n["tp"] if keys["sequence_parallel"].value else 1)
    for bad, key, expected in (*_widths(n, model), *_stages(n, model), *_experts(n, model)):
        if bad:
            raise refused(keys[key], expected)


_Checks: TypeAlias = Iterator[tuple[object, str, str]]


def _widths(n: Mapping[str, Fraction], model: Mapping[str, Fraction]) -> _Checks:
    """Whether it is wrong, which key, and what is expected: widths, heads and sequences."""
    tp, heads, groups, length = n["tp"], model["H"], model["K"], n["sequence_length"]
    yield model["D"] % tp, "tp", f"a divisor of d_model = {shown(model['D'])}"
    yield model["F"] % tp, "tp", f"a divisor of d_ff = {shown(model['F'])}"
    yield heads % tp, "tp", f"a divisor of the {shown(heads)} heads"
    text = f"a divisor or multiple of the {shown(groups)} key and value heads"
    yield groups and groups % tp and tp % groups, "tp", text
    text = f"whole shares of the {shown(length)} tokens, over tp too where sequences are parallel"
    yield length % n["within"], "cp", text
    text = f"at most the {shown(model['n_pos'])} learned positions"
    yield model["n_pos"] and length > model["n_pos"], "sequence_length", text


def _stages(n: Mapping[str, Fraction], model: Mapping[str, Fraction]) -> _Checks:
    """The same of stages: all are as full as another, but for the first and the last."""
    stages, chunks, blocks = n["pp"], n["virtual_stages"], model["L"]
    yield stages > blocks, "pp", f"at most the {shown(blocks)} blocks"
    yield chunks > 1 and stages == 1, "virtual_stages", "1 where there is one stage"
    # The first and the last chunk may hold a table and no block.
    text = f"at most (blocks + 2) / pp = {shown((blocks + 2) // stages)}"
    yield stages * chunks > blocks + 2, "virtual_stages", text
    chunk = -(-blocks // (stages * chunks))
    spare = stages * chunks * chunk - blocks
    text = f"stages that hold equally many of the {shown(blocks)} blocks, but for the first and the last"
    yield -(-spare // 2) > chunk, "pp", text


def _experts(n: Mapping[str, Fraction], model: Mapping[str, Fraction]) -> _Checks:
    """The same of experts and replicas."""
    yield n["ep"] > 1 and not model["E"], "ep", "1: the model has no experts"
    yield model["E"] % n["ep"], "ep", f"a divisor of the {shown(model['E'])} experts"
    text = f"etp × ep × pp to divide the {shown(n['devices'])} devices"
    yield n["devices"] % (n["etp"] * n["ep"] * n["pp"]), "ep", text
    yield model["F_E"] % n["etp"], "etp", f"a divisor of d_expert = {shown(model['F_E'])}"
    # Megatron-LM's parallel_state.py asserts it: a pipeline is one of the dense part and of the experts.
    elsewhere = not n["order"] and n["pp"] > 1 and n["etp"] * n["ep"] != n["tp"] * n["cp"]
    text = f"etp × ep = tp × cp = {shown(n['tp'] * n['cp'])}, as the order of ranks has stages first"
    yield model["E"] and elsewhere, "ep", text
    yield n["dp"] % n["replicas"], "replicas", f"a divisor of dp = {shown(n['dp'])}"
