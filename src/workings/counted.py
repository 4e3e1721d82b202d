"""What a scenario gives a concept: its own figure, or for the parameters the catalogue's count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil

from workings import catalogue
from workings.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError
from workings.formula.exact import rational
from workings.scenario import Scenario
from workings.scenario.order import REPLICAS_FIRST, replicas_before_stages
from workings.units import Quantity
from workings.vocabulary.concept import Concept


def figure_of(scenario: Scenario | None, concept: Concept) -> Quantity | None:
    """The value of a concept in a scenario, or None where it has none."""
    if scenario is None or concept.supplied is None:
        return UNSAID.get(concept.supplied or "")
    found = scenario.values.get(concept.supplied)
    if found is None and concept.supplied in COUNTED:
        return COUNTED[concept.supplied](scenario)
    return found


# What holds where there is no scenario: ranks are in the order of most launches.
UNSAID: Mapping[str, Quantity] = {
    "layout.dp_before_pp": Quantity(Fraction(replicas_before_stages(REPLICAS_FIRST)))
}


def counted_by(scenario: Scenario) -> str:
    """The derivation that counts the parameters of a scenario's kind of model."""
    if "model.kv_rank" in scenario.values:
        return "mla-moe-parameters"
    if "model.experts" in scenario.values:
        return "moe-parameters"
    return "dense-parameters" if "model.heads" in scenario.values else "ffn-parameters"


def _parameters(scenario: Scenario) -> Quantity | None:
    return _value(scenario, counted_by(scenario))


def _one_layer(scenario: Scenario) -> Quantity | None:
    """The parameters of a block, where all are alike."""
    if "model.experts" in scenario.values:
        return None
    return _value(scenario, "dense-non-embedding-parameters", {"blocks": 1, "final_norms": 0})


def _active(scenario: Scenario) -> Quantity | None:
    """The parameters that a token meets: of a mixture, not the experts it does not go to."""
    if "model.experts" not in scenario.values:
        return _parameters(scenario)
    return _value(scenario, counted_by(scenario).replace("moe-", "moe-active-"))


def _outside_tables(scenario: Scenario) -> Quantity | None:
    """The same without embedding tables and learned positions."""
    active, tables = _active(scenario), _value(scenario, "embedding-parameters")
    if "model.vocab" not in scenario.values:
        return active
    return Quantity(active.value - tables.value) if active and tables else None


def _token_width(scenario: Scenario) -> Quantity | None:
    """The width of a block's feed-forward, or of all experts of a token, where blocks are alike."""
    sizes = {name: found.value for name, found in _model(scenario).items()}
    if "experts" not in sizes:
        return Quantity(sizes["d_ff"])
    if sizes["moe_blocks"] < sizes["blocks"] or not {"active_experts", "d_expert"} <= sizes.keys():
        return None
    return Quantity((sizes["active_experts"] + sizes["shared_experts"]) * sizes["d_expert"])


def _plain_width(scenario: Scenario) -> Quantity | None:
    """The width of two matrices with the weights of the feed-forward, or of an expert."""
    sizes = {name: found.value for name, found in _model(scenario).items()}
    experts_only = "d_expert" in sizes and sizes["moe_blocks"] == sizes["blocks"]
    width = sizes["d_expert" if experts_only else "d_ff"] * sizes.get("ffn_matrices", 2) / 2
    return Quantity(width) if width.denominator == 1 else None


def _model(scenario: Scenario) -> dict[str, Quantity]:
    """The figures of the model, by their names in its section."""
    found = scenario.values.items()
    return {key.removeprefix("model."): value for key, value in found if key.startswith("model.")}


def _largest_block(scenario: Scenario) -> Quantity | None:
    """The parameters of the largest block: one with experts, where there are any."""
    by, one = counted_by(scenario), {"blocks": 1, "final_norms": 0, "embeddings": 0, "positions": 0}
    kinds = [_value(scenario, by, {**one, "moe_blocks": number}) for number in (0, 1)]
    return max((kind for kind in kinds if kind), key=lambda kind: kind.value, default=None)


def _kept_by_block(scenario: Scenario) -> Quantity | None:
    """What a block saves on a rank of this layout, by the ledger for its kind, where all are alike."""
    sizes = {name: found.value for name, found in _model(scenario).items()}
    degrees = {axis: scenario.values[f"layout.{axis}"].value for axis in ("tp", "cp")}
    if "experts" in sizes and sizes["moe_blocks"] < sizes["blocks"]:
        return None
    for id_, whole_over in KEPT:
        kinds = catalogue.get(id_).kinds
        if all(kind.shown_by(scenario.values) for kind in kinds):
            cut = any(degrees[axis] > 1 for axis in whole_over)
            return None if cut else _value(scenario, id_)
    return None


def _kept_by_blocks(scenario: Scenario) -> Quantity | None:
    """What all blocks save, those without experts as they are."""
    degrees = [scenario.values[f"layout.{axis}"].value for axis in ("tp", "cp")]
    if "model.kv_rank" in scenario.values:
        return _value(scenario, "mla-blocks-activations") if degrees == [1, 1] else None
    each = _kept_by_block(scenario)
    blocks = scenario.values["model.blocks"].value
    return Quantity(each.value * blocks, each.dimension) if each else None


# The ledgers of a block, and the degrees that each does not follow.
KEPT = (
    ("block-activations-tp-sp", ("cp",)),
    ("block-activations-llama-mesh", ()),
    ("block-activations-dropless", ()),
    ("block-activations-mla", ("tp", "cp")),
)


def _routed(scenario: Scenario) -> Quantity | None:
    """The parameters of all routed experts."""
    if "model.experts" not in scenario.values:
        return Quantity(Fraction(0))
    return _value(scenario, "expert-rank-parameters", {"stages": 1, "ep": 1, "etp": 1})


def _dense(scenario: Scenario) -> Quantity | None:
    """The parameters outside routed experts."""
    whole, routed = _parameters(scenario), _routed(scenario)
    return Quantity(whole.value - routed.value) if whole and routed else None


def _dense_of_a_rank(scenario: Scenario) -> Quantity | None:
    """What tensor and pipeline parallelism leave of them to a rank of even stages, rounded up."""
    whole = _dense(scenario)
    shares = [scenario.values[f"layout.{axis}"].value for axis in ("tp", "pp")]
    return Quantity(Fraction(ceil(whole.value / (shares[0] * shares[1])))) if whole else None


# What the catalogue counts where the scenario does not say it itself.
COUNTED: Mapping[str, Callable[[Scenario], Quantity | None]] = {
    "model.parameters": _parameters,
    "model.active_parameters": _active,
    "model.outside_tables": _outside_tables,
    "model.layer_parameters": _one_layer,
    "model.largest_block": _largest_block,
    "model.token_width": _token_width,
    "model.plain_width": _plain_width,
    "model.routed_part": _routed,
    "model.dense_part": _dense,
    "model.dense_rank_part": _dense_of_a_rank,
    "training.kept_by_block": _kept_by_block,
    "training.kept_by_blocks": _kept_by_blocks,
}


def _value(scenario: Scenario, id_: str, fixed: Mapping[str, int] | None = None) -> Quantity | None:
    """A count of the catalogue at a scenario, with some concepts held at a number."""
    what, values = catalogue.get(id_), {}
    for name, concept in what.letters.items():
        figure = scenario.values.get(concept.supplied or "")
        if fixed and concept.name in fixed:
            values[name] = Fraction(fixed[concept.name])
        elif figure is not None:
            values[name] = figure.value
    try:
        return Quantity(rational(value_of(what, values)), what.unit)
    except (DoesNotEvaluateError, DoesNotApplyError):
        return None
