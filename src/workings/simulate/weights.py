"""Lists of every weight tensor of a transformer, one by one with its shape, by architecture.

A matrix is listed for each head and each expert, a vector for each bias and each norm, as a model's
code would allocate them; nothing is multiplied by a number of heads, experts or blocks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from ._checks import positive_count


class Weight(NamedTuple):
    """A named weight tensor and its shape."""

    name: str
    shape: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """What a decoder-only transformer is made of; the last `moe_blocks` blocks have experts.

    Latent attention is used where `kv_rank` is above 0, with a compressed query where `q_rank` is.
    """

    d_model: int
    blocks: int = 1
    d_ff: int = 1
    vocab: int = 1
    embeddings: int = 1
    positions: int = 0
    ffn_matrices: int = 2
    heads: int = 1
    kv_heads: int = 1
    head_dim: int = 1
    q_rank: int = 0
    kv_rank: int = 0
    nope_dim: int = 1
    rope_dim: int = 1
    v_dim: int = 1
    norms: int = 2
    final_norms: int = 1
    qk_norms: int = 0
    norm_bias: int = 0
    qkv_bias: int = 0
    out_bias: int = 0
    ffn_bias: int = 0
    experts: int = 1
    active_experts: int = 1
    shared_experts: int = 0
    d_expert: int = 1
    moe_blocks: int = 0
    router_bias: int = 0
    shared_gate: int = 0


def count(weights: Iterable[Weight]) -> int:
    """Multiply up each shape and add all of them up."""
    return sum(prod(weight.shape) for weight in weights)


def model(a: Architecture, routed: Iterable[int] | None = None) -> Iterator[Weight]:
    """Every weight of a model; with `routed`, of each block's experts only these and the shared."""
    yield from embeddings(a)
    for number in range(positive_count("blocks", a.blocks)):
        yield from block(a, expert_block=number >= a.blocks - a.moe_blocks, routed=routed)
    for number in range(a.final_norms):
        yield from norm(f"final norm {number}", a.d_model, a.norm_bias)


def embeddings(a: Architecture) -> Iterator[Weight]:
    """A row for each token in each table, and a row for each learned position."""
    for table in range(a.embeddings):
        yield Weight(f"token table {table}", (a.vocab, a.d_model))
    for position in range(a.positions):
        yield Weight(f"position {position}", (a.d_model,))


def block(
    a: Architecture, *, expert_block: bool, routed: Iterable[int] | None = None
) -> Iterator[Weight]:
    """Attention, one feed-forward or many experts, and the norms between them."""
    yield from latent_attention(a) if a.kv_rank else attention(a)
    if expert_block:
        yield from mixture(a, range(a.experts) if routed is None else routed)
    else:
        yield from feed_forward("feed-forward", a.d_model, a.d_ff, a.ffn_matrices, a.ffn_bias)
    yield from block_norms(a)


def linear(name: str, inner: int, outer: int, bias: int = 0) -> Iterator[Weight]:
    """A matrix, and a bias of its output where it has one."""
    yield Weight(f"{name} weight", (inner, outer))
    if bias:
        yield Weight(f"{name} bias", (outer,))


def attention(a: Architecture, value_dim: int | None = None) -> Iterator[Weight]:
    """A query matrix a head, a key and a value matrix a group, and the output's rows of each head.

    `value_dim` is the width of a value where that is not the width of the keys.
    """
    value = a.head_dim if value_dim is None else value_dim
    for head in range(a.heads):
        yield from linear(f"query {head}", a.d_model, a.head_dim, a.qkv_bias)
    for group in range(a.kv_heads):
        yield from linear(f"key {group}", a.d_model, a.head_dim, a.qkv_bias)
        yield from linear(f"value {group}", a.d_model, value, a.qkv_bias)
    for head in range(a.heads):
        yield Weight(f"output {head} weight", (value, a.d_model))
    if a.out_bias:
        yield Weight("output bias", (a.d_model,))


def latent_attention(a: Architecture) -> Iterator[Weight]:
    """Multi-head latent attention: keys and values rebuilt from one compressed vector a token."""
    yield from latent_query(a)
    yield from latent_key_value(a)
    for head in range(a.heads):
        yield Weight(f"output {head} weight", (a.v_dim, a.d_model))


def latent_query(a: Architecture) -> Iterator[Weight]:
    """Down to the query's rank, a norm and up to each head, or a full matrix a head."""
    inner = a.d_model
    if a.q_rank:
        yield from linear("query down", a.d_model, a.q_rank)
        yield from norm("query norm", a.q_rank)
        inner = a.q_rank
    for head in range(a.heads):
        yield from linear(f"query {head} content", inner, a.nope_dim)
        yield from linear(f"query {head} position", inner, a.rope_dim)


def latent_key_value(a: Architecture) -> Iterator[Weight]:
    """Down to one compressed vector, its norm, up to each head; one rotary key for all heads."""
    yield from linear("key and value down", a.d_model, a.kv_rank)
    yield from linear("key position", a.d_model, a.rope_dim)
    yield from norm("key and value norm", a.kv_rank)
    for head in range(a.heads):
        yield from linear(f"key {head} up", a.kv_rank, a.nope_dim)
        yield from linear(f"value {head} up", a.kv_rank, a.v_dim)


def feed_forward(name: str, width: int, inner: int, matrices: int, bias: int = 0) -> Iterator[Weight]:
    """One matrix down; every other one goes up: the projection, and the gate if there is one."""
    for up in range(1, matrices):
        yield from linear(f"{name} up {up}", width, inner, bias)
    yield from linear(f"{name} down", inner, width, bias)


def router(a: Architecture) -> Iterator[Weight]:
    """A vector that scores each expert, and a number added to its score where there is a bias."""
    for expert in range(a.experts):
        yield Weight(f"router {expert}", (a.d_model,))
        if a.router_bias:
            yield Weight(f"router {expert} bias", (1,))


def mixture(a: Architecture, routed: Iterable[int]) -> Iterator[Weight]:
    """The router, the experts `routed` by number, the shared experts and their gate."""
    yield from router(a)
    for expert in routed:
        yield from feed_forward(f"expert {expert}", a.d_model, a.d_expert, a.ffn_matrices)
    for expert in range(a.shared_experts):
        yield from feed_forward(f"shared expert {expert}", a.d_model, a.d_expert, a.ffn_matrices)
    if a.shared_gate:
        yield from linear("shared gate", a.d_model, 1)


def choose(a: Architecture) -> list[int]:
    """The experts that one token goes to: those with the highest of some scores."""
    scores = {expert: (7 * expert + 3) % 11 for expert in range(a.experts)}
    return sorted(scores, key=scores.__getitem__, reverse=True)[: a.active_experts]


def norm(name: str, width: int, bias: int = 0) -> Iterator[Weight]:
    """A scale for each value, and a shift where the norm has a bias."""
    yield Weight(f"{name} scale", (width,))
    if bias:
        yield Weight(f"{name} shift", (width,))


def block_norms(a: Architecture) -> Iterator[Weight]:
    """Norms of the model's width, and of a head's width (for queries, for keys)."""
    for number in range(a.norms):
        yield from norm(f"norm {number}", a.d_model, a.norm_bias)
    for number in range(a.qk_norms):
        yield from norm(f"head norm {number}", a.head_dim, a.norm_bias)


def state_space(
    width: int, heads: int, head_dim: int, state: int, groups: int, kernel: int
) -> Iterator[Weight]:
    """A Mamba-2 block: what leads in, the convolution, what a head has of its own, what leads out."""
    for head in range(heads):
        for part in ("gate", "input"):
            yield Weight(f"{part} {head}", (width, head_dim))
        yield Weight(f"step {head}", (width, 1))
        yield from convolution(f"input {head}", head_dim, kernel)
        for part in ("decay", "skip", "step bias"):
            yield Weight(f"{part} {head}", (1,))
        yield from norm(f"gated norm {head}", head_dim)
        yield Weight(f"output {head}", (head_dim, width))
    for group in range(groups):
        for part in ("B", "C"):
            yield Weight(f"{part} {group}", (width, state))
            yield from convolution(f"{part} {group}", state, kernel)


def convolution(name: str, channels: int, kernel: int) -> Iterator[Weight]:
    """A number for each token that a channel sees, and a bias."""
    yield Weight(f"{name} convolution", (channels, kernel))
    yield Weight(f"{name} convolution bias", (channels,))
