"""Every figure of a scenario by its key, those that follow from others included."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from workings.scenario.errors import ScenarioError
from workings.scenario.inputs import SECTIONS, Input, Model
from workings.scenario.keys import MAY_BE_NOTHING, QUANTITIES
from workings.scenario.network import missing_axes, network_figures
from workings.scenario.order import EXPECTED, order_of, replicas_before_stages
from workings.units import Quantity, UnitError, example_of, parse_quantity

# The axes whose product is the number of devices.
WORLD = ("dp", "fsdp", "tp", "cp", "pp")


def values_of(path: Path, given: Input) -> dict[str, Quantity]:
    """Every figure by its key, in base units. Raises ScenarioError."""
    _check_layout(path, given)
    values = _plain(path, given)
    values.setdefault("hardware.memory", values["hardware.memory_marketing"])
    one_way = values["hardware.link_one_way"]
    values |= network_figures(path, given, one_way)
    values = {key: value for key, value in values.items() if key not in missing_axes(given)}
    training, layout = given.training, given.layout
    counts = {
        "training.tokens": training.batch * training.sequence_length,
        "layout.devices": _devices(given),
        "layout.data_parallel": layout.dp * layout.fsdp,
        "layout.dp_before_pp": _replicas_first(path, given),
        "layout.same_ranks": layout.dp * layout.fsdp * layout.cp,
        "layout.dense_state_ranks": (layout.fsdp if layout.fsdp > 1 else layout.dp) * layout.cp,
        "layout.state_copies": layout.dp if layout.fsdp > 1 else 1,
        "layout.edp": _devices(given) // (layout.etp * layout.ep * layout.pp),
    }
    counts |= _microbatches(path, given) | _moe_position(path, given.model)
    return values | {key: Quantity(Fraction(value)) for key, value in counts.items()}


def values_of_model(path: Path, model: Model) -> dict[str, Quantity]:
    """The figures of a model alone by their keys. Raises ScenarioError."""
    _check_model(path, model)
    said = {f"model.{name}": getattr(model, name) for name in model.__struct_fields__ if name != "name"}
    said |= _moe_position(path, model)
    return {key: Quantity(Fraction(value)) for key, value in said.items() if value is not None}


def _microbatches(path: Path, given: Input) -> dict[str, int]:
    """Micro-batches of a step and sequences in one: what is not given follows from the batch.

    A replica's sequences are their product. Without either, all of them are one micro-batch.
    """
    training, replicas = given.training, given.layout.dp * given.layout.fsdp
    many, each = training.microbatches, training.microbatch
    if each is None:
        many = many or 1
        whole = Fraction(training.batch, replicas * many)
        return {"training.microbatches": many} | (
            {"training.microbatch": int(whole)} if whole.denominator == 1 else {}
        )
    share = Fraction(training.batch, replicas * each)
    if share.denominator != 1 or (many is not None and many != share):
        product = f"{many or 'microbatches'} × {each} × {replicas} replicas"
        raise ScenarioError(
            f"{path.name}: training.batch: found {training.batch}, expected microbatches × microbatch × "
            f"replicas (here {product})"
        )
    return {"training.microbatches": int(share), "training.microbatch": each}


def _replicas_first(path: Path, given: Input) -> int:
    """Whether replicas vary faster than stages, by the order of the ranks."""
    order = order_of(given.layout.order)
    if order is None:
        found = given.layout.order[:60]
        raise ScenarioError(f"{path.name}: layout.order: found {found!r}, expected {EXPECTED}")
    return replicas_before_stages(order)


def _moe_position(path: Path, model: Model) -> dict[str, int]:
    """How many dense blocks come before the first with experts, where some have experts.

    Where nobody says, the last block has them. Raises ScenarioError where the three keys disagree.
    """
    if not model.moe_blocks:
        return {}
    first = model.blocks - 1 - (model.moe_blocks - 1) * model.moe_gap
    if model.moe_from is not None:
        first = model.moe_from
    if first < 0 or len(range(first, model.blocks, model.moe_gap)) != model.moe_blocks:
        key = "moe_gap" if model.moe_from is None else "moe_from"
        raise ScenarioError(
            f"{path.name}: model.{key}: found {getattr(model, key)}, expected {model.moe_blocks} "
            f"moe_blocks among {model.blocks} blocks, every {model.moe_gap}. one from block {first} on"
        )
    return {"model.moe_from": first}


def _plain(path: Path, given: Input) -> dict[str, Quantity]:
    """The figures as the input has them."""
    values: dict[str, Quantity] = {}
    for section in SECTIONS:
        struct = getattr(given, section)
        for name in struct.__struct_fields__:
            key, value = f"{section}.{name}", getattr(struct, name)
            if isinstance(value, int):
                values[key] = Quantity(Fraction(value))
            elif key in QUANTITIES and value is not None:
                values[key] = _quantity(path, key, value)
    return values


def _quantity(path: Path, key: str, text: str) -> Quantity:
    try:
        quantity = parse_quantity(text, QUANTITIES[key])
    except UnitError as error:
        raise ScenarioError(f"{path.name}: {key}: {error}") from error
    wanted, least = QUANTITIES[key], key in MAY_BE_NOTHING
    if quantity.dimension != wanted or quantity.value < 0 or (quantity.value == 0 and not least):
        raise ScenarioError(
            f"{path.name}: {key}: found {text!r}, expected a positive quantity in {wanted}, such as "
            f"'{example_of(wanted)}'"
        )
    return quantity


def _devices(given: Input) -> int:
    product = 1
    for axis in WORLD:
        product *= int(getattr(given.layout, axis))
    return product


def _check_model(path: Path, model: Model) -> None:
    def expected(key: str, what: str) -> ScenarioError:
        return ScenarioError(f"{path.name}: model.{key}: found {getattr(model, key)}, expected {what}")

    if model.embeddings not in (None, 1, 2):
        raise expected("embeddings", "1 where the tables are tied, 2 where not")
    if model.ffn_matrices not in (None, 2, 3):
        raise expected("ffn_matrices", "2 where the feed-forward is plain, 3 where it is gated")
    if model.heads and model.kv_heads and model.heads % model.kv_heads:
        raise expected("kv_heads", f"a divisor of model.heads = {model.heads}")


def _check_layout(path: Path, given: Input) -> None:
    layout, model, devices = given.layout, given.model, _devices(given)
    _check_model(path, model)

    def expected(key: str, what: str) -> ScenarioError:
        found = getattr(layout, key)
        return ScenarioError(f"{path.name}: layout.{key}: found {found}, expected {what}")

    if layout.devices is not None and layout.devices != devices:
        raise expected("devices", f"{' × '.join(WORLD)} = {devices}")
    for key in ("d_ff", "d_model"):
        if getattr(model, key) % layout.tp:
            raise expected("tp", f"a divisor of model.{key} = {getattr(model, key)}")
    if layout.pp > model.blocks:
        raise expected("pp", f"at most model.blocks = {model.blocks}")
    if layout.pp * layout.virtual_stages > model.blocks:
        most = model.blocks // layout.pp
        raise expected("virtual_stages", f"at most model.blocks / pp = {most}")
    if layout.ep > 1 and (model.experts is None or model.experts % layout.ep):
        raise expected("ep", f"a divisor of model.experts = {model.experts}")
    if devices % (layout.etp * layout.ep * layout.pp):
        raise expected("ep", f"etp × ep × pp to divide the {devices} devices")
