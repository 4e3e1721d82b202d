"""What a scenario's TOML may hold: model, layout, hardware and training."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from workings.scenario.keys import WIDTHS
from workings.scenario.order import REPLICAS_FIRST

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
    moe_from: Whole | None = None  # blocks before the first that has experts
    moe_gap: Count = 1  # from there on every so-many-th block has experts
    router_bias: Flag = 0
    shared_gate: Flag = 0
    name: Text = ""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parallel degrees, and the torus axes that carry each.

    The world is dp · fsdp · tp · cp · pp. `dp` counts copies of the sharded state (1 in plain FSDP
    or ZeRO over all replicas); experts lie on the same devices as etp · ep · edp · pp. `order` is
    that of the ranks, the fastest axis first.
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
    order: Text = REPLICAS_FIRST
    devices: Count | None = None


class Hardware(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One device: `memory` is what a plan may use, apart from the two sizes it goes by.

    `compute` is that of 16-bit matrix products, `compute_tf32` and `compute_fp32` those of FP32 matrices.

    Link speeds are bytes per second of one device, one way: `link_one_way` inside a node (or along
    one axis of a torus), `network_one_way` between nodes. `network` is what joins the devices of a
    node (or pod): a switch, or a torus of so many axes. An axis of `ring_devices` or a multiple of
    it closes into a ring.
    """

    compute: Text
    compute_tf32: Text | None = None
    compute_fp32: Text | None = None
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
    network: Text = "switch"
    torus_axes: Count | None = None
    ring_devices: Count = 1


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Batch, and bytes a value of each kind takes."""

    batch: Count
    sequence_length: Count
    microbatches: Count | None = None
    microbatch: Count | None = None
    segments: Count = 1
    training_tokens: Count | None = None
    master_width: Text = WIDTHS["master_width"]
    gradient_width: Text = WIDTHS["gradient_width"]
    moment_width: Text = WIDTHS["moment_width"]
    working_width: Text = WIDTHS["working_width"]
    activation_width: Text = WIDTHS["activation_width"]
    gather_width: Text = WIDTHS["gather_width"]
    reduce_width: Text = WIDTHS["reduce_width"]
    logit_width: Text = WIDTHS["logit_width"]


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole scenario."""

    model: Model
    hardware: Hardware
    training: Training
    layout: Layout = Layout()
    name: Text = ""


class Alone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A model, hardware, or both, without layout and training."""

    model: Model | None = None
    hardware: Hardware | None = None


SECTIONS: dict[str, type[msgspec.Struct]] = {
    "model": Model, "layout": Layout, "hardware": Hardware, "training": Training,
}  # fmt: skip
