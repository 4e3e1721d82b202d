"""Data parallelism: published volumes, thresholds and limits."""

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from evaluated import at, true_at

from workings.derivation.evaluation import DoesNotApplyError

BF16 = {"w": 2, "g": 2}
LLAMA_3_405B_BLOCK = 2 * 16384 * 16384 + 2 * 16384 * 1024 + 3 * 16384 * 53248 + 2 * 16384


# --- volumes of a step -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "model_sizes"),
    [("ddp", 2), ("zero-1", 2), ("zero-2", 2), ("zero-3", 3)],  # ZeRO, sections 7.1 and 7.2
)
def test_zeros_volumes_are_those_of_its_paper_on_a_large_ring(stage: str, model_sizes: int) -> None:
    whole = at(f"{stage}-volume", P=7_500_000_000, d=2**20)
    assert float(whole / 7_500_000_000) == pytest.approx(model_sizes, rel=2e-6)
    assert whole < model_sizes * 7_500_000_000


def test_sharded_weights_cost_half_as_much_again_on_every_ring() -> None:
    # ZeRO, section 7.2.2: 1.5x
    assert {at("zero-3-over-ddp", P=1, d=d) for d in (2, 3, 64, 1000)} == {Fraction(3, 2)}
    with pytest.raises(DoesNotApplyError, match="d > 1"):
        at("zero-3-over-ddp", P=1, d=1)


def test_one_device_sends_nothing() -> None:
    for stage in ("ddp", "zero-1", "zero-2", "zero-3"):
        assert at(f"{stage}-volume", P=1000, d=1) == 0
        assert at(f"{stage}-step-bytes", P=1000, d=1, m=8, w=2, g=4) == 0


def test_volumes_of_eight_micro_batches_in_model_sizes() -> None:
    # In values of equal width, over (d - 1)/d·P: 2, 2m, 2, m + 1, 3m, 2m, 2m + 1 and 2
    sent = {
        id_: at(f"{id_}-step-bytes", P=64, d=64, m=8, w=1, g=1) / 63
        for id_ in ("ddp", "ddp-synced", "zero-1", "zero-2", "zero-3", "fsdp-kept", "fsdp-no-sync",
                    "fsdp-once")
    }  # fmt: skip
    assert list(sent.values()) == [2, 16, 2, 9, 24, 16, 17, 2]


def test_gradients_and_weights_may_have_bytes_of_their_own() -> None:
    # Gathered in BF16, reduced in FP32, as Llama 3 does (The Llama 3 Herd of Models, section 3.3.2)
    sent = at("fsdp-kept-step-bytes", P=1000, d=4, m=1, w=2, g=4)
    assert sent == Fraction(3, 4) * (2000 + 4000)


def test_gradient_accumulation_hides_a_buffer_of_all_gradients() -> None:
    # Llama 3 405B with FP32 gradients on 128 replicas: 1.6 TB instead of 13 GB
    extra = at("unreduced-gradient-buffer", P=405_000_000_000, d=128, w_g=4)
    assert float(extra) == pytest.approx(1.62e12 - 1.27e10, rel=1e-3)


def test_a_ring_between_hosts_sends_less_than_the_fsdp_paper_prints() -> None:
    # PyTorch FSDP, section 3.2.2, prints 2M(W - 1)/(GW): W - 1 of a ring of the whole world. The
    # all-reduce runs among the W/G hosts, and sends 2M(W - G)/(GW).
    for world, host in ((16, 8), (512, 8)):
        ours = at("hsdp-between-bytes", P=10**9, N=host, n_r=world // host, g=4)
        assert ours == Fraction(2 * 4 * 10**9 * (world - host), host * world)
        assert ours < Fraction(2 * 4 * 10**9 * (world - 1), host * world)


def test_hsdp_on_one_group_is_fsdp_and_on_groups_of_one_is_ddp() -> None:
    sizes = {"P": 120, "m": 3, **BF16}
    assert at("hsdp-inside-bytes", N=8, n_r=1, **sizes) == at("zero-3-step-bytes", d=8, **sizes)
    assert at("hsdp-between-bytes", N=8, n_r=1, P=120, g=2) == 0
    assert at("hsdp-inside-bytes", N=1, n_r=8, **sizes) == 0
    assert at("hsdp-between-bytes", N=1, n_r=8, P=120, g=2) == at("ddp-step-bytes", d=8, P=120, g=2)


# --- memory ------------------------------------------------------------------------------------


def test_a_replica_holds_eight_times_its_bf16_weights() -> None:
    # ZeRO, section 3.1: 2 + 2 + 12 = 16 bytes a parameter. Five tensors, but not five times.
    assert at("ddp-state-over-weights", w_c=2, w_g=2, w_p=4, w_o=4) == 8
    assert at("ddp-state-over-weights", w_c=4, w_g=4, w_p=4, w_o=4) == 5


def test_fsdps_documentation_counts_two_units_and_a_gradient() -> None:
    # PyTorch, BACKWARD_PRE: the current and the next set of parameters and the current gradients
    units = at("fsdp-peak-memory", S=0, d=8, U=32, P_u=100, k_u=1, **BF16)
    assert units == 100 * (2 + 2 + 2)
    assert units == at("fsdp-working-set", D=10, F=5, **BF16)


def test_reductions_behind_the_next_backward_hold_a_gradient_more() -> None:
    sizes = {"S": 10**9, "d": 8, "U": 32, "P_u": 1000, "w": 2, "g": 4}
    alone = at("fsdp-peak-memory", k_u=1, **sizes)
    assert at("fsdp-peak-memory-overlapped", **sizes) - alone == 4 * 1000


def test_a_model_in_one_unit_is_gathered_whole() -> None:
    # Unit by unit 405B at 8 bytes of working set a parameter in 40 GB: at least 81 units
    least = at("fsdp-units-to-fit", k_u=1, P=405 * 10**9, S=0, d=1, M_max=40 * 10**9, w=2, g=4)
    assert least == 81
    with pytest.raises(DoesNotApplyError, match="M_max > S/d"):
        at("fsdp-units-to-fit", k_u=1, P=1, S=81, d=1, M_max=80, w=2, g=4)


# --- buckets -----------------------------------------------------------------------------------


def test_megatrons_default_cuts_llama_3_8b_into_201_buckets() -> None:
    # Megatron Core: 40,000,000 parameters a bucket up to 40 replicas
    assert at("ddp-buckets", P=8_030_261_248, P_b=40_000_000) == 201
    assert at("ddp-last-bucket", P=8_030_261_248, P_b=40_000_000) == 30_261_248
    assert at("ddp-last-bucket", P=80, P_b=40) == 40  # a full one, not an empty one


def test_larger_groups_need_larger_buckets() -> None:
    # Megatron Core: 1,000,000 parameters more a bucket for each replica. Then the share of
    # start-ups stays, as 1/d of a bucket travels in a hop.
    def share_of_start_ups(d: int) -> Any:
        per_hop = Fraction(1, 10**5)
        letters = {"P": 4 * 10**9, "d": d, "k_b": 4000 // d, "g": 4, "W_b": 50 * 10**9}
        start_ups = at("ddp-sync-time", alpha=per_hop, **letters) - at(
            "ddp-sync-time", alpha=0, **letters
        )
        return start_ups / at("ddp-sync-time", alpha=per_hop, **letters)

    assert float(share_of_start_ups(1000)) == pytest.approx(float(share_of_start_ups(100)), rel=1e-2)


def test_only_the_last_bucket_shows_where_compute_is_slower() -> None:
    # NeMo: the overlap exposes only one data-parallel communication chunk
    assert at("ddp-exposed-time", k_b=40, T_c=5, T_a=3) == 3
    assert at("ddp-exposed-time", k_b=40, T_c=3, T_a=5) == 5 + 39 * 2
    assert at("ddp-exposed-time", k_b=1, T_c=3, T_a=5) == 5  # one bucket hides nothing


def test_the_best_number_of_buckets_beats_its_neighbours() -> None:
    letters = {"T_B": Fraction(1), "T_0": Fraction(1, 100), "T_x": Fraction(2)}
    best = at("ddp-best-buckets", **letters)  # ten buckets
    assert best == Fraction(22, 10)
    for buckets in (9, 11):
        sync = buckets * (Fraction(1, 100) + Fraction(2, buckets))
        assert best < Fraction(1, buckets) + sync


def test_half_the_cooldown_hides_gradients_on_average() -> None:
    assert at("cooldown-hidden-sync", p=16, T_p=2, T_s=30) == 15
    assert at("cooldown-hidden-sync", p=1, T_p=2, T_s=30) == 0
    with pytest.raises(DoesNotApplyError):
        at("cooldown-hidden-sync", p=16, T_p=2, T_s=29)


# --- timelines ---------------------------------------------------------------------------------


def test_prefetching_hides_all_gathers_but_the_first() -> None:
    # PyTorch, FSDP Notes: the first all-gather overlaps with nothing
    assert at("fsdp-forward-time", U=32, T_g=3, T_f=5) == 3 + 32 * 5
    assert at("fsdp-exposed-gather-time", U=32, T_g=3, T_f=5) == 3
    assert at("fsdp-unprefetched-forward-time", U=32, T_g=3, T_f=5) == 32 * 8
    assert at("fsdp-prefetch-saving", U=32, T_g=3, T_f=5) == 31 * 3


def test_a_long_backward_shows_one_gather_and_one_reduce() -> None:
    letters = {"U": 32, "T_g": 3, "T_b": 10, "T_r": 4}
    assert at("fsdp-hidden-backward-time", **letters) == 3 + 320 + 4
    assert at("fsdp-backward-time", **letters) == 3 + 320 + 4
    with pytest.raises(DoesNotApplyError):
        at("fsdp-hidden-backward-time", U=32, T_g=3, T_b=6, T_r=4)


# --- compute against communication -------------------------------------------------------------


@pytest.mark.parametrize("id_", ["ddp-hidden-tokens", "fsdp-hidden-tokens"])
@pytest.mark.parametrize(("axes", "tokens"), [(1, 2550), (3, 850)])
def test_the_scaling_books_threshold_is_2550_tokens_a_chip(id_: str, axes: int, tokens: int) -> None:
    # How to Scale Your Model, part 5: C/W = 4.59e14/1.8e11 on TPU v5p, a third on three axes
    letters = {"P": 1, "C": 459 * 10**12, "W_b": axes * 18 * 10**10, "g": 2}
    widths = {} if id_.startswith("ddp") else {"w": 2}
    d = 8960
    assert at(id_, d=d, **letters, **widths) / (d - 1) == tokens


LECTURE = {"s": 8000, "C": 1500 * 10**12, "P_u": LLAMA_3_405B_BLOCK, "d": 1024}
INSIDE, BETWEEN = 10**12, 50 * 10**9  # bytes a second


def test_the_lectures_own_numbers_ask_for_0_19_sequences_inside_a_node() -> None:
    # CS 2281R, lecture 8: α = 1e-6 s, β = 1 TB/s, C = 1500 TFLOP/s, S = 8e3
    batch = at("lecture-fsdp-condition", alpha=0, W_b=INSIDE, **LECTURE)
    assert batch == Fraction(3, 16)
    assert round(float(batch), 2) == 0.19


def test_the_lectures_ten_between_nodes_is_nearer_to_four() -> None:
    # The lecture notes “B ≈ 10”; its own formula gives C/(β·S)
    batch = at("lecture-fsdp-condition", alpha=0, W_b=BETWEEN, **LECTURE)
    assert batch == Fraction(15, 4)


def test_two_flops_and_two_bytes_cancel_in_the_lectures_formula() -> None:
    for link in (INSIDE, BETWEEN):
        theirs = at("lecture-fsdp-condition", alpha=0, W_b=link, **LECTURE)
        assert at("fsdp-smallest-batch", alpha=0, W_b=link, w=2, **LECTURE) == theirs
        assert at("fsdp-smallest-batch", alpha=0, W_b=link, w=4, **LECTURE) == 2 * theirs


def test_start_ups_hardly_matter_for_a_block_of_llama_3_405b() -> None:
    assert LLAMA_3_405B_BLOCK == 3_187_703_808
    alpha = Fraction(1, 10**6)
    with_start_ups = at("fsdp-smallest-batch", alpha=alpha, W_b=BETWEEN, w=2, **LECTURE)
    assert 1 < with_start_ups / Fraction(15, 4) < 1 + Fraction(1, 10**4)


def test_a_compute_bound_group_may_grow_without_end_and_others_not_at_all() -> None:
    letters = {name: value for name, value in LECTURE.items() if name != "d"}
    letters |= {"W_b": BETWEEN, "w": 2}
    alpha = Fraction(1, 10**6)
    assert at("fsdp-most-doublings", b_m=4, alpha=alpha, **letters) > 8000
    assert at("fsdp-most-doublings", b_m=3, alpha=alpha, **letters) < 0


def test_leaving_the_node_multiplies_the_batch_by_the_ratio_of_the_links() -> None:
    # The lecture says that the bandwidth between nodes is the larger one; it is 20 times smaller
    ratio = at("fsdp-batch-between-over-inside", s=8000, P_u=1, d=8, w=2, W_1=INSIDE, W_2=BETWEEN, C=1)
    assert ratio == 20


def test_experts_need_a_batch_as_many_times_larger_as_they_are_sparse() -> None:
    letters = {"alpha": 0, "W_b": BETWEEN, "w": 2, **LECTURE}
    dense = at("fsdp-smallest-batch", **letters)
    assert at("moe-fsdp-smallest-batch", E=256, k_E=8, **letters) == 32 * dense  # DeepSeek-V3's sizes
    flops = at("moe-compute-per-parameter", E=256, k_E=8)
    assert at("fsdp-smallest-batch-general", f=flops, **letters) == 32 * dense


def test_attention_over_long_sequences_hides_more() -> None:
    # Llama 3 405B: 128 heads of 128; at 131,072 tokens attention outweighs the matrices
    short, long = (
        at("attention-compute-per-parameter", P_u=LLAMA_3_405B_BLOCK, s=s, H=128, d_h=128)
        for s in (8192, 131_072)
    )
    assert floor(100 * short) == 216
    assert floor(100 * long) == 469


def test_a_tpu_v5e_needs_fewer_tokens_though_its_links_are_slower_than_nvlink() -> None:
    # Google Cloud, TPU v5e: 197 TFLOP/s, 1,600 Gbit/s a chip. H100: 989.4 TFLOP/s, 450 GB/s.
    letters = {"s": 1, "P_u": 1, "d": 256, "w": 2, "alpha": 0}
    v5e = at("fsdp-smallest-batch", C=197 * 10**12, W_b=200 * 10**9, **letters)
    h100 = at("fsdp-smallest-batch", C=9894 * 10**11, W_b=450 * 10**9, **letters)
    assert v5e == 985
    assert round(h100) == 2199


def test_zero_plus_plus_sends_a_quarter_of_what_zero_sends_between_nodes() -> None:
    # The table of the paper: 3M and 0.75M, M = 2 bytes a parameter, (1 - n_node/N) left out
    nodes = {"P": 10**9, "N": 1024, "n_node": 8, "m": 1}
    plain = at("zero-3-node-bytes", **nodes, w=2, g=2)
    plus = at("zero-plus-plus-node-bytes", **nodes, w=1, g=Fraction(1, 2))
    assert plus / plain == Fraction(1, 4)
    assert plain / (2 * 10**9) == 3 * (1 - Fraction(8, 1024))


def test_a_second_copy_in_every_node_keeps_the_backward_s_gather_inside() -> None:
    # The table of the paper: nothing; a copy over two nodes sends half of the weights for each
    weights = {"P": 10**9, "n_node": 8, "m": 3, "w": 2}
    assert at("hpz-backward-node-bytes", N_2=8, **weights) == 0
    assert at("hpz-backward-node-bytes", N_2=16, **weights) == 3 * 10**9


def test_a_node_alone_sends_nothing_to_others() -> None:
    assert at("zero-3-node-bytes", P=10**9, N=8, n_node=8, m=3, w=2, g=2) == 0


def test_fsdp_gathers_all_layers_twice_but_the_last() -> None:
    assert at("zero-3-gathers", U=32, m=1) == 63  # the playbook's 2*num_layers - 1
    assert at("zero-3-collectives", U=32, m=2) == 2 * (63 + 32)
    assert at("zero-3-gathers", U=1, m=5) == 5


def test_a_mixture_of_128_experts_with_4_a_token_needs_79200_tokens_a_gpu() -> None:
    # The GPU part of the book: E/k*C/W with 990 TFLOP/s and 400 GB/s, (d - 1)/d left out
    mixture = {"P": 10**6, "d": 10**6, "E": 128, "k_E": 4, "g": 2, "C": 990 * 10**12, "W_b": 400 * 10**9}
    assert true_at("moe-ddp-hidden-tokens", B=79_200 * 10**6, **mixture)
    assert not true_at("moe-ddp-hidden-tokens", B=79_199 * 10**6, **mixture)
    dense = {name: n for name, n in mixture.items() if name not in ("E", "k_E")}
    assert true_at("ddp-hidden-tokens", B=2475 * 10**6, **dense)
