"""The keys of a scenario's tables and what their values are, for who validates none.

`inputs` has the same keys with their types; what defines and checks those is slow to load.
"""

from __future__ import annotations

from collections.abc import Mapping

from workings.units import BYTE, CURRENCY, FLOP, SECOND, Dimension

MODEL = (
    "d_model", "d_ff", "blocks", "vocab", "embeddings", "positions", "ffn_matrices", "heads",
    "kv_heads", "head_dim", "q_rank", "kv_rank", "nope_dim", "rope_dim", "v_dim", "norms",
    "final_norms", "qk_norms", "norm_bias", "qkv_bias", "out_bias", "ffn_bias", "experts",
    "active_experts", "shared_experts", "d_expert", "moe_blocks", "moe_from", "moe_gap",
    "router_bias", "shared_gate", "name",
)  # fmt: skip
HARDWARE = (
    "compute", "compute_tf32", "compute_fp32", "link_one_way", "memory_marketing", "memory_reported",
    "memory", "memory_bandwidth", "network_one_way", "link_latency", "network_latency", "node_devices",
    "mtbf", "price", "name", "network", "torus_axes", "ring_devices",
)  # fmt: skip

# Bytes that a value of each kind takes where [training] says nothing.
WIDTHS: Mapping[str, str] = {
    "master_width": "4 byte", "gradient_width": "4 byte", "moment_width": "4 byte",
    "working_width": "0 byte", "activation_width": "2 byte", "gather_width": "2 byte",
    "reduce_width": "2 byte", "logit_width": "4 byte",
}  # fmt: skip

# Which dimension each quantity must have.
QUANTITIES: Mapping[str, Dimension] = {
    "hardware.compute": FLOP / SECOND,
    "hardware.compute_tf32": FLOP / SECOND,
    "hardware.compute_fp32": FLOP / SECOND,
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
    **{f"training.{name}": BYTE for name in WIDTHS},
}
MAY_BE_NOTHING = {
    "hardware.link_latency", "hardware.network_latency", "hardware.price",
    "training.working_width",
    "training.master_width", "training.gradient_width", "training.moment_width", "training.logit_width",
}  # fmt: skip
