"""A job of awkward sizes: every feature is on and no two numbers that a formula could confuse are equal.

Its parts are listed here one by one, for tests that count what the cost model computes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from jobs import LLAMA, job

from workings.planning.cost import plan
from workings.planning.exact import exactly

Values = Mapping[str, Fraction]
Letter = int | float | Fraction

MODEL: Mapping[str, Letter] = {
    **LLAMA, "D": 96, "F": 160, "L": 14, "V": 320, "n_pos": 7, "n_n": 4, "n_qk": 2, "beta_n": 1,
    "beta_qkv": 1, "beta_o": 1, "beta_f": 1, "H": 16, "K": 2, "d_h": 20, "E": 8, "k_E": 3, "E_s": 2,
    "F_E": 48, "L_E": 5, "beta_r": 1, "beta_s": 1,
}  # fmt: skip
LAYOUT: Mapping[str, Letter] = {
    "n": 192, "t": 4, "t_e": 2, "c": 3, "p": 4, "v": 2, "e": 2, "b": 96, "b_m": 3, "s": 120, "z_s": 1,
}  # fmt: skip
# Changes that make its attention one with latents, of queries too or of keys and values only.
LATENT: Mapping[str, Letter] = {
    "K": 16, "d_h": 0, "n_qk": 0, "r_q": 24, "r_kv": 10, "d_n": 14, "d_r": 6, "d_v": 22,
}  # fmt: skip
LATENT_KEYS: Mapping[str, Letter] = {**LATENT, "r_q": 0}
# Widths that a plan may not have, but which no formula may take for one another.
WIDTHS: Mapping[str, Letter] = {
    "w_p": 5, "w_g": 7, "w_o": 11, "w_c": 3, "a": 2, "w": 13, "g": 17, "w_l": 19, "w_t": 23, "w_d": 29,
}  # fmt: skip
DEVICE: Mapping[str, Letter] = {
    "C": 31 * 10**9, "W_1": 37 * 10**6, "W_2": 5 * 10**6, "W_3": 10**6, "W_m": 41 * 10**8,
    "alpha_1": Fraction(1, 10**6), "alpha_2": Fraction(7, 10**6), "lambda": Fraction(5, 4),
    "eta_1": Fraction(7, 8), "eta_2": Fraction(9, 11), "T_tok": 10**9, "n_pod": 64,
    "h_t": Fraction(1, 5), "h_p": Fraction(1, 6),
}  # fmt: skip


def awkward(**changed: Letter) -> dict[str, Fraction]:
    """Every letter of the cost model at this job, some of those that it starts from changed."""
    return exactly(plan(), job("awkward", MODEL, LAYOUT, WIDTHS, DEVICE, changed).values())


def flags_of_zero(stage: int) -> dict[str, int]:
    """The switches of a ZeRO stage."""
    return {f"z_{n}": int(stage >= n) for n in (1, 2, 3)}


@dataclass(frozen=True)
class Tensor:
    """Parameters of one name; `matrix` where every token is multiplied with them.

    `whole` on every rank of a tensor-parallel group, or `routed` tokens go there only. Where a group has
    more ranks than `parts`, several hold each.
    """

    name: str
    values: int
    matrix: bool = False
    routed: bool = False
    whole: bool = False
    parts: int = 0

    def on_a_rank(self, ranks: Fraction) -> Fraction:
        """Its values on one rank of a group."""
        return Fraction(self.values) / (1 if self.whole else min(ranks, self.parts or ranks))


def attention(v: Values) -> list[Tensor]:
    """The matrices of attention and their biases; none where blocks have no attention."""
    if not v["z_h"]:
        return []
    if v["r_kv"]:
        return latent_attention(v)
    wide, narrow, width = int(v["H"] * v["d_h"]), int(v["K"] * v["d_h"]), int(v["D"])
    into = [("queries", wide, 0), ("keys", narrow, int(v["K"])), ("values", narrow, int(v["K"]))]
    found = [Tensor(name, width * columns, matrix=True, parts=parts) for name, columns, parts in into]
    found += [Tensor(f"bias of {name}", columns, parts=n) for name, columns, n in into if v["beta_qkv"]]
    found.append(Tensor("projection", wide * width, matrix=True))
    return found + [Tensor("bias of projection", width, whole=True)] * int(v["beta_o"])


def latent_attention(v: Values) -> list[Tensor]:
    """Queries, and keys with values, come up from normed latents; the ways down are not split."""
    width, queries = int(v["D"]), int(v["H"] * (v["d_n"] + v["d_r"]))
    keys_values, out = int(v["H"] * (v["d_n"] + v["d_v"])), int(v["H"] * v["d_v"])
    r_q, r_kv = int(v["r_q"]), int(v["r_kv"])
    found = [Tensor("queries", (r_q or width) * queries, matrix=True)]
    if r_q:
        found.append(Tensor("down to the queries' latent", width * r_q, matrix=True, whole=True))
        found.append(Tensor("its gain", r_q, whole=True))
    down = width * (r_kv + int(v["d_r"]))
    found.append(Tensor("down to keys' and values'", down, matrix=True, whole=True))
    found.append(Tensor("its gain", r_kv, whole=True))
    found.append(Tensor("keys and values", r_kv * keys_values, matrix=True))
    found.append(Tensor("projection", out * width, matrix=True))
    return found + [Tensor("bias of projection", width, whole=True)] * int(v["beta_o"])


def feed_forward(v: Values, hidden: int, biases: bool, routed: bool = False) -> list[Tensor]:
    """The matrices into a hidden layer and the one out of it."""
    width, found = int(v["D"]), []
    for _ in range(int(v["n_f"]) - 1):
        found.append(Tensor("into the hidden layer", width * hidden, matrix=True, routed=routed))
        found += [Tensor("bias", hidden)] * biases
    found.append(Tensor("out of it", hidden * width, matrix=True, routed=routed))
    return found + [Tensor("bias", width, whole=True)] * biases


def block(v: Values, experts: bool) -> list[Tensor]:
    """Every tensor of one block."""
    width = int(v["D"])
    found = attention(v)
    for size, norms in ((width, v["n_n"]), (int(v["d_h"]), v["n_qk"])):
        for _ in range(int(norms)):
            found.append(Tensor("gain", size, whole=True))
            found += [Tensor("shift", size, whole=True)] * int(v["beta_n"])
    if not experts:
        return found + feed_forward(v, int(v["F"]), bool(v["beta_f"]))
    for _ in range(int(v["E"])):
        found.append(Tensor("column of the router", width, matrix=True, whole=True))
        found += [Tensor("bias of the router", 1, whole=True)] * int(v["beta_r"])
        found += feed_forward(v, int(v["F_E"]), biases=False, routed=True)
    for _ in range(int(v["E_s"])):
        found += feed_forward(v, int(v["F_E"]), biases=False)
    return found + [Tensor("gate of the shared experts", width, whole=True)] * int(v["beta_s"])


def blocks(v: Values) -> list[list[Tensor]]:
    """All blocks of the model, those with experts last."""
    return [block(v, experts=place >= v["L"] - v["L_E"]) for place in range(int(v["L"]))]


def own_tokens(v: Values) -> Fraction:
    """Tokens that a rank sends to experts: its part of the sequence, or all that its group has."""
    return v["T_r"] / (v["t"] if v["z_s"] else 1)


def parts_gathered(v: Values) -> int:
    """Ranks that split an expert, but for those that have the same tokens: theirs come together."""
    return len({rank if v["z_s"] else rank // int(v["t"]) for rank in range(int(v["t_e"]))})


def deal_blocks(blocks: int, stages: int, chunks: int) -> list[int]:
    """Blocks on each stage: equal chunks, then those too many taken from the ends, the last first."""
    largest = 1
    while largest * stages * chunks < blocks:
        largest += 1
    held = [largest * chunks] * stages
    spare, taken, turn = sum(held) - blocks, [0, 0], 1
    while spare and min(taken) < largest:
        held[0 if turn == 0 else -1] -= 1
        taken[turn] += 1
        spare, turn = spare - 1, 1 - turn
    return held


def mesh(v: Values, *axes: str) -> list[dict[str, int]]:
    """Every rank's place on axes of these sizes, the first axis varying fastest."""
    sizes = [range(int(v[axis])) for axis in reversed(axes)]
    return [dict(zip(reversed(axes), places, strict=True)) for places in product(*sizes)]
