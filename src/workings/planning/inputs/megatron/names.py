"""Names of Megatron-LM's arguments: those that matter to a plan, and those of other versions."""

# Names of other versions and of NeMo's YAML.
ALIASES = {
    "encoder_seq_length": "seq_length",
    "activations_checkpoint_granularity": "recompute_granularity",
    "activations_checkpoint_method": "recompute_method",
    "activations_checkpoint_num_layers": "recompute_num_layers",
    "nproc_per_node": "devices_per_node",
    "num_gpus_per_node": "devices_per_node",
    "gpus_per_node": "devices_per_node",
    "nnodes": "num_nodes",
    "num_moe_experts": "num_experts",
    "context_parallel": "context_parallel_size",
    "multi_head_latent_attention": "multi_latent_attention",
    "qk_nope_head_dim": "qk_head_dim",
    "qk_rope_head_dim": "qk_pos_emb_head_dim",
}
# Megatron-LM refuses these and names what to write.
REMOVED = {
    "batch_size": "--micro-batch-size",
    "model_parallel_size": "--tensor-model-parallel-size",
    "checkpoint_activations": "--recompute-activations or --recompute-granularity full",
    "recompute": "--recompute-granularity",
}

# Whose defaults are worth saying.
SAID = (
    "tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size",
    "expert_model_parallel_size", "sequence_parallel", "use_distributed_optimizer",
    "recompute_granularity", "attention_backend", "tp_comm_overlap", "overlap_grad_reduce",
)  # fmt: skip

# What the plan reads: a misspelling of one of these is refused, not ignored.
KNOWN = (
    "tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size",
    "expert_model_parallel_size", "expert_tensor_parallel_size", "data_parallel_size",
    "num_layers_per_virtual_pipeline_stage", "num_virtual_stages_per_pipeline_rank",
    "virtual_pipeline_model_parallel_size", "micro_batch_size", "global_batch_size", "num_microbatches",
    "seq_length", "sequence_parallel", "recompute_granularity", "recompute_activations",
    "recompute_method", "recompute_modules", "use_distributed_optimizer",
    "data_parallel_sharding_strategy", "use_megatron_fsdp", "use_torch_fsdp2", "num_layers",
    "hidden_size", "ffn_hidden_size", "num_attention_heads", "kv_channels", "group_query_attention",
    "num_query_groups", "multi_latent_attention", "q_lora_rank", "kv_lora_rank", "qk_head_dim",
    "qk_pos_emb_head_dim", "v_head_dim", "max_position_embeddings", "position_embedding_type",
    "vocab_size", "padded_vocab_size", "normalization", "swiglu", "num_experts", "moe_router_topk",
    "moe_ffn_hidden_size", "moe_shared_expert_intermediate_size", "moe_layer_freq", "bf16", "fp16",
    "world_size", "num_nodes", "devices_per_node", "overlap_grad_reduce", "overlap_param_gather",
    "tp_comm_overlap", "grad_reduce_in_bf16", "accumulate_allreduce_grads_in_fp32",
    "untie_embeddings_and_output_weights", "disable_bias_linear", "train_iters", "train_samples",
)  # fmt: skip

# What the program that starts the training takes, and not the training itself.
LAUNCHER = ("num_nodes", "devices_per_node")

# Arguments that take several values: `nargs` of Megatron-LM's arguments.py and of the lists in its
# configurations (as of August 2026). All others have one value at most.
SEVERAL = (
    "recompute_modules", "offload_modules", "cp_comm_type", "hierarchical_context_parallel_sizes",
    "rampup_batch_size", "cuda_graph_scope", "cuda_graph_modules", "data_path", "train_data_path",
    "valid_data_path", "test_data_path", "validation_set_names", "spec", "mrope_section",
    "moe_router_load_balancing_type", "moe_aux_loss_coeff", "iterations_to_skip", "profile_ranks",
    "high_priority_stream_groups", "tokenizer_special_tokens", "rl_inference_parsers",
    "retriever_report_topk_accuracies", "gtp_remat_opt_in_modules",
    "ddp_param_name_patterns_for_fp32_local_accumulation",
)  # fmt: skip

# What selective recomputation may name (`recompute_modules` of its TransformerConfig).
MODULES = (
    "core_attn", "moe_act", "layernorm", "mla_up_proj", "mlp", "moe", "shared_experts", "gdn_norm_out",
    "gdp_in_proj", "gdp_qkv", "mhc",
)  # fmt: skip
