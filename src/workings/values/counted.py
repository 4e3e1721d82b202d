"""What a scenario gives a concept: its own figure, or what the catalogue counts of model and layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from workings import catalogue
from workings.scenario import Scenario
from workings.scenario.order import REPLICAS_FIRST, replicas_before_stages
from workings.scenario.stages import stages
from workings.units import Quantity
from workings.values.counts import Counts, UncountedError
from workings.vocabulary.concept import Concept
from workings.vocabulary.state import ZERO

# What holds where there is no scenario: ranks are in the order of most launches, axes are rings.
UNSAID: Mapping[str, Quantity] = {
    "layout.dp_before_pp": Quantity(Fraction(replicas_before_stages(REPLICAS_FIRST))),
    "hardware.ring_devices": Quantity(Fraction(1)),
}


def figure_of(scenario: Scenario | None, concept: Concept) -> Quantity | None:
    """The value of a concept in a scenario, or None where it has none."""
    if scenario is None or concept.supplied is None:
        return UNSAID.get(concept.supplied or "")
    found = scenario.values.get(concept.supplied)
    key, _, stage = concept.supplied.partition(ZERO)
    if found is None and key in COUNTED:
        try:
            count = COUNTED[key](_counts_of(scenario), int(stage or 0))
        except UncountedError:
            return None
        return Quantity(Fraction(count), concept.dimension)
    return found


def counted_from(scenario: Scenario, concept: Concept) -> frozenset[str]:
    """The keys of a scenario from which the catalogue counts a concept."""
    key, _, stage = (concept.supplied or "").partition(ZERO)
    said = Read(_said(scenario))
    COUNTED[key](Counts(said), int(stage or 0))
    return frozenset(said.keys_read)


class Read(dict[str, Quantity]):
    """Figures that keep which of them are asked for, also of those that they have not."""

    def __init__(self, values: Mapping[str, Quantity]) -> None:
        super().__init__(values)
        self.keys_read: set[str] = set()

    def __contains__(self, key: object) -> bool:
        self.keys_read.add(str(key))
        return super().__contains__(key)

    def __getitem__(self, key: str) -> Quantity:
        self.keys_read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """A figure, or the default."""
        self.keys_read.add(key)
        return super().get(key, default)


def counted_by(scenario: Scenario) -> str:
    """The derivation that counts the parameters of a scenario's kind of model."""
    return _counts_of(scenario).kind


# What a count rests on; the rest of a scenario is left out, so that equal models are counted once.
_ROOMS = ("model.", "layout.", "training.")


def _counts_of(scenario: Scenario) -> Counts:
    return _kept(tuple(sorted(_said(scenario).items())))


def _said(scenario: Scenario) -> dict[str, Quantity]:
    return {key: figure for key, figure in scenario.values.items() if key.startswith(_ROOMS)}


@lru_cache(maxsize=64)
def _kept(said: tuple[tuple[str, Quantity], ...]) -> Counts:
    return Counts(dict(said))


def _one_layer(n: Counts, _: int) -> Fraction:
    """The parameters of a block, where all are alike."""
    if n["model.experts"]:
        raise UncountedError
    return n.of("dense-non-embedding-parameters", blocks=1, final_norms=0)


def _one_layer_copied(n: Counts, _: int) -> Fraction:
    """What every tensor-parallel rank holds of a block, where all are alike."""
    if n["model.experts"]:
        raise UncountedError
    return n.block(experts=False)[1]


def _state_ranks(n: Counts, stage: int) -> Fraction:
    held = n.fullest(stage)
    return held.parameters / held.shared


def _same_ranks(n: Counts, stage: int) -> Fraction:
    held = n.fullest(stage)._replace(dense_ranks=n["layout.same_ranks"])
    return held.parameters / held.shared


def _active(n: Counts, _: int) -> Fraction:
    """The parameters that a token meets: of a mixture, not the experts it does not go to."""
    return n.of(n.kind.replace("moe-", "moe-active-"))


def _outside_tables(n: Counts, _: int) -> Fraction:
    """The same without embedding tables and learned positions."""
    return _active(n, 0) - (n.of("embedding-parameters") if n["model.vocab"] else 0)


def _token_width(n: Counts, _: int) -> int:
    """The width of a block's feed-forward, or of all experts of a token, where blocks are alike."""
    if not n["model.experts"]:
        return n["model.d_ff"]
    if n["model.moe_blocks"] < n["model.blocks"] or not (
        n["model.active_experts"] and n["model.d_expert"]
    ):
        raise UncountedError
    return (n["model.active_experts"] + n["model.shared_experts"]) * n["model.d_expert"]


def _plain_width(n: Counts, _: int) -> Fraction:
    """The width of two matrices with the weights of the feed-forward, or of an expert."""
    experts_only = n["model.d_expert"] and n["model.moe_blocks"] == n["model.blocks"]
    width = Fraction(n["model.d_expert" if experts_only else "model.d_ff"]
                     * (n["model.ffn_matrices"] or 2), 2)  # fmt: skip
    if width.denominator > 1:
        raise UncountedError
    return width


def _largest_block(n: Counts, _: int) -> Fraction:
    """The parameters of the largest block: one with experts, where there are any."""
    one = {"blocks": 1, "final_norms": 0, "embeddings": 0, "positions": 0}
    return max(n.of(n.kind, **one, moe_blocks=number) for number in (0, 1))


def _stage_moe_blocks(n: Counts, _: int) -> int:
    """The most blocks with experts on a stage."""
    if "layout.pp" not in n.values:
        raise UncountedError
    return max((stage.experts for stage in stages(n.values)), default=0)


def _kept_by_block(n: Counts, _: int) -> Fraction:
    """What a block saves on a rank of this layout, by the ledger for its kind, where all are alike."""
    if 0 < n["model.moe_blocks"] < n["model.blocks"]:
        raise UncountedError
    for id_, whole_over in KEPT:
        if all(kind.shown_by(n.values) for kind in catalogue.get(id_).kinds):
            if any(n[f"layout.{axis}"] > 1 for axis in whole_over):
                break
            return n.of(id_)
    raise UncountedError


def _kept_by_blocks(n: Counts, _: int) -> Fraction:
    """What all blocks save, those without experts as they are."""
    if "model.kv_rank" not in n.values:
        return _kept_by_block(n, 0) * n["model.blocks"]
    if n["layout.tp"] * n["layout.cp"] > 1:
        raise UncountedError
    return n.of("mla-blocks-activations")


# The ledgers of a block, and the degrees that each does not follow.
KEPT = (
    ("block-activations-tp-sp", ("cp",)),
    ("block-activations-llama-mesh", ()),
    ("block-activations-dropless", ()),
    ("block-activations-mla", ("tp", "cp")),
)


# What the catalogue counts where the scenario does not say it itself: of the fullest rank, or of the one
# that is the fullest under a stage of ZeRO.
COUNTED: Mapping[str, Callable[[Counts, int], Fraction | int]] = {
    "model.parameters": lambda n, _: n.of(n.kind),
    "model.active_parameters": _active,
    "model.outside_tables": _outside_tables,
    "model.layer_parameters": _one_layer,
    "model.largest_block": _largest_block,
    "model.token_width": _token_width,
    "model.plain_width": _plain_width,
    "model.layer_copied": _one_layer_copied,
    "model.routed_part": lambda n, _: n.all_routed(),
    "model.dense_part": lambda n, _: n.of(n.kind) - n.all_routed(),
    "model.stage_moe_blocks": _stage_moe_blocks,
    "model.stage_split": lambda n, stage: n.fullest(stage).split,
    "model.stage_copied": lambda n, stage: n.fullest(stage).copied,
    "model.stage_routed": lambda n, stage: n.fullest(stage).routed,
    "model.dense_rank_part": lambda n, stage: n.fullest(stage).dense_part,
    "model.routed_rank_part": lambda n, stage: n.fullest(stage).routed_part,
    "model.rank_parameters": lambda n, stage: n.fullest(stage).parameters,
    "training.kept_by_block": _kept_by_block,
    "training.kept_by_blocks": _kept_by_blocks,
    "layout.state_ranks": _state_ranks,
    "layout.mean_same_ranks": _same_ranks,
}
