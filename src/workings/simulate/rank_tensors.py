"""Every weight tensor of a model placed on every rank of a mesh, and the state each rank keeps of it.

Layers are listed as Megatron-LM allocates them: column-parallel ones cut their output and its bias,
row-parallel ones their input, so that their bias, like norms, learned positions and routers, is whole on
every tensor-parallel rank. Nothing is computed by dividing: what a rank holds is dealt out and added up.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod
from typing import NamedTuple

from .grid import Coordinates, lay_out
from .weights import Architecture


class Layer(NamedTuple):
    """A tensor: its shape, and the `units` in which its first dimension is dealt to a group of ranks.

    Without units it is whole on each of them. `expert` is the number of the routed expert it belongs to.
    """

    name: str
    shape: tuple[int, ...]
    units: int = 0
    expert: int | None = None


@dataclass(frozen=True)
class Mesh:
    """Degrees of parallelism; `fsdp` above 1 makes `dp` copies of what `fsdp * cp` ranks share."""

    tp: int = 1
    cp: int = 1
    dp: int = 1
    fsdp: int = 1
    pp: int = 1
    virtual: int = 1
    ep: int = 1
    etp: int = 1


class Held(NamedTuple):
    """Values that a rank holds before any are shared: outside routed experts, and in them."""

    dense: int
    routed: int


def attention(a: Architecture) -> Iterator[Layer]:
    """Queries, keys and values cut by heads, the output's rows too."""
    for name, heads in (("query", a.heads), ("key", a.kv_heads), ("value", a.kv_heads)):
        yield Layer(f"{name} weight", (heads * a.head_dim, a.d_model), heads)
        if a.qkv_bias:
            yield Layer(f"{name} bias", (heads * a.head_dim,), heads)
    yield Layer("output weight", (a.heads * a.head_dim, a.d_model), a.heads)
    if a.out_bias:
        yield Layer("output bias", (a.d_model,))


def latent_attention(a: Architecture) -> Iterator[Layer]:
    """The ways down to the latents and their norms are whole, the ways up are cut by heads."""
    inner = a.q_rank or a.d_model
    if a.q_rank:
        yield Layer("query down", (a.q_rank, a.d_model))
        yield Layer("query norm", (a.q_rank,))
    yield Layer("query up", (a.heads * (a.nope_dim + a.rope_dim), inner), a.heads)
    yield Layer("key and value down", (a.kv_rank + a.rope_dim, a.d_model))
    yield Layer("key and value norm", (a.kv_rank,))
    yield Layer("key and value up", (a.heads * (a.nope_dim + a.v_dim), a.kv_rank), a.heads)
    yield Layer("output weight", (a.heads * a.v_dim, a.d_model), a.heads)


def feed_forward(a: Architecture, inner: int, bias: int, expert: int | None = None) -> Iterator[Layer]:
    """Every matrix but the last is cut by columns, the last by rows."""
    for number in range(1, a.ffn_matrices):
        yield Layer(f"up {number} weight", (inner, a.d_model), inner, expert)
        if bias:
            yield Layer(f"up {number} bias", (inner,), inner, expert)
    yield Layer("down weight", (inner, a.d_model), inner, expert)
    if bias:
        yield Layer("down bias", (a.d_model,), 0, expert)


def mixture(a: Architecture) -> Iterator[Layer]:
    """The router and the gate of shared experts, which no rank cuts, and all experts."""
    yield Layer("router weight", (a.experts, a.d_model))
    if a.router_bias:
        yield Layer("router bias", (a.experts,))
    for number in range(a.experts):
        yield from feed_forward(a, a.d_expert, 0, number)
    for _ in range(a.shared_experts):
        yield from feed_forward(a, a.d_expert, 0)
    if a.shared_gate:
        yield Layer("shared gate", (a.d_model,))


def norms(a: Architecture, number: int, width: int) -> Iterator[Layer]:
    """A scale each, and a shift where a norm has one."""
    for _ in range(number):
        yield Layer("norm scale", (width,))
        if a.norm_bias:
            yield Layer("norm shift", (width,))


def block(a: Architecture, *, experts: bool) -> list[Layer]:
    """Every tensor of one block; without heads it is a feed-forward alone."""
    layers = list(latent_attention(a) if a.kv_rank else attention(a) if a.heads else ())
    layers += norms(a, a.norms, a.d_model)
    layers += norms(a, a.qk_norms, a.head_dim)
    return layers + list(mixture(a) if experts else feed_forward(a, a.d_ff, a.ffn_bias))


def outside(a: Architecture, *, first: bool, last: bool) -> list[Layer]:
    """Tables, positions and the last norm, by stage: a head tied to a table elsewhere is a copy."""
    table, layers = Layer("table", (a.vocab, a.d_model), a.vocab), list[Layer]()
    if first and a.embeddings:
        layers += [table, Layer("positions", (a.positions, a.d_model))]
    if last and a.embeddings:
        layers += [table] * (not first or a.embeddings == 2)
    return layers + (list(norms(a, a.final_norms, a.d_model)) if last else [])


@cache
def on_rank(layer: Layer, ranks: int, rank: int) -> int:
    """Values of a tensor on one rank of the group that cuts it: its units dealt out in runs.

    Where units are fewer than ranks, each is on several.
    """
    if not layer.units:
        return prod(layer.shape)
    each = prod(layer.shape) // layer.units
    if layer.units < ranks:
        return each
    run = next(length for length in range(layer.units + 1) if length * ranks >= layer.units)
    return each * len(range(layer.units)[rank * run : (rank + 1) * run])


def deal(a: Architecture, mesh: Mesh) -> list[list[int]]:
    """The numbers of the blocks of every stage, chunk by chunk and block by block.

    Chunks are as large as the largest must be; what is too many is left out of the last chunk and of the
    first in turn, up to all of them, and then of the others from behind.
    """
    chunks = mesh.pp * mesh.virtual
    largest = next(size for size in range(1, a.blocks + 1) if size * chunks >= a.blocks)
    sizes, ends = [largest] * chunks, [chunks - 1, 0] if chunks > 1 else []
    for turn in range(largest * chunks - a.blocks):
        if turn < largest * len(ends):
            sizes[ends[turn % 2]] -= 1
        else:
            sizes[max(range(1, chunks - 1), key=lambda chunk: (sizes[chunk], chunk))] -= 1
    stages: list[list[int]] = [[] for _ in range(mesh.pp)]
    number = 0
    for chunk, size in enumerate(sizes):
        for _ in range(size):
            stages[chunk % mesh.pp].append(number)
            number += 1
    return stages


def stage_layers(a: Architecture, mesh: Mesh, with_experts: Sequence[bool]) -> list[list[Layer]]:
    """The tensors of every stage; `with_experts` says of every block whether it has experts."""
    kinds = {kind: block(a, experts=kind) for kind in set(with_experts)}
    found = []
    for stage, numbers in enumerate(deal(a, mesh)):
        layers = outside(a, first=stage == 0, last=stage == mesh.pp - 1)
        for number in numbers:
            layers += kinds[with_experts[number]]
        found.append(layers)
    return found


def ranks_of(mesh: Mesh) -> list[Coordinates]:
    """Every rank's place on both meshes: that of the dense part, and that of the experts."""
    dense = {"tp": mesh.tp, "cp": mesh.cp, "fsdp": mesh.fsdp, "dp": mesh.dp}
    inner = lay_out(dense)
    copies = Fraction(len(inner), mesh.etp * mesh.ep)
    experts = lay_out({"etp": mesh.etp, "ep": mesh.ep, "edp": int(copies)})
    if len(experts) != len(inner):
        raise ValueError("etp and ep do not divide the ranks of a stage.")
    places = [{**one, **other} for one, other in zip(inner, experts, strict=True)]
    return [{**place, "pp": stage} for stage in range(mesh.pp) for place in places]


def held_by(a: Architecture, mesh: Mesh, with_experts: Sequence[bool]) -> list[Held]:
    """What every rank holds before anything is shared, in the order of `ranks_of`."""
    counted = [Counter(layers) for layers in stage_layers(a, mesh, with_experts)]
    known: dict[tuple[int, ...], Held] = {}
    found = []
    for rank in ranks_of(mesh):
        key = rank["pp"], rank["tp"], rank["etp"], rank["ep"]
        if key not in known:
            known[key] = _held(counted[rank["pp"]], a, mesh, rank)
        found.append(known[key])
    return found


def _held(layers: Mapping[Layer, int], a: Architecture, mesh: Mesh, rank: Coordinates) -> Held:
    dense = routed = 0
    mine = range(a.experts)[rank["ep"] * a.experts // mesh.ep : (rank["ep"] + 1) * a.experts // mesh.ep]
    for layer, times in layers.items():
        if layer.expert is None:
            dense += times * on_rank(layer, mesh.tp, rank["tp"])
        elif layer.expert in mine:
            routed += times * on_rank(layer, mesh.etp, rank["etp"])
    return Held(dense, routed)


def sharing(mesh: Mesh) -> list[tuple[int, int]]:
    """With how many ranks each shares the state of its dense part and of its experts, itself included.

    Those are the ranks that hold the same: at the same place of tensor and pipeline parallelism and,
    where shards are kept in copies, in the same copy; for experts at the same place of their own mesh.
    """
    ranks, copies = ranks_of(mesh), mesh.fsdp > 1
    dense = [(r["pp"], r["tp"], r["dp"] if copies else 0) for r in ranks]
    expert = [(r["pp"], r["etp"], r["ep"]) for r in ranks]
    many, few = Counter(dense), Counter(expert)
    return [(many[one], few[other]) for one, other in zip(dense, expert, strict=True)]
