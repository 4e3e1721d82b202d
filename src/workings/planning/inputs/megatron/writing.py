"""A job's model, layout and recipe as arguments of Megatron-LM."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.inputs.megatron.names import MODULES
from workings.planning.inputs.unwritten import unwritten
from workings.planning.job import Job, JobError
from workings.planning.recomputed import again, spelled


def megatron_arguments(job: Job) -> list[str]:
    """Flags and values, in the order of a launch script: model, layout, batch, precision.

    Raises JobError for what Megatron-LM has no argument for. The number of devices is torchrun's.
    """
    n = job.values()
    _expressible(n)
    chosen = job.figures["T_tok"].kind == "given"  # no run is as long as the plan merely assumes
    return [*_model(n), *_layout(n), *_training(n, chosen), *_recipe(n)]


def _expressible(n: dict[str, Fraction]) -> None:
    """Refuse what has no argument. Raises JobError."""
    bare = n["beta_qkv"] < max(n["beta_o"], n["beta_f"]) and not n["r_kv"]
    batch = n["b"] * n["t"] * n["c"] * n["p"] / n["n"] / n["b_m"]
    for bad, what in (
        (not n["z_h"], "a model without attention"),
        (n["n_n"] != 2 or n["n_nf"] != 1, "other norms than two a block and one after the last"),
        (n["beta_o"] != n["beta_f"], "biases in one matrix and not in another"),
        (bare, "biases in matrices and none in queries, keys and values"),
        (n["n_qk"] not in (0, 2), "one norm of queries or keys without the other"),
        (n["E"] and n["L_E"] not in (n["L"],) and n["L_E"] > n["L"], "more expert blocks than blocks"),
        (batch.denominator != 1, "a global batch that is no multiple of micro-batch × replicas"),
        (n["w_t"] < 0, "negative temporaries"),
        *((True, what) for _, what, _ in unwritten(n)),
        (n["E"] and n["k_nod"] not in (0, n["k_E"]), "tokens that go to fewer nodes than experts"),
        (n["a"] != {2: 2, 0: 4}.get(int(n["w_c"])), "a working copy other than BF16, or none in FP32"),
        (n["z_a"] and not n["w_c"], "FlashAttention of FP32 values"),
        (n["w_l"] != 4, "logits in other than four bytes"),
    ):
        if bad:
            raise JobError(f"Megatron-LM's arguments: found {what}, expected what they can say")


def _pairs(**values: Fraction | float | str) -> list[str]:
    return [
        part for name, value in values.items() for part in (f"--{name.replace('_', '-')}", str(value))
    ]


def _on(**switches: object) -> list[str]:
    return [f"--{name.replace('_', '-')}" for name, on in switches.items() if on]


def _model(n: dict[str, Fraction]) -> list[str]:
    learned = bool(n["n_pos"])
    words = _pairs(num_layers=n["L"], hidden_size=n["D"], ffn_hidden_size=n["F"],
                   num_attention_heads=n["H"], seq_length=n["s"],
                   max_position_embeddings=n["n_pos"] if learned else n["s"],
                   position_embedding_type="learned_absolute" if learned else "rope",
                   padded_vocab_size=n["V"],
                   normalization="LayerNorm" if n["beta_n"] else "RMSNorm")  # fmt: skip
    words += _latent(n) if n["r_kv"] else _grouped(n)
    words += _on(swiglu=n["n_f"] == 3, disable_bias_linear=not n["beta_f"],
                 untie_embeddings_and_output_weights=n["n_emb"] == 2)  # fmt: skip
    return words + (_experts(n) if n["E"] else [])


def _grouped(n: dict[str, Fraction]) -> list[str]:
    """Attention with heads of its own."""
    words = _pairs(kv_channels=n["d_h"])
    if n["K"] != n["H"]:
        words += ["--group-query-attention", *_pairs(num_query_groups=n["K"])]
    return words + _on(qk_layernorm=n["n_qk"], add_qkv_bias=n["beta_qkv"] and not n["beta_f"])


def _latent(n: dict[str, Fraction]) -> list[str]:
    """Latent attention, whose latents have norms; without a rank queries are not compressed."""
    words = ["--multi-latent-attention", "--qk-layernorm"]
    words += _pairs(q_lora_rank=n["r_q"]) if n["r_q"] else []
    return words + _pairs(kv_lora_rank=n["r_kv"], qk_head_dim=n["d_n"], qk_pos_emb_head_dim=n["d_r"],
                          v_head_dim=n["d_v"])  # fmt: skip


def _experts(n: dict[str, Fraction]) -> list[str]:
    words = _pairs(num_experts=n["E"], moe_router_topk=n["k_E"], moe_ffn_hidden_size=n["F_E"])
    if n["L_E"] != n["L"]:
        words += _pairs(moe_layer_freq=_pattern(int(n["L"]), int(n["L_0"]), int(n["r_E"])))
    if n["E_s"]:
        words += _pairs(moe_shared_expert_intermediate_size=n["E_s"] * n["F_E"])
    if n["k_nod"]:
        words += ["--moe-token-dispatcher-type", "flex", "--moe-enable-deepep"]
    return words + _on(moe_router_enable_expert_bias=n["beta_r"], moe_shared_expert_gate=n["beta_s"])


def _pattern(blocks: int, dense: int, period: int) -> str:
    """A 1 for each block with experts, a 0 for each dense one."""
    if period == 1:
        return f"([0]*{dense}+[1]*{blocks - dense})"
    listed = [int(place >= dense and (place - dense) % period == 0) for place in range(blocks)]
    return f"({listed})".replace(" ", "")


def _layout(n: dict[str, Fraction]) -> list[str]:
    words = _pairs(tensor_model_parallel_size=n["t"], pipeline_model_parallel_size=n["p"],
                   context_parallel_size=n["c"])  # fmt: skip
    if n["v"] > 1:
        words += _pairs(num_virtual_stages_per_pipeline_rank=n["v"])
    words += _uneven(n)
    if n["E"]:
        words += _pairs(expert_model_parallel_size=n["e"], expert_tensor_parallel_size=n["t_e"])
    words += _on(sequence_parallel=n["z_s"], use_tp_pp_dp_mapping=not n["o_d"])
    return words + _sharding(n)


def _uneven(n: dict[str, Fraction]) -> list[str]:
    """Blocks that the pipeline's ends have fewer, as the plan lays them out. Raises JobError."""
    chunk = -(-n["L"] // (n["p"] * n["v"]))
    spare = n["p"] * n["v"] * chunk - n["L"]
    if spare <= 2 and chunk:
        return _on(account_for_embedding_in_pipeline_split=spare == 2,
                   account_for_loss_in_pipeline_split=spare >= 1)  # fmt: skip
    first, last = (chunk * n["v"] - min(chunk, part) for part in (spare // 2, -(-spare // 2)))
    if n["v"] > 1 or first + last + (n["p"] - 2) * chunk != n["L"] or not first or not last:
        found = f"{n['L']} blocks on {n['p']} stages of {n['v']} chunks"
        raise JobError(f"Megatron-LM's arguments: found {found}, expected equal stages between the ends")
    return _pairs(decoder_first_pipeline_num_layers=first, decoder_last_pipeline_num_layers=last)


def _sharding(n: dict[str, Fraction]) -> list[str]:
    """ZeRO's stage; Megatron FSDP with all that its user guide requires (docs/discussions)."""
    copies = _pairs(num_distributed_optimizer_instances=n["n_r"]) if n["n_r"] > 1 else []
    if not n["z_2"]:
        return _on(use_distributed_optimizer=n["z_1"]) + copies
    strategy = "optim_grads_params" if n["z_3"] else "optim_grads"
    words = ["--use-megatron-fsdp", *_pairs(data_parallel_sharding_strategy=strategy), *copies]
    words += ["--use-distributed-optimizer", "--no-gradient-accumulation-fusion"]
    return words + _pairs(ckpt_format="fsdp_dtensor")


def _training(n: dict[str, Fraction], chosen: bool) -> list[str]:
    """The batch, and how long the run is where somebody has said so."""
    words = _pairs(micro_batch_size=n["b_m"], global_batch_size=n["b"])
    samples = n["T_tok"] / n["s"]
    return words + (_pairs(train_samples=samples) if chosen and samples.denominator == 1 else [])


def _recomputed(n: dict[str, Fraction]) -> list[str]:
    """Whole blocks, some of every chunk, or modules. Raises JobError for what has no argument."""
    if n["z_f"] and not n["x_keep"]:
        return _pairs(recompute_granularity="full", recompute_method="uniform", recompute_num_layers=1)
    some = n["L"] * (1 - n["x_keep"]) / (n["p"] * n["v"])
    if n["z_f"] and some.denominator == 1:
        return _pairs(recompute_granularity="full", recompute_method="block", recompute_num_layers=some)
    said = spelled(n).replace("selective", "core_attn")
    modules = [name for name in said.split(", ") if name != "none"]
    if n["z_f"] or not set(modules) <= set(MODULES):
        found, expected = f"{again(n)} computed again", "modules, or blocks of each chunk"
        raise JobError(f"Megatron-LM's arguments: found {found}, expected {expected}")
    if not modules:
        return []
    named = [] if modules == ["core_attn"] else ["--recompute-modules", *modules]
    return [*_pairs(recompute_granularity="selective"), *named]


def _recipe(n: dict[str, Fraction]) -> list[str]:
    half = n["w_c"] == 2
    words = _on(bf16=half, grad_reduce_in_bf16=half and n["g"] == 2)
    if n["x_off"]:
        words += ["--optimizer-cpu-offload", *_pairs(optimizer_offload_fraction=float(n["x_off"]))]
    if n["w_g"] != n["g"] or n["w_p"] != 4 or n["w_o"] != 4 or n["x_off"]:
        kinds = {Fraction(4): "fp32", Fraction(2): "bf16", Fraction(1): "fp8"}
        words += ["--use-precision-aware-optimizer"]
        for name, letter in (("main_grads_dtype", "w_g"), ("main_params_dtype", "w_p"),
                             ("exp_avg_dtype", "w_o"), ("exp_avg_sq_dtype", "w_o")):  # fmt: skip
            if n[letter] not in kinds:
                raise JobError(f"Megatron-LM's arguments: found {n[letter]} bytes, expected 4, 2 or 1")
            words += _pairs(**{name: kinds[n[letter]]})
    words += _recomputed(n)
    words += _pairs(attention_backend="auto" if n["z_a"] else "unfused")
    words += _on(tp_comm_overlap=n["h_t"] and n["z_s"], overlap_grad_reduce=n["h_d"],
                 overlap_moe_expert_parallel_comm=n["h_e"] and n["E"])  # fmt: skip
    return words + _on(overlap_param_gather=n["h_d"] and n["z_1"])
