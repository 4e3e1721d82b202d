"""What a job may say and the launches that are written out have no words for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction


def unwritten(n: Mapping[str, Fraction]) -> Iterator[tuple[str, str, str]]:
    """What of a job neither Megatron-LM's arguments nor a job of torchtitan can say.

    The letter, what is found, and what is expected.
    """
    schedule = "z_zb" if n["z_zb"] else "z_bi"
    for there, letter, what, expected in (
        (n["x_host"], "x_host", "activations with the host by share", "0"),
        (n["x_8"], "x_8", "values that blocks keep in 8 bits", "0"),
        (n["n_l"] != 1, "n_l", "logits in parts", "1"),
        (n[schedule], schedule, "a schedule other than 1F1B", "1f1b"),
        (not n["z_each"], "z_each", "shared gradients reduced after the last micro-batch alone", "true"),
        (n["w_dsp"] != n["a"] and n["E"], "w_dsp", "tokens sent to experts in another width", "as wide"),
    ):
        if there:
            yield letter, what, expected
