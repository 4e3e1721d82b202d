"""Products and passes over memory of a block, kernel by kernel, forward and backward."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import pytest
from awkward import LATENT, LATENT_KEYS, Letter, Values, awkward, blocks, own_tokens, parts_gathered
from looping import each


@dataclass
class Work:
    """FLOPs of products, the bytes of parameters they read, and the bytes other kernels touch."""

    flops: Fraction = Fraction(0)
    parameters: Fraction = Fraction(0)
    touched: Fraction = Fraction(0)


def multiply_add(tokens: Fraction, weights: int) -> Fraction:
    """Every token meets every weight: a multiplication and an addition."""
    return sum((tokens * weights for _ in ("multiplication", "addition")), Fraction(0))


def matrices(v: Values) -> Work:
    """Products of a rank outside routed experts, in the mean over the model's blocks."""
    work = Work()
    for tensor in (one for tensors in blocks(v) for one in tensors if not one.routed):
        work.parameters += tensor.on_a_rank(v["t"])
        if tensor.matrix:  # with sequence parallelism a rank has a part of the tokens before the split
            every = tensor.whole and not v["z_s"] and "router" not in tensor.name  # which scores its own
            tokens = v["T_r"] if every else v["T_r"] / v["t"]
            work.flops += multiply_add(tokens, tensor.values)
    return Work(work.flops / v["L"], work.parameters / v["L"])


def experts(v: Values) -> Work:
    """The same of routed experts on the busiest rank: as many copies of tokens as experts they visit."""
    work = Work()
    for tensors in blocks(v):
        routed = [one for one in tensors if one.routed]
        work.parameters += sum((one.values for one in routed), Fraction(0)) / (v["t_e"] * v["e"])
        one_expert = routed[: int(v["n_f"])]
        for tensor in one_expert:
            for _ in range(int(v["k_E"])):
                work.flops += multiply_add(v["lambda"] * v["T_r"] / v["t"], tensor.values)
    return Work(work.flops / v["L"], work.parameters / v["L"])


def product_of_attention(v: Values, columns: str) -> Fraction:
    """One product over the columns of keys or of values, of those scores that are computed."""
    heads, keys = v["H"] / v["t"] * v["z_h"], v["kappa"] * v["s"]
    width = {"keys": v["d_n"] + v["d_r"], "values": v["d_v"]}[columns] if v["r_kv"] else v["d_h"]
    return heads * multiply_add(v["T_r"] * keys, int(width))


def elementwise(v: Values) -> Iterator[Fraction]:
    """Bytes that each kernel between products reads or writes in a forward."""
    shared = v["T_r"] * v["D"] * v["a"] / (v["t"] if v["z_s"] else 1)
    for _ in range(int(v["n_n"])):
        yield from [shared, shared]  # a norm reads and writes
    for _ in ("attention", "feed-forward")[1 - int(v["z_h"]) :]:
        yield from [shared, shared, shared]  # a residual is two read, one written
    for latent in (v["r_q"], v["r_kv"]):
        normed = v["T_r"] * latent * v["a"] / (v["t"] if v["z_s"] else 1)
        yield from [normed, normed]
    if v["z_h"]:
        for heads in (v["H"], v["K"]):  # rotary positions, of queries and of keys
            columns = v["d_n"] + v["d_r"] if v["r_kv"] else v["d_h"]
            rotated = v["T_r"] * heads * columns * v["a"] / v["t"]
            yield from [rotated, rotated]
            if v["n_qk"]:
                yield from [rotated, rotated]  # a norm of each head reads and writes
        parted = v["T_r"] * v["H"] * v["d_v"] * v["a"] / v["t"]  # values, from the keys they came up with
        yield from [parted, parted]
    for place in range(int(v["L"])):
        wide = v["F"] if place >= v["L_E"] else v["F_E"] * (v["lambda"] * v["k_E"] + v["E_s"])
        inputs = int(v["n_f"]) - 1
        if v["z_g"]:
            yield from [v["T_r"] / v["t"] * wide * v["a"] / v["L"]] * (inputs + 1)


def sorting(v: Values) -> Iterator[Fraction]:
    """Bytes that each kernel which puts tokens in another order reads or writes, there and back."""
    vector = v["D"] * v["a"] * v["L_E"] / v["L"]
    mine = own_tokens(v) * vector
    copies = [mine for _ in range(int(v["k_E"]))]
    yield from [mine, *copies]  # read once, written for each of its experts
    if len(range(0, int(v["E"]), int(v["e"]))) > 1:  # experts of a rank
        arrived = v["lambda"] * sum(copies) * parts_gathered(v)
        yield from [arrived, arrived]  # by rank as they came, by expert as they are multiplied
        yield from [arrived, arrived]  # and by rank again
    yield from [*copies, mine]  # summed to one answer


def passes_over_scores(v: Values) -> Fraction:
    """A kernel of mask and softmax reads and writes scores of 16 bits; dropout too, and writes a mask."""
    if v["z_a"] or not v["z_h"]:
        return Fraction(0)
    bytes_a_score = {"scores read": 2, "shares": 2, "read": 2, "dropped out": 2, "mask": 1}
    return v["T_r"] * v["H"] * v["s"] / v["t"] * sum(bytes_a_score.values())


CHANGES: list[Mapping[str, Letter]] = [
    {}, {"z_a": 0}, {"z_s": 0, "L_E": 0}, {"n_f": 2, "L_E": 14, "z_a": 0}, {"z_g": 0, "n_f": 2, "L_E": 0},
    {"W_m": 10**12}, {"W_m": 10**5}, {"t": 1, "t_e": 1, "n": 48, "z_s": 0, "e": 4}, {"kappa": 1},
    {"z_h": 0}, LATENT, {**LATENT_KEYS, "z_s": 0, "z_a": 0}, {"e": 8, "L_E": 14}, {"t_e": 1, "E_s": 0},
    {"t_e": 4, "z_s": 0}, {"t": 2, "t_e": 4, "z_s": 0},
]  # fmt: skip
RECOMPUTED: list[Mapping[str, Letter]] = [{"z_c": 0}, {"z_c": 1}, {"z_f": 1}, {"z_f": 1, "z_c": 1}]


def slower(v: Values, flops: Fraction, moved: Fraction) -> Fraction:
    """A product runs at the pace of what takes longer."""
    return sorted([flops / (v["eta"] * v["C"]), moved / (v["eta_m"] * v["W_m"])])[-1]


@pytest.mark.parametrize("changed", CHANGES)
def test_a_forward_is_its_kernels(changed: Mapping[str, Letter]) -> None:
    v = awkward(**changed)
    dense, routed = matrices(v), experts(v)
    assert v["f_lin"] == dense.flops
    assert v["f_exp"] == routed.flops
    assert v["T_lin"] == slower(v, dense.flops, v["w"] * dense.parameters)
    assert v["T_exp"] == slower(v, routed.flops, v["w"] * routed.parameters)
    core = [product_of_attention(v, columns) for columns in ("keys", "values")]
    reached = v["eta_a"] if v["z_a"] else v["eta"]
    assert v["f_core"] == sum(core)
    assert v["T_core"] == sum(core) / (reached * v["C"])
    assert v["e_blk"] == sum(elementwise(v))
    assert v["e_exp"] == sum(sorting(v))
    touched = sum([*elementwise(v), *sorting(v), v["e_core"]])
    assert v["T_fwd"] == sum([v["T_lin"], v["T_exp"], v["T_core"], touched / (v["eta_m"] * v["W_m"])])


def gradients_of_weights(v: Values) -> Fraction:
    """Stored gradients are read and written beside a dense product, but after that of an expert."""
    dense, routed = matrices(v), experts(v)
    stored = {"read": v["w_g"], "written": v["w_g"]}
    seconds = slower(v, dense.flops, sum(stored.values()) * dense.parameters)
    for width in stored.values():
        seconds += width * routed.parameters / (v["eta_m"] * v["W_m"])
    return seconds + routed.flops / (v["eta"] * v["C"])


def backward(v: Values) -> Fraction:
    """Gradients of inputs and of weights; FlashAttention forms the scores again from queries and keys.

    Kernels that are no products take, as the model assumes, as long for each of the two gradients as
    in the forward; but those that put tokens in order do it for one gradient, that of the tokens.
    """
    products = {"scores": "keys"} if v["z_a"] else {}
    products |= {"gradient of queries": "keys", "gradient of keys": "keys"}
    products |= {"gradient of shares": "values", "gradient of values": "values"}
    reached = (v["eta_a"] if v["z_a"] else v["eta"]) * v["C"]
    flops = (product_of_attention(v, columns) for columns in products.values())
    seconds = sum(flops, Fraction(0)) / reached
    seconds += v["T_lin"] + v["T_exp"] + gradients_of_weights(v)
    touched = sum(sorting(v))
    for _ in ("inputs", "weights"):
        touched += sum(elementwise(v), v["e_core"])
    return seconds + touched / (v["eta_m"] * v["W_m"])


@each("again", RECOMPUTED)
@each("changed", CHANGES)
def test_a_backward_is_its_kernels_and_those_run_again(
    changed: Mapping[str, Letter], again: Mapping[str, Letter]
) -> None:
    v = awkward(**changed, **again)
    seconds = backward(v)
    if v["z_f"]:
        seconds += v["T_fwd"]
    elif v["z_c"]:
        seconds += v["T_core"] + v["e_core"] / (v["eta_m"] * v["W_m"])
    assert v["T_bwd"] == seconds
    assert v["T_blk"] == v["T_fwd"] + seconds + v["T_link"]


def test_gradients_of_weights_are_added_where_they_are_stored() -> None:
    for changed in ({}, {"W_m": 10**5}, {"w_g": 400}):
        v = awkward(**changed)
        assert v["T_grad"] == gradients_of_weights(v)


@pytest.mark.parametrize("z_h", [0, 1])
@pytest.mark.parametrize("z_a", [0, 1])
def test_scores_in_memory_are_passed_over(z_a: int, z_h: int) -> None:
    v = awkward(z_a=z_a, z_h=z_h)
    assert v["e_core"] == passes_over_scores(v)


def test_the_head_is_three_products_and_four_passes_over_the_logits() -> None:
    v = awkward()
    logits = v["T_r"] * v["V"] / v["t"]
    product = multiply_add(v["T_r"] * v["V"] / v["t"], int(v["D"]))
    products = sum(product for _ in ("forward", "gradient of the input", "gradient of the weight"))
    passes = sum(logits * v["w_l"] for _ in ("product", "loss", "its gradient", "products of that"))
    assert v["T_head"] == products / (v["eta"] * v["C"]) + passes / (v["eta_m"] * v["W_m"])
