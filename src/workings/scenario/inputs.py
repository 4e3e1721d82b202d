"""What a scenario's TOML may hold: model, layout, hardware and training."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from workings.units import BYTE, CURRENCY, FLOP, SECOND, Dimension

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10**15)]
Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
Flag: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1)]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=80)]


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sizes of the model; what a model does not have is left out."""

    d_model: Count
    d_ff: Count
    blocks: Count
    vocab: Count | None = None
    embeddings: Count | None = None  # tables: 1 tied, 2 untied
    positions: Whole = 0
    ffn_matrices: Count | None = None
    heads: Count | None = None
    kv_heads: Count | None = None
    head_dim: Count | None = None
    q_rank: Whole | None = None
    kv_rank: Count | None = None
    nope_dim: Count | None = None
    rope_dim: Count | None = None
    v_dim: Count | None = None
    norms: Whole | None = None
    final_norms: Whole = 1
    qk_norms: Whole = 0
    norm_bias: Flag = 0
    qkv_bias: Flag = 0
    out_bias: Flag = 0
    ffn_bias: Flag = 0
    experts: Count | None = None
    active_experts: Count | None = None
    shared_experts: Whole = 0
    d_expert: Count | None = None
    moe_blocks: Whole = 0
    router_bias: Flag = 0
    shared_gate: Flag = 0
    name: Text = ""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parallel degrees, and the torus axes that carry each.

    The world is dp · fsdp · tp · cp · pp. `dp` counts copies of the sharded state (1 in plain FSDP
    or ZeRO over all replicas); experts lie on the same devices as etp · ep · edp · pp.
    """

    dp: Count = 1
    fsdp: Count = 1
    tp: Count = 1
    cp: Count = 1
    pp: Count = 1
    virtual_stages: Count = 1
    ep: Count = 1
    etp: Count = 1
    fsdp_axes: Count = 1
    tp_axes: Count = 1
    devices: Count | None = None


class Hardware(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One device: `memory` is what a plan may use, apart from the two sizes it goes by.

    Link speeds are bytes per second of one device, one way: `link_one_way` inside a node (or along
    one axis of a torus), `network_one_way` between nodes.
    """

    compute: Text
    link_one_way: Text
    memory_marketing: Text
    memory_reported: Text | None = None
    memory: Text | None = None
    memory_bandwidth: Text | None = None
    network_one_way: Text | None = None
    link_latency: Text | None = None
    network_latency: Text | None = None
    node_devices: Count | None = None
    mtbf: Text | None = None
    price: Text | None = None
    name: Text = ""


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Batch, and bytes a value of each kind takes."""

    batch: Count
    sequence_length: Count
    microbatches: Count | None = None
    microbatch: Count | None = None
    segments: Count = 1
    training_tokens: Count | None = None
    master_width: Text = "4 byte"
    gradient_width: Text = "4 byte"
    moment_width: Text = "4 byte"
    working_width: Text = "0 byte"
    activation_width: Text = "2 byte"
    gather_width: Text = "2 byte"
    reduce_width: Text = "2 byte"
    logit_width: Text = "4 byte"


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole scenario."""

    model: Model
    hardware: Hardware
    training: Training
    layout: Layout = Layout()
    name: Text = ""


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "model": Model, "layout": Layout, "hardware": Hardware, "training": Training,
}  # fmt: skip

# Which dimension each quantity of the input must have.
QUANTITIES: dict[str, Dimension] = {
    "hardware.compute": FLOP / SECOND,
    "hardware.link_one_way": BYTE / SECOND,
    "hardware.network_one_way": BYTE / SECOND,
    "hardware.memory_bandwidth": BYTE / SECOND,
    "hardware.link_latency": SECOND,
    "hardware.network_latency": SECOND,
    "hardware.mtbf": SECOND,
    "hardware.price": CURRENCY / SECOND,
    "hardware.memory": BYTE,
    "hardware.memory_marketing": BYTE,
    "hardware.memory_reported": BYTE,
    **{f"training.{name}_width": BYTE
       for name in ("master", "gradient", "moment", "working", "activation", "gather", "reduce",
                    "logit")},
}  # fmt: skip
MAY_BE_NOTHING = {"hardware.link_latency", "hardware.network_latency", "training.working_width"}
