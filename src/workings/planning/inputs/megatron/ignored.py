"""Arguments of Megatron-LM that this plan does not follow, and what that means for it."""

from collections.abc import Mapping

from workings.planning.inputs.reasons import ADAM
from workings.planning.unfollowed import MEETING

_FP8 = "compute is at the device's 16-bit peak; set cluster.compute for FP8"
_WHOLE = "attention is taken over the whole sequence in every block: what sees less takes less time"
_ALIKE = "every block is taken as attention over the whole sequence and a feed-forward"
_GATHERS = "context parallelism gathers keys and values"
_CAPACITY = "every token goes to all of its experts: none is dropped, and none is padded"
_WAITED = "what is exchanged with experts is waited for"
_ENDS = "the plan gives the ends of the pipeline fewer blocks by itself"

IGNORED: Mapping[str, str] = {
    "optimizer": ADAM,
    **dict.fromkeys(("window_size", "window_attn_skip_freq", "attention_window_size"), _WHOLE),
    **dict.fromkeys(("hybrid_override_pattern", "hybrid_layer_pattern", "hybrid_attention_ratio",
                     "hybrid_mlp_ratio", "is_hybrid_model", "heterogeneous_layers_config_path",
                     "heterogeneous_layers_config_encoded_json", "experimental_attention_variant",
                     "linear_attention_freq", "linear_attention_type"), _ALIKE),
    "use_checkpoint_args": "a checkpoint is not read: the sizes that stand here count, not its own",
    "use_layer_wise_distributed_optimizer": "optimizer state is shared evenly, not layer by layer",
    **dict.fromkeys(("moe_expert_capacity_factor", "moe_pad_expert_input_to_capacity"), _CAPACITY),
    **dict.fromkeys(("moe_shared_expert_overlap", "delay_wgrad_compute"), _WAITED),
    "overlap_p2p_comm": "sends of an interleaved pipeline: assume.pp_hidden says how much they hide",
    "deallocate_pipeline_outputs": "outputs that were sent are never counted",
    "gradient_accumulation_fusion": "the backward is timed as twice the forward",
    **dict.fromkeys(("bucket_size", "ddp_bucket_size"), "a bucket is taken for a block or a chunk"),
    "nccl_ub": "buffers of communicators are assumed (assume.communicator)",
    **dict.fromkeys(("fp8", "fp8_format"), _FP8),
    **dict.fromkeys(("cp_comm_type", "hierarchical_context_parallel_sizes"), _GATHERS),
    "recompute_num_layers": "only full recomputation has a number of layers",
    "distribute_saved_activations": "inputs of blocks are shared only with sequence parallelism",
    "overlap_cpu_optimizer_d2h_h2d": "the host's optimizer and its copies follow one another",
    "cross_entropy_loss_fusion": "logits and their gradient are both counted",
    "rampup_batch_size": "every step has the whole batch",
    **dict.fromkeys(("q_lora_rank", "kv_lora_rank", "qk_head_dim", "qk_pos_emb_head_dim", "v_head_dim"),
                    "only latent attention has it"),
    "recompute_modules": "only selective recomputation has modules",
    "recompute_activations": "the granularity says what is computed again",
    "mtp_num_layers": "multi-token prediction is not in the cost model",
    **dict.fromkeys(("decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers",
                     "account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split"),
                    _ENDS),
    **dict.fromkeys(("node_rank", "master_addr", "master_port", "rdzv_backend", "rdzv_endpoint",
                     "rdzv_id", "rdzv_conf", "standalone", "max_restarts", "monitor_interval",
                     "start_method", "role", "log_dir", "redirects", "tee", "local_addr", "module",
                     "local_ranks_filter", "local_rank", "no_python", "distributed_backend",
                     "distributed_timeout_minutes"), MEETING),
}  # fmt: skip
