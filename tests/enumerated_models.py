"""A model's tensors, products and saved values listed one by one from its sizes, knowing no formula."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import prod

from workings.scenario import Scenario
from workings.simulate.block_forward import Block, Experts, Mesh, Recompute, run_block
from workings.simulate.weights import (
    Architecture,
    Weight,
    attention,
    block,
    choose,
    embeddings,
    feed_forward,
    latent_attention,
    mixture,
    norm,
)

TABLES = ("token table", "position ")


def elements(weights: Iterable[Weight]) -> int:
    return sum(prod(weight.shape) for weight in weights)


def matrices(weights: Iterable[Weight]) -> int:
    """What a token is multiplied with: every matrix, and the router's vectors."""
    found = [w for w in weights if not w.name.startswith(TABLES)]
    return elements(w for w in found if len(w.shape) == 2 or _scores(w))


def _scores(weight: Weight) -> bool:
    return weight.name.startswith("router") and not weight.name.endswith("bias")


class Listed:
    """A scenario's model: blocks of attention and feed-forward, or the exercise's feed-forwards alone."""

    def __init__(self, scenario: Scenario) -> None:
        values = {key: figure.value for key, figure in scenario.values.items()}
        self.given = values
        self.size = {k.removeprefix("model."): int(v) for k, v in values.items() if k[:6] == "model."}
        known = Architecture.__dataclass_fields__
        self.shape = Architecture(**{k: v for k, v in self.size.items() if k in known})
        self.sequence = int(values["training.sequence_length"])
        self.tokens = int(values["training.batch"]) * self.sequence

    @property
    def stack(self) -> bool:
        return "heads" not in self.size

    @cached_property
    def blocks(self) -> list[list[Weight]]:
        return list(self._blocks(None))

    @cached_property
    def met(self) -> list[list[Weight]]:
        """The weights of each block that one token goes through."""
        return list(self._blocks(choose(self.shape) if self.shape.moe_blocks else None))

    def _blocks(self, routed: list[int] | None) -> Iterable[list[Weight]]:
        a = self.shape
        kinds = {
            number >= a.blocks - a.moe_blocks: None for number in range(a.blocks)
        }  # one listing for all blocks of a kind: they are alike
        for kind in kinds:
            listed = (
                list(feed_forward("feed-forward", a.d_model, a.d_ff, 2)) if self.stack
                else list(block(a, expert_block=kind, routed=routed))
            )  # fmt: skip
            count = a.moe_blocks if kind else a.blocks - a.moe_blocks
            yield from [listed] * count

    @cached_property
    def ends(self) -> list[Weight]:
        """Tables, positions and the norm after the last block."""
        a = self.shape
        if self.stack:
            return []
        return [
            *embeddings(a),
            *(w for n in range(a.final_norms) for w in norm(f"{n}", a.d_model, a.norm_bias)),
        ]

    @cached_property
    def tables(self) -> int:
        return elements(w for w in self.ends if w.name.startswith(TABLES))

    @cached_property
    def parameters(self) -> int:
        return sum(elements(b) for b in self.blocks) + elements(self.ends)

    @cached_property
    def active(self) -> int:
        return sum(elements(b) for b in self.met) + elements(self.ends)

    @property
    def attention(self) -> list[Weight]:
        return list(latent_attention(self.shape) if self.shape.kv_rank else attention(self.shape))

    @property
    def feed_forward(self) -> list[Weight]:
        a = self.shape
        return list(feed_forward("feed-forward", a.d_model, a.d_ff, a.ffn_matrices, a.ffn_bias))

    def mixture(self, routed: Iterable[int] | None = None) -> list[Weight]:
        return list(mixture(self.shape, range(self.shape.experts) if routed is None else routed))

    @property
    def width(self) -> Fraction:
        """Bytes that training keeps for each parameter."""
        kept = ("working", "gradient", "master", "moment", "moment")
        return sum((self.given[f"training.{name}_width"] for name in kept), Fraction(0))

    # Products, as FLOPs a token of the forward pass: a multiplication and an addition for each weight.

    def core(self, causal: bool = False) -> Fraction:
        """Scores and weighted values of a block: each query with each key that it sees."""
        a, s = self.shape, self.sequence
        seen = sum(query if causal else s for query in range(1, s + 1))
        wide = (a.nope_dim + a.rope_dim + a.v_dim) if a.kv_rank else 2 * a.head_dim
        return Fraction(seen * a.heads * (wide + wide), s)

    def products(self, one: list[Weight], *, router: bool = True) -> int:
        weights = one if router else [w for w in one if not _scores(w)]
        return sum(2 * (matrices([w])) for w in weights)

    def model_forward(self, *, causal: bool = False, router: bool = True, core_runs: int = 1) -> Fraction:
        blocks = sum(self.products(b, router=router) + core_runs * self.core(causal) for b in self.met)
        return Fraction(blocks + self.logits)

    @property
    def logits(self) -> int:
        return 2 * self.size["vocab"] * self.shape.d_model

    # What a block saves for its backward pass, on one device.

    def saved(self, *, dropout: bool, flash: bool, recompute: Recompute = "none") -> Fraction:
        a, given = self.shape, self.given
        experts = Experts(a.experts, a.active_experts, a.d_expert, a.shared_experts)
        run = Block(
            self.sequence, int(given["training.microbatch"]), a.d_model, a.heads, a.kv_heads, a.head_dim,
            a.d_ff, a.ffn_matrices == 3, experts if a.moe_blocks else None,
            given["training.activation_width"], dropout, flash,
        )  # fmt: skip
        return run_block(run, Mesh(), recompute=recompute).bytes + self._norms_on_top()

    def _norms_on_top(self) -> Fraction:
        """Inputs of the norms that a block of two does not have: after each part, of queries and keys."""
        a, given = self.shape, self.given
        values = max(a.norms - 2, 0) * a.d_model
        values += (a.heads + a.kv_heads) * a.head_dim if a.qk_norms else 0
        return values * self.sequence * given["training.microbatch"] * given["training.activation_width"]
