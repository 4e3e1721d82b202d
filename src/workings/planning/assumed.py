"""What a plan assumes where the job says nothing: a value, the range it may lie in, and why.

`low` is the end of the range at which memory or time is least, `high` that at which it is most.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from workings.units import parse_quantity


class Assumption(NamedTuple):
    """A default, by the name of its concept."""

    name: str
    value: str
    low: str
    high: str
    source: str

    @property
    def numbers(self) -> tuple[Fraction, Fraction, Fraction]:
        """Value, low and high in base units."""
        return _number(self.value), _number(self.low), _number(self.high)


FLOORS: Mapping[str, Fraction] = {"imbalance": Fraction(1)}  # the busiest has no less than the mean


_GAPS = "launches, gaps between kernels, products too short to fill a device: fitted to published runs"
_EXPERTS = "small kernels, waits for how many tokens come to an expert: fitted to published runs"

_SHARDS = "gathers that start late, copies into and out of what is sent: fitted to published runs"


@cache
def _number(text: str) -> Fraction:
    return parse_quantity(text).value


ASSUMPTIONS: Mapping[str, Assumption] = {
    a.name: a
    for a in (
        Assumption("matmul_efficiency", "0.55", "0.8", "0.3",
                   "of hardware on which no published run is known; of other hardware by its generation "
                   "and the precision, fitted to published runs (planning/usual.py)"),
        Assumption("attention_efficiency", "0.5", "0.75", "0.3",
                   "FlashAttention-2 reaches 50 to 73 % on A100 and 35 % on H100, FlashAttention-3 75 % "
                   "(Dao 2023, section 1; Shah et al. 2024, abstract)"),
        Assumption("memory_efficiency", "0.8", "0.9", "0.7", "assumed"),
        # Low ends, for short messages and for a crowded network, have no source.
        Assumption("link_efficiency", "0.8", "0.85", "0.6",
                   "370 of 450 GB/s on H100, 230 of 300 on A100 (nccl-tests, issues 212, 149); elsewhere "
                   "assumed"),
        Assumption("network_efficiency", "0.8", "0.95", "0.6",
                   "40 of 50 GB/s (arXiv 2505.09343, section 4.3), 46 to 48 at best (nccl-tests, issue "
                   "290)"),
        Assumption("block_gaps", "2 ms", "0.5 ms", "5 ms", _GAPS),
        Assumption("expert_gaps", "12 ms", "3 ms", "30 ms", _EXPERTS),
        Assumption("shard_gaps", "6 ms", "1 ms", "12 ms", _SHARDS),
        Assumption("tp_hidden", "0", "0.4", "0", "assumed: nothing overlaps"),
        Assumption("ep_hidden", "0", "0.93", "0",
                   "assumed: what is exchanged with experts is waited for; Megatron-LM's overlap of two "
                   "micro-batches hid 93 % on H100 (arXiv 2603.07685, section 4.2.3)"),
        Assumption("pp_hidden", "0", "1", "0", "assumed: sends are waited for"),
        Assumption("dp_hidden", "1", "1", "0", "assumed: buckets reduced beside the backward"),
        Assumption("gradients_by_turn", "0", "0", "0",
                   "reduced after each micro-batch, as PyTorch's FSDP2 does unless told otherwise "
                   "(pytorch, pull request 126166)"),
        Assumption("core_computed", "0.5", "0.5", "1", "FlashAttention skips masked blocks"),
        Assumption("core_counted", "0.5", "0.5", "0.5",
                   "a causal mask leaves half of the scores, and Megatron-LM counts these (training.py)"),
        Assumption("imbalance", "1.1", "1", "3",
                   "assumed: a balanced router, 1 without experts; learned ones had 1.3 in the mean and "
                   "2.0 on the worst of 64 ranks at the start (marin-community/marin, issue 7668), and "
                   "1.3 to 2.9 in the mean late in training, 4.0 with serving (arXiv 2606.04101)"),
        Assumption("device_context", "0.6 GB", "0.4 GB", "1 GB", "assumed: CUDA context and libraries"),
        Assumption("communicator", "0.7 GB", "0.57 GB", "3.3 GB",
                   "NCCL's buffers: 544 MiB a group of two A100s and 688 a larger one (nccl, issue 964), "
                   "576 on GB200 (sglang, pull request 30908), 7 GB of Megatron-LM's four groups "
                   "(verl, pull request 6408), 6 GB of three groups (nccl, issue 864), 3.3 GB "
                   "for all-to-alls of eight H100s (nccl, issue 1685)"),
        Assumption("workspace", "0.1 GB", "0.03 GB", "0.3 GB", "assumed: cuBLAS workspaces"),
        Assumption("fragments", "0.03", "0", "0.1", "assumed: caching allocator"),
        Assumption("gradient_pool", "1", "0", "1",
                   "PyTorch's FSDP reduces gradients on a stream of its own, whose memory no other takes "
                   "(pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce)"),
        Assumption("loss_apart", "1", "0", "1",
                   "PyTorch's allocator keeps the place of what a block made, which the loss's larger "
                   "arrays do not fit into (torchtitan's published peaks, benchmarks/validation/memory)"),
        Assumption("optimizer_temporary", "0 byte", "0 byte", "4 byte", "assumed: a fused optimizer"),
        Assumption("loss_width", "4 byte", "4 byte", "12 byte",
                   "assumed: a fused loss; PyTorch's own makes two arrays of the logits in FP32, with "
                   "tensor parallelism three"),
        Assumption("host_link", "50 GB/s", "60 GB/s", "20 GB/s",
                   "assumed: PCIe 5.0 x16 has 64 GB/s each way, 4.0 half of it"),
        Assumption("host_memory", "40 GB/s", "70 GB/s", "20 GB/s",
                   "assumed: eight devices share two sockets of eight DDR5-4800 channels, 614 GB/s, and "
                   "reach half of it"),
        Assumption("goodput", "0.9", "0.98", "0.7",
                   "above 90 % (The Llama 3 Herd of Models, section 3.3.4), 97 of three months on 9,600 "
                   "GPUs (arXiv 2509.16293), 85 and later 97 (Gemini, section 3), 78 with restarts by "
                   "hand and 99 without (arXiv 2404.10630); below all of these, 59 of OPT-175B in "
                   "2021 (33 of 56 days, metaseq's chronicles)"),
    )
}  # fmt: skip

# Of programs whose published runs have others; a step for TPUs is compiled as a whole.
_LIKE_MEGATRON = "of Megatron-LM and what was made from it"
_ON_TPUS = "assumed: a step is compiled as a whole"
_BY_XLA = ("XLA cuts such products so that each part is sent beside the next (Wang et al., ASPLOS 2023), "
           "and MaxText's runs on v5p take little more than their compute")  # fmt: skip
_ON_WIRES = "assumed: as of other devices' links"
_PLACED = ("XLA places a step's arrays as a whole: in a Llama of 8 blocks, compiled for v6e by libtpu "
           "0.0.52, a block computed again takes the place that the loss's arrays had")  # fmt: skip
_BY_TWOS = ("XLA keeps logits and their gradient in 16 bits each, four bytes in all, which are the "
            "logits' here: MaxText's loss, compiled for v6e by libtpu 0.0.52 (optax's: six)")  # fmt: skip
_IN_RESERVE = ("none on TPUs: what the runtime reserves is not in the bytes that the device reports, and "
               "arrays are sent from where they lie")  # fmt: skip
_OF_PROGRAMS: Mapping[str, Mapping[str, Assumption]] = {
    program: {a.name: a for a in some}
    for program, some in {
        "megatron": (
            Assumption("block_gaps", "0.5 ms", "0 ms", "2 ms", f"{_GAPS} {_LIKE_MEGATRON}"),
            Assumption("expert_gaps", "4 ms", "1 ms", "10 ms", f"{_EXPERTS} {_LIKE_MEGATRON}"),
            Assumption("shard_gaps", "2 ms", "0 ms", "6 ms", f"{_SHARDS} {_LIKE_MEGATRON}"),
        ),
        "torchtitan": (
            Assumption(
                "block_gaps", "7 ms", "2 ms", "14 ms", f"{_GAPS} of torchtitan, nearly all sharded"
            ),
            Assumption(
                "shard_gaps",
                "1 ms",
                "0 ms",
                "2 ms",
                "weights that are gathered once a step took 3 % less time (torchtitan, pull request 822)",
            ),
        ),
        "TPU": (
            *(
                Assumption(f"{kind}_gaps", "0 ms", "0 ms", "1 ms", _ON_TPUS)
                for kind in ("block", "expert", "shard")
            ),
            Assumption("tp_hidden", "0.9", "1", "0", _BY_XLA),
            Assumption(
                "link_efficiency",
                "0.95",
                "1",
                "0.8",
                "about 95 % of what is claimed, on a TPU v5e slice of 8 x 16 (How to Scale Your "
                "Model, chapter 3)",
            ),
            Assumption("network_efficiency", "0.8", "0.95", "0.6", _ON_WIRES),
            *(
                Assumption(name, "0 byte", "0 byte", "0 byte", _IN_RESERVE)
                for name in ("device_context", "communicator", "workspace")
            ),
            Assumption("gradient_pool", "0", "0", "0", _ON_TPUS),
            Assumption("loss_apart", "0", "0", "0", _PLACED),
            Assumption("loss_width", "0 byte", "0 byte", "2 byte", _BY_TWOS),
            Assumption(
                "fragments", "0.03", "0", "0.1", "assumed: gaps between the arrays that XLA places"
            ),
        ),
    }.items()
}


def default_of(name: str, program: str = "", generation: str = "") -> Assumption:
    """What is assumed: of devices of a generation, else of the program that a job names, else of all."""
    found = (_OF_PROGRAMS.get(by, {}).get(name) for by in (generation.partition(" ")[0], program))
    return next((one for one in found if one is not None), ASSUMPTIONS[name])
