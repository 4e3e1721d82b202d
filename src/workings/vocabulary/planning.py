"""What a plan chooses, and what it must assume where nothing was measured."""

from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.concept import Concept, Domain, count, flag, part, share, whole, width

# Switches of a layout
ZERO_1 = flag("zero_1", "1 where ranks share the optimizer state (ZeRO-1 and above)", "z_1", None)
ZERO_2 = flag("zero_2", "1 where ranks share the gradients (ZeRO-2 and above)", "z_2", None)
ZERO_3 = flag("zero_3", "1 where ranks share the weights (ZeRO-3, FSDP)", "z_3", None)
SEQUENCE_PARALLEL = flag("sequence_parallel", "1 with sequence parallelism", "z_s", None)
CORE_AGAIN = flag("recompute_core", "1 where the backward computes attention's core again", "z_c", None)
ALL_AGAIN = flag("recompute_full", "1 where the backward computes whole blocks again", "z_f", None)

# Values of a block that are computed again, where whole blocks are not, and what only a policy keeps.
AGAIN = tuple(
    part(f"recompute_{name}", f"share of {meaning}, computed again", glyph)
    for name, glyph, meaning in (
        ("norms", "r_nrm", "what norms give"),
        ("middle", "r_mid", "attention's answer, the input of the feed-forward's norm"),
        ("latents", "r_lat", "latents after their norms"),
        ("query", "r_qry", "queries"),
        ("key", "r_key", "keys"),
        ("value", "r_val", "values"),
        ("context", "r_ctx", "values weighed with attention's scores"),
        ("gate", "r_gat", "what the feed-forward's gate multiplies out"),
        ("up", "r_up", "what the feed-forward's way up multiplies out"),
        ("product", "r_act", "what the feed-forward's activation gives"),
        ("output", "r_dwn", "what the feed-forward gives"),
        ("tokens", "r_tok", "tokens that experts were sent"),
        ("hidden", "r_hid", "what experts' first matrices multiply out"),
        ("expert_product", "r_xact", "what experts' activation gives"),
        ("answers", "r_xdn", "what experts give and send back"),
        ("shared", "r_sha", "values of shared experts"),
    )
)  # fmt: skip
KEEPS_OUTPUT = part("keep_output", "share of what the feed-forward gives, kept though nothing needs it",
                    "k_dwn")  # fmt: skip
KEEPS_RECEIVED = part("keep_received", "share of what reductions and all-to-alls give, kept", "k_com")
KEEPS_ALL = part("keep_blocks", "share of the blocks that keep all, where others are computed again",
                 "x_keep")  # fmt: skip
FUSED = flag("fused_operations",
             "1 where norms and activations, with what multiplies them, are one operation each", "z_u",
             None)  # fmt: skip
FLASH = flag("flash_attention", "1 where attention keeps no scores", "z_a", None)
LOSS_PARTS = count("loss_parts", "parts of the tokens whose logits are made one after the other",
                   "n_l", None, "parts")  # fmt: skip
REDUCES_EACH = flag("reduce_each_microbatch",
                    "1 where sharded gradients are reduced after each micro-batch", "z_each",
                    None)  # fmt: skip
KEEPS_GRADIENTS = flag(
    "keep_gradients", "1 where gradients keep their memory from step to step", "z_k", None
)
WEIGHTS_APART = flag(
    "zero_bubble", "1 where gradients of weights are computed apart and fill the bubble (ZB1P)", "z_zb",
    None,
)  # fmt: skip
BOTH_WAYS = flag("dualpipe", "1 where micro-batches enter the pipeline at both ends (DualPipe)", "z_bi",
                 None)  # fmt: skip
TOKEN_NODES = whole("token_nodes",
                    "nodes that a token is sent to at most, once each; 0: a copy to each expert",
                    "k_nod", None, "nodes")  # fmt: skip
HAS_ATTENTION = flag("has_attention", "1 where the blocks have attention", "z_h", None)
HAS_ACTIVATION = flag("has_activation", "1 where the feed-forward has an activation", "z_g", None)

# Assumptions about time
MATMUL_EFFICIENCY = share("matmul_efficiency", "share of its peak a device reaches in matmuls", "eta")
ATTENTION_EFFICIENCY = share("attention_efficiency",
                             "share of its peak a device reaches in FlashAttention", "eta_a")  # fmt: skip
MEMORY_EFFICIENCY = share("memory_efficiency", "share of its bandwidth memory reaches", "eta_m")
LINK_EFFICIENCY = share("link_efficiency", "share of their bandwidth links inside a node reach", "eta_1")
NETWORK_EFFICIENCY = share("network_efficiency",
                           "share of its bandwidth the network between nodes and pods reaches",
                           "eta_2")  # fmt: skip
BLOCK_GAPS = Concept("block_gaps", "time a block takes beside its work and traffic, forward and backward",
                     "T_gap", SECOND, Domain.NONNEGATIVE)  # fmt: skip
EXPERT_GAPS = Concept("expert_gaps", "what a block with experts takes beside that", "T_gap_x", SECOND,
                      Domain.NONNEGATIVE)  # fmt: skip
SHARD_GAPS = Concept("shard_gaps", "what a block takes beside that whose weights are sharded (ZeRO-3)",
                     "T_gap_z", SECOND, Domain.NONNEGATIVE)  # fmt: skip
TP_HIDDEN = part("tp_hidden", "share of tensor-parallel traffic behind compute", "h_t")
EP_HIDDEN = part("ep_hidden", "share of expert-parallel traffic behind compute", "h_e")
PP_HIDDEN = part("pp_hidden", "share of the pipeline's sends behind compute", "h_p")
DP_HIDDEN = part("dp_hidden", "share of the compute that data-parallel traffic may hide behind", "h_d")
BY_TURN = part("gradients_by_turn",
               "1 where gradients of a chunk's micro-batches in a row are added before ZeRO-2 reduces",
               "x_turn")  # fmt: skip
CORE_COMPUTED = share("core_computed", "share of attention's scores that are computed (1/2: causal)",
                      "kappa")  # fmt: skip
CORE_COUNTED = part("core_counted", "share of attention's scores that MFU counts", "kappa_u")

# Assumptions about memory
CONTEXT = Concept("device_context", "bytes the driver and its libraries take", "M_ctx", BYTE,
                  Domain.NONNEGATIVE)  # fmt: skip
COMMUNICATOR = Concept("communicator", "bytes that the buffers of one communicator take", "M_grp", BYTE,
                       Domain.NONNEGATIVE)  # fmt: skip
WORKSPACE = Concept("workspace", "bytes that matrix products work in", "M_work", BYTE,
                    Domain.NONNEGATIVE)  # fmt: skip
FRAGMENTS = Concept("fragments", "bytes lost to fragments, over those in use", "x_frag", ONE,
                    Domain.NONNEGATIVE)  # fmt: skip
GRADIENT_POOL = part("gradient_pool",
                     "1 where sharded gradients have a pool of the allocator's to themselves",
                     "x_pool")  # fmt: skip
LOSS_APART = part("loss_apart",
                  "1 where a block that is computed again has memory beside the loss's, not its place",
                  "x_loss")  # fmt: skip
OPTIMIZER_TEMPORARY = Concept(
    "optimizer_temporary", "temporary bytes of the optimizer's step for each of its parameters", "w_t",
    BYTE, Domain.NONNEGATIVE, shown_in="byte",
)  # fmt: skip
OFFLOADED = part("offload_optimizer", "share of the optimizer state that lies with the host", "x_off")
ACTIVATIONS_AWAY = part("offload_activations", "share of what blocks keep that lies with the host",
                        "x_host")  # fmt: skip
SAVED = part("saved_in_8_bits", "share of what blocks keep that is kept in half of its bytes", "x_8")
DISPATCH_WIDTH = width("dispatch_width", "bytes of a value on its way to an expert", "w_dsp", None)
HOST_LINK = Concept("host_link", "bytes per second between a device and its host, one way", "W_h",
                    BYTE / SECOND)  # fmt: skip
HOST_MEMORY = Concept("host_memory", "bytes per second a host's optimizer reads and writes, a device",
                      "W_hm", BYTE / SECOND)  # fmt: skip
LOSS_WIDTH = width("loss_width", "bytes per logit that the loss makes in its backward", "w_d", None,
                   zero=True)  # fmt: skip
ALLOCATABLE = Concept("allocatable", "bytes the device reports", "M_dev", BYTE,
                      supplied="hardware.memory_reported")  # fmt: skip

# Tiers of the network beyond the second
POD_DEVICES = count("pod_devices", "devices below the third tier of the network", "n_pod", None,
                    "devices")  # fmt: skip
POD_ONE_WAY = Concept("pod_one_way", "one-way bandwidth of a device in the third tier", "W_3",
                      BYTE / SECOND)  # fmt: skip
