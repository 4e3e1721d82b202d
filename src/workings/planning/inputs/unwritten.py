"""What a job may say and the launches that are written out have no words for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction


def unwritten(n: Mapping[str, Fraction]) -> Iterator[str]:
    """What of a job neither Megatron-LM's arguments nor a job of torchtitan can say."""
    for there, what in (
        (n["x_host"], "activations with the host by share"),
        (n["x_8"], "values that blocks keep in 8 bits"),
        (n["n_l"] != 1, "logits in parts"),
        (n["z_zb"] or n["z_bi"], "a schedule other than 1F1B"),
        (not n["z_each"], "sharded gradients that are reduced after the last micro-batch alone"),
        (n["k_nod"] and n["E"], "tokens that are sent once to each node"),
        (
            n["w_dsp"] != n["a"] and n["E"],
            "tokens sent to experts in another width",
        ),
    ):
        if there:
            yield what
