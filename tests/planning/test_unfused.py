"""What PyTorch keeps of a block that it runs operation by operation, counted on its graph."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from awkward import LATENT, Letter, awkward

Values = Mapping[str, Fraction]


class Graph:
    """Tensors by number with their bytes, and those that some operation keeps for its backward."""

    def __init__(self) -> None:
        self.sizes: list[Fraction] = []
        self.kept: set[int] = set()

    def made(self, values: Fraction, width: Fraction | int, *kept: int) -> int:
        """An operation's output; `kept` are the tensors that its backward needs."""
        self.sizes.append(values * width)
        self.kept.update(kept)
        return len(self.sizes) - 1

    @property
    def bytes(self) -> Fraction:
        return sum((self.sizes[one] for one in self.kept), Fraction(0))


def norm(graph: Graph, values: Fraction, width: Fraction) -> int:
    """`(x.float() * rstd).type_as(x) * weight`, the next operation's input, but for a number a token."""
    source = graph.made(values, width)  # a sum's output: no derivative needs it
    single = graph.made(values, 4)
    scaled = graph.made(values, 4, single)
    half = graph.made(values, width)
    del source, scaled
    return graph.made(values, width, half)


def feed_forward(graph: Graph, tokens: Fraction, v: Values, width: str, came: int) -> int:
    """`w2(silu(w1(x)) * w3(x))`."""
    a, columns = v["a"], tokens * v[width]
    gate, up = graph.made(columns, a, came), graph.made(columns, a, came)
    active = graph.made(columns, a, gate)
    product = graph.made(columns, a, active, up)
    return graph.made(tokens * v["D"], a, product)


def attention(graph: Graph, v: Values) -> None:
    """Norms of queries' and keys' heads, FlashAttention of as many keys as there are, its projection."""
    tokens, a = v["T_r"], v["a"]
    came = norm(graph, tokens * v["D"], a)
    heads = (v["H"] * v["d_h"], v["K"] * v["d_h"])
    queries, keys = (_head(graph, tokens * size, a, came, v) for size in heads)
    values = graph.made(tokens * heads[1], a, came)
    out = graph.made(tokens * heads[0], a)
    sums = graph.made(tokens * v["H"], 4)
    graph.kept.update((queries, keys, values, out, sums))


def _head(graph: Graph, values: Fraction, width: Fraction, came: int, v: Values) -> int:
    plain = graph.made(values, width, came)
    return norm(graph, values, width) if v["n_qk"] else plain


ONE = {"t": 1, "t_e": 1, "z_s": 0, "n": 48, "beta_n": 0, "n_n": 2, "n_f": 3, "z_u": 0}
CASES: list[dict[str, Letter]] = [{}, {"n_qk": 0}, {"K": 8}]


@pytest.mark.parametrize("changed", CASES)
def test_a_block_keeps_what_its_graph_keeps(changed: dict[str, Letter]) -> None:
    v, graph = awkward(**{**ONE, **changed}), Graph()
    attention(graph, v)
    feed_forward(graph, v["T_r"], v, "F", norm(graph, v["T_r"] * v["D"], v["a"]))
    assert v["A_whole"] == graph.bytes


def test_experts_answers_are_weighed_in_32_bits() -> None:
    v, graph = awkward(**ONE, E_s=0), Graph()
    attention(graph, v)
    came = norm(graph, v["T_r"] * v["D"], v["a"])
    copies = v["T_r"] * v["k_E"] * v["lambda"]
    graph.kept.update((came, graph.made(v["T_r"] * v["E"], 4)))  # the router's probabilities
    answers = feed_forward(graph, copies, v, "F_E", graph.made(copies * v["D"], v["a"]))
    weights = graph.made(copies, 4)
    graph.kept.update((graph.made(copies * v["D"], 4), weights))  # of the product in FP32
    assert answers not in graph.kept
    assert v["A_whole_x"] == graph.bytes


def test_fused_norms_with_a_bias_or_without_activation_keep_nothing_besides() -> None:
    fused, apart = (awkward(n_f=2, z_g=0, L_E=0, z_u=z_u) for z_u in (1, 0))
    assert fused["beta_n"] == 1
    assert fused["A_whole"] == apart["A_whole"]


@pytest.mark.parametrize("latent", [{}, LATENT])
def test_what_is_computed_again_is_not_kept(latent: dict[str, Letter]) -> None:
    """Norms and activations computed again keep of unfused blocks what they keep of fused ones."""
    again = {"r_nrm": 1, "r_act": 1, "r_xact": 1, "beta_n": 0, **latent}
    fused, apart = (awkward(z_u=z_u, **again) for z_u in (1, 0))
    assert fused["A_kept"] == apart["A_kept"]
    assert fused["A_kept_x"] == apart["A_kept_x"]
    assert fused["A_again"] < apart["A_again"]
