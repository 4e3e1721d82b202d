"""A block with latent attention on one rank, counted matrix by matrix as Megatron-LM computes it.

What brings a token down to its latents lies whole on every rank of a tensor-parallel group; with
sequence parallelism each rank brings down its own share of the tokens and the latents are gathered,
without it every rank brings down all (megatron/core/transformer/multi_latent_attention.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import pytest
from jobs import DEEPSEEK_V3, LLAMA, deepseek_v3, job

from workings import catalogue
from workings.derivation.evaluation import value_of
from workings.formula.interval import rational
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.waterfall import waterfall

Values = Mapping[str, Fraction]
SIZES = {
    **LLAMA, "D": 96, "F": 160, "L": 6, "V": 320, "H": 8, "K": 8, "d_h": 0, "r_q": 20, "r_kv": 12,
    "d_n": 7, "d_r": 6, "d_v": 5, "n": 96, "t": 4, "t_e": 4, "c": 3, "p": 2, "b": 48,
    "b_m": 2, "s": 240, "z_s": 1,
}  # fmt: skip
SHAPES = pytest.mark.parametrize(
    "changed",
    [{}, {"z_s": 0}, {"r_q": 0}, {"r_q": 0, "z_s": 0}, {"t": 1, "t_e": 1, "z_s": 0}, {"t": 8, "t_e": 8}],
)


def at(**changed: int) -> dict[str, Fraction]:
    return exactly(plan(), job("latent", SIZES, changed).values())


@dataclass(frozen=True)
class Matrix:
    """A matrix of attention on one rank, and the tokens that the rank multiplies with it."""

    rows: int
    columns: int
    tokens: Fraction

    @property
    def weights(self) -> int:
        return self.rows * self.columns


def attention_of_a_rank(v: Values) -> list[Matrix]:
    """The matrices that a rank holds: all of those into the latents, its heads of the others."""
    width, tokens, heads = int(v["D"]), v["T_r"], range(int(v["H"]))[:: int(v["t"])]
    own = tokens / v["t"] if v["z_s"] else tokens
    found = [Matrix(width, int(v["r_kv"] + v["d_r"]), own)]
    into_heads = width
    if v["r_q"]:
        found.append(Matrix(width, int(v["r_q"]), own))
        into_heads = int(v["r_q"])
    for _ in heads:
        found.append(Matrix(into_heads, int(v["d_n"] + v["d_r"]), tokens))
        found.append(Matrix(int(v["r_kv"]), int(v["d_n"]), tokens))
        found.append(Matrix(int(v["r_kv"]), int(v["d_v"]), tokens))
        found.append(Matrix(int(v["d_v"]), width, tokens))
    return found


def weights_of_a_rank(v: Values) -> Fraction:
    """A rank's share of a block; it holds all norms."""
    norms = v["r_q"] + v["r_kv"] + 2 * v["D"]
    return sum(matrix.weights for matrix in attention_of_a_rank(v)) + 3 * v["D"] * v["F"] / v["t"] + norms


@SHAPES
def test_a_rank_holds_the_matrices_into_the_latents_whole(changed: dict[str, int]) -> None:
    v = at(**changed)
    assert v["P_blk"] == weights_of_a_rank(v)
    assert v["P_first"] == v["L_first"] * v["P_blk"] + v["D"] * v["V"] / v["t"]
    assert v["P_bd"] == at(**{**changed, "t": 1, "t_e": 1, "z_s": 0})["P_blk"]


@SHAPES
def test_each_matrix_multiplies_the_tokens_it_meets(changed: dict[str, int]) -> None:
    v = at(**changed)
    products = sum(2 * matrix.weights * matrix.tokens for matrix in attention_of_a_rank(v))
    assert v["f_lin"] == products + 2 * 3 * v["D"] * v["F"] * v["T_r"] / v["t"]


@SHAPES
def test_weights_that_lie_whole_are_read_whole(changed: dict[str, int]) -> None:
    v = at(**changed, W_m=10**6)  # so slow that products wait for their weights
    assert v["T_lin"] == weights_of_a_rank(v) * v["w"] / (v["eta_m"] * v["W_m"])
    assert v["T_grad"] == weights_of_a_rank(v) * 2 * v["w_g"] / (v["eta_m"] * v["W_m"])


@SHAPES
def test_what_the_derivatives_need_is_kept(changed: dict[str, int]) -> None:
    v = at(**changed)
    whole = v["T_r"] / v["t"] if v["z_s"] else v["T_r"]
    inputs = 2 * v["D"] + 2 * v["D"]  # of both norms, of attention and of the feed-forward
    brought_down = v["r_q"] + (v["r_kv"] + v["d_r"])
    normed = v["r_q"] + v["r_kv"]
    queries = keys = v["d_n"] + v["d_r"]
    values = output = v["d_v"]
    heads = v["H"] / v["t"]
    feed_forward = 3 * v["F"] / v["t"]
    each = heads * (queries + keys + values + output) + feed_forward
    sums = 4 * heads * v["T_r"]
    assert v["A_kept"] == v["a"] * (whole * (inputs + brought_down + normed) + v["T_r"] * each) + sums


@SHAPES
def test_between_the_products_each_value_is_read_and_written(changed: dict[str, int]) -> None:
    v = at(**changed)
    whole = v["T_r"] / v["t"] if v["z_s"] else v["T_r"]
    norms = [v["D"], v["D"], v["r_q"], v["r_kv"]]
    residuals = [v["D"]] * 3 * 2  # two sums: read twice, written once
    turned = [v["d_n"] + v["d_r"]] * 2  # queries and keys, by their position
    heads = [2 * width for width in (*turned, v["d_v"])]  # and values made contiguous
    gate = 3 * v["F"]  # gate and input read, their product written
    each = (v["H"] * sum(heads) + gate) / v["t"]
    assert v["e_blk"] == v["a"] * (whole * (2 * sum(norms) + sum(residuals)) + v["T_r"] * each)


def passes(v: Values) -> list[Fraction]:
    """Values of a token that each gather or reduction of a block moves; an all-reduce is one of each."""
    latents = v["r_kv"] + v["d_r"] + (v["r_q"] or v["D"])
    wide, sharded = v["D"], bool(v["z_s"])
    moved: list[Fraction] = []
    for taken_in in (latents, wide):  # by attention, by the feed-forward
        for _ in range(1 + int(v["z_f"])):
            moved += [taken_in, wide] if sharded else [wide, wide]  # in and out, or out alone
        moved += [wide, taken_in] if sharded else [taken_in, taken_in]  # and back
        moved += [taken_in] if sharded else []  # gathered again for the weights' gradients
    return moved


@SHAPES
@pytest.mark.parametrize("z_f", [0, 1])
def test_tensor_parallel_ranks_exchange_latents_and_not_inputs(changed: dict[str, int], z_f: int) -> None:
    v = at(**changed, z_f=z_f)
    bytes_of_one = v["T_r"] * v["a"] * (v["t"] - 1) / v["t"]
    assert v["V_t"] == sum(passes(v)) * bytes_of_one


@SHAPES
def test_context_parallel_ranks_exchange_keys_and_values_of_every_head(changed: dict[str, int]) -> None:
    v = at(**changed)
    sent = Fraction(0)
    for _head in range(int(v["H"] / v["t"])):
        for _hop in range(int(v["c"] - 1)):
            values = v["T_r"] * (v["d_n"] + v["d_r"]) + v["T_r"] * v["d_v"]
            sent += values * v["a"] + values * v["a"] + values * v["a"]  # forward, backward, gradients
    assert v["V_c"] == sent


@pytest.mark.parametrize("z_a", [0, 1])
def test_the_core_is_seven_products_in_a_fused_kernel_and_six_outside(z_a: int) -> None:
    v = at(z_a=z_a)
    pairs = v["kappa"] * v["T_r"] * v["s"] * v["H"] / v["t"]
    keys, values = v["d_n"] + v["d_r"], v["d_v"]
    forward = [keys, values]
    backward = [keys, keys, values, values]  # gradients of queries, keys, probabilities and values
    again = [keys] * z_a
    flops = 2 * pairs * sum([*forward, *backward, *again])
    speed = v["C"] * (v["eta_a"] if z_a else v["eta"])
    spent = {span.name: span.seconds for span in waterfall(v)}
    blocks = v["m"] * v["L_last"]
    assert spent["attention's core"] == blocks * flops / speed
    assert "computed again" not in spent  # nothing of the backward is left over


@pytest.mark.parametrize("changed", [{}, {"r_q": 0}])
def test_model_flops_are_those_of_the_catalogue(changed: dict[str, int]) -> None:
    v = exactly(plan(), job("causal", DEEPSEEK_V3, {
        "n": 64, "b": 64, "s": 512, "kappa_u": Fraction(513, 2 * 512), **changed,
    }).values())  # fmt: skip
    what = catalogue.get("mla-moe-training-flops-causal")
    ours = {concept.name: name for name, concept in plan().letters.items()}
    counted = value_of(what, {name: v[ours[c.name]] for name, c in what.letters.items()})
    assert v["Phi_s"] == rational(counted)


def test_deepseek_v3_has_the_parameters_its_documentation_counts() -> None:
    v = exactly(plan(), deepseek_v3(t=2, t_e=1, z_s=1).values())
    table = v["V"] * v["D"]
    assert v["L"] * (v["P_bd"] + v["P_be"]) + 2 * table + v["D"] == 671_026_419_200
    active = v["L"] * (v["P_bd"] + v["P_be"] * v["k_E"] / v["E"]) + table + v["D"]
    assert f"{float(active):.3g}" == "3.66e+10"  # README_WEIGHTS.md: 36.6B, the head among them
    held = v["P_first"] + 14 * v["P_mid"] + v["P_last"]
    latents = v["D"] * (v["r_q"] + v["r_kv"] + v["d_r"]) + v["r_q"] + v["r_kv"]
    routers = v["L_E"] * v["E"] * (v["D"] + 1)
    copies = v["L"] * (latents + 2 * v["D"]) + routers + v["D"]  # once more on the second rank
    assert 2 * held == v["L"] * v["P_bd"] + copies + 2 * table + v["D"]
