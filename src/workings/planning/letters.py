"""The letters that the cost model starts from: model, layout, training, devices, assumptions."""

from __future__ import annotations

from collections.abc import Mapping

from workings.vocabulary import (
    data_parallel,
    experts,
    hardware,
    layout,
    model,
    planning,
    ranks,
    scale,
    training,
)
from workings.vocabulary.concept import Concept

# The stages that the cost model tells apart; letters of what their ranks hold end in these.
STAGES = ("first", "mid", "turn", "rich", "last")

MODEL: Mapping[str, Concept] = {
    c.glyph: c
    for c in (
        model.D_MODEL, model.D_FF, model.BLOCKS, model.VOCAB, model.EMBEDDINGS, model.POSITIONS,
        model.FFN_MATRICES, model.HEADS, model.KV_HEADS, model.HEAD_DIM, model.Q_RANK, model.KV_RANK,
        model.NOPE_DIM, model.ROPE_DIM, model.V_DIM, model.NORMS, model.FINAL_NORMS, model.QK_NORMS,
        model.NORM_BIAS, model.QKV_BIAS, model.OUT_BIAS, model.FFN_BIAS, model.EXPERTS,
        model.ACTIVE_EXPERTS, model.SHARED_EXPERTS, model.D_EXPERT, model.MOE_BLOCKS,
        model.DENSE_FIRST, model.MOE_PERIOD,
        model.ROUTER_BIAS, model.SHARED_GATE, planning.HAS_ATTENTION, planning.HAS_ACTIVATION,
    )
}  # fmt: skip

# What a search chooses; everything else is given.
LAYOUT: Mapping[str, Concept] = {
    c.glyph: c
    for c in (
        layout.TP, layout.CP, layout.STAGES, layout.EP, layout.ETP, layout.VIRTUAL_STAGES,
        training.MICROBATCH, planning.ZERO_1, planning.ZERO_2, planning.ZERO_3,
        planning.SEQUENCE_PARALLEL, planning.CORE_AGAIN, planning.ALL_AGAIN,
    )
}  # fmt: skip

# What is computed again in part: stated by a job, and never searched.
PARTS = (*(c.glyph for c in planning.AGAIN), "k_dwn", "k_com", "x_keep")

TRAINING: Mapping[str, Concept] = {
    c.glyph: c
    for c in (
        layout.DEVICES, layout.REPLICAS, training.BATCH, training.SEQUENCE_LENGTH,
        training.TRAINING_TOKENS, training.MASTER_WIDTH, training.GRADIENT_WIDTH,
        training.MOMENT_WIDTH, training.WORKING_WIDTH, training.ACTIVATION_WIDTH,
        training.GATHER_WIDTH, training.REDUCE_WIDTH, training.LOGIT_WIDTH, planning.FLASH,
        planning.FUSED, data_parallel.PREFETCHED, planning.OFFLOADED, planning.ACTIVATIONS_AWAY,
        planning.KEEPS_GRADIENTS, planning.REDUCES_EACH, planning.LOSS_PARTS, planning.SAVED,
        planning.DISPATCH_WIDTH, planning.TOKEN_NODES, planning.WEIGHTS_APART, planning.BOTH_WAYS,
        ranks.DP_BEFORE_PP, *planning.AGAIN, planning.KEEPS_OUTPUT, planning.KEEPS_RECEIVED,
        planning.KEEPS_ALL,
    )
}  # fmt: skip

HARDWARE: Mapping[str, Concept] = {
    c.glyph: c
    for c in (
        hardware.COMPUTE, hardware.LINK_ONE_WAY, hardware.NETWORK_ONE_WAY, hardware.LINK_LATENCY,
        hardware.NETWORK_LATENCY, hardware.MEMORY_BANDWIDTH, layout.NODE_DEVICES,
        planning.POD_DEVICES, planning.POD_ONE_WAY, planning.ALLOCATABLE, scale.PRICE,
    )
}  # fmt: skip

ASSUMED: Mapping[str, Concept] = {
    c.glyph: c
    for c in (
        planning.MATMUL_EFFICIENCY, planning.ATTENTION_EFFICIENCY, planning.MEMORY_EFFICIENCY,
        planning.LINK_EFFICIENCY, planning.NETWORK_EFFICIENCY, planning.BLOCK_GAPS,
        planning.EXPERT_GAPS, planning.SHARD_GAPS,
        planning.TP_HIDDEN, planning.EP_HIDDEN, planning.PP_HIDDEN, planning.DP_HIDDEN, planning.BY_TURN,
        planning.CORE_COMPUTED,
        planning.CORE_COUNTED, experts.IMBALANCE, planning.CONTEXT, planning.COMMUNICATOR,
        planning.WORKSPACE, planning.FRAGMENTS, planning.GRADIENT_POOL, planning.LOSS_APART,
        planning.OPTIMIZER_TEMPORARY, planning.LOSS_WIDTH,
        planning.HOST_LINK, planning.HOST_MEMORY, scale.GOODPUT,
    )
}  # fmt: skip

LETTERS: Mapping[str, Concept] = {**MODEL, **LAYOUT, **TRAINING, **HARDWARE, **ASSUMED}
