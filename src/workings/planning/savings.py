"""What a step would save without one of its parts: the plan worked anew as if that part took nothing.

A part's share of a step does not say this: what hides behind it comes to light when it goes, and the
bubble of a pipeline shrinks with the work of a stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.exact import exactly
from workings.planning.letters import LETTERS, PARTS
from workings.planning.statement import Plan

# The letters that are 0 without a part of a step, by its name in the waterfall.
WITHOUT: Mapping[str, tuple[str, ...]] = {
    "norms, activations": ("e_blk", "e_exp", "e_core"),
    "computed again": ("z_f", "z_c", *PARTS),
    "gaps between kernels": ("T_rest",),
    "tensor parallelism": ("T_t",),
    "context parallelism": ("V_c",),
    "expert parallelism": ("T_ea", "T_et"),
    "activations to the host": ("x_host",),
    "bubble": ("T_idle",),
    "pipeline sends": ("T_send",),
    "data parallelism": ("T_sync",),
    "optimizer": ("T_opt",),
}


def without(plan: Plan, values: Mapping[str, Fraction], part: str) -> dict[str, Fraction]:
    """The values of a step that does not have this part, at the letters given in `values`."""
    given = {letter: values[letter] for letter in LETTERS}
    return exactly(plan, given | dict.fromkeys(WITHOUT[part], Fraction(0)), ["T_step"])
