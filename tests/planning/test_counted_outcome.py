"""What a layout comes to: FLOPs counted matrix by matrix, a run walked step by step."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from awkward import LATENT, LATENT_KEYS, Letter, Values, awkward, blocks

PASSES = ("forward", "gradient of the input", "gradient of the weight")


def model_flops(v: Values) -> Fraction:
    """FLOPs that a step's tokens need: every token meets the matrices and the experts it visits."""
    tokens = v["b"] * v["s"]
    met = Fraction(v["V"] * v["D"])
    for tensors in blocks(v):
        visited = int(v["k_E"] * v["n_f"])
        met += sum(one.values for one in tensors if one.matrix and not one.routed)
        met += sum(one.values for one in [one for one in tensors if one.routed][:visited])
    products = Fraction(0)
    columns = [v["d_n"] + v["d_r"], v["d_v"]] if v["r_kv"] else [v["d_h"], v["d_h"]]
    for width in columns:  # queries with keys, shares with values
        if v["z_h"]:
            products += v["L"] * v["H"] * v["kappa_u"] * v["s"] * width
    return sum((2 * tokens * (met + products) for _ in PASSES), Fraction(0))


CHANGES: list[Mapping[str, Letter]] = [
    {}, {"z_h": 0}, {"L_E": 0}, {"L_E": 14}, {"kappa_u": Fraction(1, 2)}, LATENT, LATENT_KEYS,
]  # fmt: skip


@pytest.mark.parametrize("changed", CHANGES)
def test_model_flops_are_those_of_matrices_and_attention(changed: Mapping[str, Letter]) -> None:
    v = awkward(**changed)
    assert v["Phi_s"] == model_flops(v)
    peak = sum((v["C"] for _ in range(int(v["n"]))), Fraction(0)) * v["T_step"]
    assert v["u"] == model_flops(v) / peak
    assert v["C_u"] == v["C"] * v["u"]


def test_a_run_is_its_steps_until_all_tokens_are_seen_stretched_by_what_is_lost() -> None:
    v = awkward(T_tok=96 * 120 * 1000, gamma=Fraction(7, 8))
    seen = steps = 0
    while seen < v["T_tok"]:
        seen += sum(int(v["s"]) for _ in range(int(v["b"])))
        steps += 1
    working = sum((v["T_step"] for _ in range(steps)), Fraction(0))
    assert v["R_s"] == seen / working
    assert v["T_run"] - working == v["T_run"] / 8
    assert v["c_run"] == sum((v["c_d"] * v["T_run"] for _ in range(int(v["n"]))), Fraction(0))
