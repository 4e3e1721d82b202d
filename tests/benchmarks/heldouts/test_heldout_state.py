"""What a run keeps, in how many bytes and parts: by its row, or by what its program does by itself."""

from heldout_row import ROW
from heldouts.jobs import tables
from heldouts.launches import launch


def test_a_program_does_what_its_source_says_where_the_row_is_silent() -> None:
    fsdp = {**ROW, "framework": "PyTorch FSDP", "dp_kind": "FSDP over 8"}
    assert (launch(fsdp)["keep_gradients"], launch(fsdp)["working_width"]) == (False, "0 byte")
    buffers = {**fsdp, "framework": "Hugging Face Accelerate DeepSpeed", "dp_kind": "ZeRO-3"}
    assert not {"keep_gradients", "working_width"} & launch(buffers).keys()
    assert launch({**ROW, "source": "mbridge-summary"})["gradient_width"] == "2 byte"
    whole = launch({**ROW, "framework": "KempnerForge (no torch.compile)"})
    assert (whole["master_width"], whole["reduce_width"]) == ("2 byte", "4 byte")


def test_parameters_that_autocast_finds_in_32_bits_are_gathered_so() -> None:
    kind = "FSDP full shard (fp32 parameters, bf16 autocast)"
    assert launch({**ROW, "dp_kind": kind})["gather_width"] == "4 byte"
    assert "gather_width" not in launch({**ROW, "dp_kind": "FSDP full shard"})


def test_parameters_in_16_bits_are_masters_but_in_deepspeed() -> None:
    row = {**ROW, "precision": "BF16 parameters, autocast"}
    assert launch({**row, "dp_kind": "DP 1, FSDP2"})["master_width"] == "2 byte"
    assert "master_width" not in launch({**row, "dp_kind": "DP 1, DeepSpeed ZeRO-1"})


def test_an_optimizer_keeps_as_many_values_as_it_has() -> None:
    assert launch({**ROW, "optimizer": "MuonH"})["moment_width"] == "2 byte"
    assert launch({**ROW, "framework": "Megatron-LM, optimizer AdEMAMix"})["moment_width"] == "6 byte"
    assert "moment_width" not in launch({**ROW, "optimizer": "AdamW fused, fp32"})


def test_units_that_stay_gathered_are_copies_in_16_bits() -> None:
    row = {**ROW, "framework": "torchtitan", "dp_kind": "FSDP2"}
    assert launch(row)["working_width"] == "0 byte"
    stays = launch({**row, "dp_kind": "FSDP2 without resharding after forward"})
    assert "working_width" not in stays


def test_programs_with_other_state_are_known_by_their_sources() -> None:
    prime = launch({**ROW, "framework": "torchprime, torch_xla SPMD"})
    assert (prime["master_width"], prime["moment_width"]) == ("2 byte", "0 byte")
    gemini = {**ROW, "framework": "Lightning ColossalAIStrategy", "dp_kind": "Colossal-AI Gemini"}
    assert launch(gemini)["gradient_width"] == "0 byte"
    assert "keep_gradients" not in launch(gemini)
    assert "keep_gradients" not in launch({**ROW, "framework": "GPT-NeoX (DeeperSpeed), PyTorch 1.10"})


def test_a_loss_in_parts_has_as_many_as_its_program_makes() -> None:
    row = {**ROW, "framework": "TRL SFTTrainer, chunked_nll loss", "micro_batch": 1, "cp": 8}
    assert launch({**row, "seq_len": 1048576})["loss_parts"] == 512
    titan = {**ROW, "framework": "torchtitan"}
    assert launch({**titan, "source": "issue-torchtitan-4604"})["loss_parts"] == 8
    assert "loss_parts" not in launch({**titan, "source": "issue-torchtitan-2389"})


def test_the_trainers_optimizer_needs_as_much_again_as_its_weights() -> None:
    trainer = {**ROW, "framework": "Hugging Face Trainer / sft_trainer", "dp_kind": "one replica"}
    assert tables(trainer)["assume"] == {"optimizer_temporary": "4 byte"}
    in_bf16 = {**trainer, "precision": "BF16 throughout"}
    assert tables(in_bf16)["assume"] == {"optimizer_temporary": "2 byte"}


def test_the_fused_loss_of_llama_is_made_in_parts() -> None:
    name = "fms-acceleration {} 1 A100 batch 4 foak-fast-kernels-liger (liger file)"
    model = {**ROW["model"], "vocab": 128256, "hidden": 4096}
    assert launch({**ROW, "name": name.format("Llama-3-8B"), "model": model})["loss_parts"] == 32
    assert "loss_parts" not in launch({**ROW, "name": name.format("Mistral-7B"), "model": model})


def test_state_in_fewer_bytes_is_said_where_the_row_says_it() -> None:
    found = launch({**ROW, "precision": "BF16 weights and states (model.to(bfloat16))"})
    assert (found["master_width"], found["working_width"]) == ("2 byte", "0 byte")
    assert launch({**ROW, "notes": "bf16 exp_avg / exp_avg_sq"})["moment_width"] == "2 byte"
    assert not [key for key in launch(ROW) if "width" in key]
    for words, key, width in (
        ("fp32 main parameters and gradients, bf16 AdamW moments", "moment_width", "2 byte"),
        ("fp32 master weights, gradients reduced in bf16", "reduce_width", "2 byte"),
        ("precision-aware optimizer, BF16 main gradients", "gradient_width", "2 byte"),
        ("BF16 (training.dtype bfloat16)", "master_width", "2 byte"),
    ):
        assert launch({**ROW, "precision": words}).get(key) == width, words
    assert "reduce_width" not in launch({**ROW, "precision": "BF16 (gradients reduced in fp32)"})
    reduced = launch({**ROW, "overlap": "gradient reduce (BF16) and parameter gather overlapped"})
    assert (reduced["gradient_width"], reduced["reduce_width"]) == ("2 byte", "2 byte")


def test_a_loss_makes_as_many_arrays_of_logits_as_its_program() -> None:
    titan = {**ROW, "framework": "torchtitan", "date": "2025-03-19", "tp": 1}

    def width(**more: object) -> str:
        found: str = tables({**titan, **more}).get("assume", {}).get("loss_width", "")
        return found

    assert (width(), width(tp=2), width(date="2024-06-05")) == ("8 byte", "12 byte", "12 byte")
    compiled = {"compile": "torch.compile of model and loss"}
    months = {"2024-11-25": "2 byte", "2025-02-27": "8 byte", "2025-09-11": "2 byte"}
    assert {date: width(**compiled, date=date) for date in months} == months
    assert width(date="2025-09-11", name="DeepSeek-V3 16B") == "2 byte"  # its file compiles the loss
    assert width(compile="backend aot_eager") == width(framework="Megatron-LM") == ""
    assert launch({**titan, **compiled, "date": "2025-09-11"})["logit_width"] == "2 byte"


def test_blocks_run_operation_by_operation_unless_they_are_compiled_or_patched() -> None:
    said = {"torchtitan": False, "torchtitan, torch.compile": True, "LitGPT model, eager, FSDP2": False,
            "DeepSpeed + transformers 5.14.1, no Liger": False}  # fmt: skip
    assert {name: launch({**ROW, "framework": name})["fused_operations"] for name in said} == said
    for name in ("Megatron-LM", "DeepSpeed + transformers 5.14.1 + Liger-Kernel 0.8.0"):
        assert "fused_operations" not in launch({**ROW, "framework": name})


def test_torchtitan_kept_no_all_to_alls_at_first() -> None:
    row = {**ROW, "framework": "torchtitan", "recompute": "selective per op", "ep": 8}
    assert launch({**row, "date": "2025-08-20"})["recompute"].startswith("all but")
    assert launch({**row, "date": "2025-10-02"})["recompute"] == "operations"


def test_tpus_gather_no_block_ahead() -> None:
    assert launch({**ROW, "device": "TPU v6e (Trillium)"})["prefetched_units"] == 0
    assert "prefetched_units" not in launch({**ROW, "device": "NVIDIA H100"})
