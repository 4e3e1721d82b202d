"""Pipelines: published bubbles and rates, identities between schedules, and the seeds put right."""

from fractions import Fraction
from typing import Any

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import holds
from workings.simulate.dualpipe import dualpipe
from workings.simulate.interleaved import interleaved
from workings.simulate.pipeline import gpipe


def at(id_: str, **letters: int | Fraction | str) -> Any:
    return value_of(catalogue.get(id_), {name: Fraction(n) for name, n in letters.items()})


def true_at(id_: str, **letters: int | Fraction | str) -> bool:
    what = catalogue.get(id_)
    known = {name: Fraction(n) for name, n in letters.items()}
    return holds(what.condition, what.setting.complete(known))


def near(found: Fraction, printed: str) -> bool:
    """Whether a value rounds to a printed one, to as many digits."""
    return f"{float(found):.{len(printed.partition('.')[2])}f}" == printed


THIRDS = {"T_F": 1, "T_B": 1, "T_W": 1}

# --- GPipe and 1F1B -------------------------------------------------------------------------------


def test_a_pipeline_with_a_single_micro_batch_is_naive_model_parallelism() -> None:
    assert at("naive-pipeline-idle", p=4) == Fraction(3, 4)
    assert at("pipeline-bubble-total", p=4, m=1) == Fraction(3, 4)
    assert at("pipeline-bubble", p=4, m=1) == 3  # three times the ideal time


def test_at_four_micro_batches_a_stage_less_than_a_fifth_of_the_time_is_lost() -> None:
    # GPipe, section 2.3: the bubble is negligible from M = 4K; its own formula gives these shares
    assert [near(at("idle-share-per-stage", p=k, r=4), x) for k, x in
            ((2, "0.1111"), (4, "0.1579"), (8, "0.1795"), (64, "0.1975"))] == [True] * 4  # fmt: skip
    assert at("idle-share-per-stage", p=10**6, r=4) < Fraction(1, 5)


def test_1f1b_is_as_long_as_gpipe() -> None:
    letters: dict[str, int | str] = {
        "p": 8, "m": 24, "T_F": "18.522", "T_B": "18.086", "T_W": "9.337"
    }  # fmt: skip
    assert at("one-f-one-b-time", **letters) == at("gpipe-time", **letters)


# Qi et al. (Zero Bubble): stages, micro-batches, T_F, T_B, T_W, T_comm (table 6), rate (table 5)
RATES = [
    (8, 24, "18.522", "18.086", "9.337", "0.601", "0.2431"),
    (8, 64, "29.935", "29.621", "19.388", "0.535", "0.1091"),
    (16, 48, "11.347", "11.248", "8.132", "0.377", "0.2552"),
    (32, 256, "10.402", "10.248", "7.698", "0.460", "0.1352"),
]


@pytest.mark.parametrize(("p", "m", "f", "b", "w", "sending", "rate"), RATES)
def test_published_bubble_rates_of_1f1b_follow_from_its_time_and_its_waiting_for_messages(
    p: int, m: int, f: str, b: str, w: str, sending: str, rate: str
) -> None:
    times: dict[str, int | str] = {"p": p, "m": m, "T_F": f, "T_B": b, "T_W": w}
    hop: dict[str, int | str] = {
        "t": 1, "alpha_2": sending, "W_2": 10**12, "a": "0.000000001", "s": 1, "b_m": 1, "D": 1
    }  # fmt: skip
    ideal = at("pipeline-ideal-time", **times)
    cost = at("one-f-one-b-time", **times) + at("one-f-one-b-exposed-sending", **times, **hop)
    assert near((cost - ideal) / cost, rate)


def test_gpipe_waits_for_messages_at_its_ends_only() -> None:
    hop: dict[str, int | str] = {"t": 1, "alpha_2": 0, "W_2": 1, "a": 1, "s": 1, "b_m": 1, "D": 1}
    letters: dict[str, int | str] = {"p": 4, "m": 8, "T_F": 10, "T_B": 10, "T_W": 10, **hop}
    # three hops there and three back; 1F1B waits for three more every fourth micro-batch
    assert at("gpipe-time-sending", **letters) - at("gpipe-time", **letters) == 6
    assert at("one-f-one-b-exposed-sending", **letters) == 6 + 2 * 5


def test_gpipe_s_formula_says_that_it_does_not_apply_where_links_are_slower_than_ranks() -> None:
    hop: dict[str, int | str] = {"t": 1, "alpha_2": 0, "W_2": 1, "a": 2, "s": 1, "b_m": 1, "D": 1}
    with pytest.raises(DoesNotApplyError, match="T_hop <= T_F"):
        at("gpipe-time-sending", p=4, m=8, **THIRDS, **hop)


# --- interleaving ---------------------------------------------------------------------------------


def test_v_chunks_divide_the_bubble_by_v() -> None:
    # Narayanan et al., section 2.2.2
    assert at("interleaved-bubble", p=8, m=32, v=1) == at("pipeline-bubble", p=8, m=32)
    assert at("interleaved-bubble", p=8, m=32, v=4) == at("pipeline-bubble", p=8, m=32) / 4
    assert at("interleaved-time", p=8, m=32, v=2, **THIRDS) == 96 * (1 + Fraction(7, 64))


def test_interleaving_needs_micro_batches_in_multiples_of_the_stages() -> None:
    for id_ in ("interleaved-bubble", "interleaved-time", "pp-volume-interleaved"):
        with pytest.raises(DoesNotApplyError, match="m to be divisible by p"):
            at(id_, p=4, m=6, v=2, **THIRDS, a=2, s=1, b_m=1, D=1)


def test_the_second_seed_s_bubble_is_half_of_the_real_one() -> None:
    # It says (P-1)/(2MV). That is the wait at one end only, and only if a backward takes no longer
    # than a forward.
    p, m, v = 8, 128, 2  # the seed's example
    seed = Fraction(p - 1, 2 * m * v)
    assert at("interleaved-bubble-start", p=p, m=m, v=v) == seed
    assert at("interleaved-bubble", p=p, m=m, v=v) == 2 * seed
    run = interleaved(p, m, v, 1, 1)
    assert Fraction(run.idle(p - 1)) / run.busy(p - 1) == 2 * seed
    with_real_backward = interleaved(p, m, v, 1, 2)
    assert Fraction(with_real_backward.of(p - 1)[0].start) / with_real_backward.busy(0) < seed


def test_the_second_seed_s_rule_leaves_a_bubble_of_up_to_a_quarter_to_an_eighth() -> None:
    # num_microbatches = 4-8 × PP, here with its PP = 8
    assert at("bubble-per-stage", p=8, r=4) == Fraction(7, 32)
    assert at("bubble-per-stage", p=8, r=8) == Fraction(7, 64)


def test_data_parallel_replicas_divide_the_micro_batches() -> None:
    # The second seed computes 128 micro-batches as 8 stages × 8 replicas × 2 chunks. With 128
    # micro-batches in each of 8 replicas the batch would be 1,024 micro-batches.
    assert at("replica-microbatches", b=128, d=8, b_m=1) == 16
    assert at("replica-microbatches", b=1024, d=8, b_m=1) == 128


def test_replicas_shrink_the_bubble_of_a_fixed_cluster() -> None:
    # Narayanan et al., section 3.3.1: (n - d)/b' with t = 1; figure 6 draws n = 32, b' = 128
    shares = [at("pipeline-bubble-devices", n=32, t=1, d=d, b=128, b_m=1) for d in (1, 4, 16, 32)]
    assert shares == [Fraction(31, 128), Fraction(28, 128), Fraction(16, 128), 0]


# --- zero bubble and DualPipe ---------------------------------------------------------------------


def test_equal_thirds_leave_zb_h1_a_third_of_the_bubble_and_zb_h2_none() -> None:
    # Qi et al., sections 2.1 and 2.2
    assert at("zb-h1-bubble", p=8, m=24, **THIRDS) * 3 == at("one-f-one-b-bubble", p=8, m=24, **THIRDS)
    assert at("zb-h1-bubble-equal", p=8, m=24) * 3 == at("pipeline-bubble", p=8, m=24)
    assert at("zb-h2-bubble", p=8, m=24, **THIRDS) == 0


def test_deepseek_s_table_2_reads_the_backward_as_both_halves() -> None:
    # PP = 8, F = 1, B = 2 (both halves), W = 1, F&B = 3: 1F1B 7·(F + B), ZB1P 7·(F + B - 2W),
    # DualPipe (8/2 - 1)·(F&B + B - 3W); parameters 2×, activations PP + 1
    assert at("one-f-one-b-bubble", p=8, m=20, **THIRDS) == 7 * (1 + 2)
    assert at("zb-h1-bubble", p=8, m=20, **THIRDS) == 7 * (1 + 2 - 2 * 1)
    assert at("dualpipe-bubble", p=8, m=20, **THIRDS, T_FB=3) == 3 * (3 + 2 - 3 * 1)
    assert at("dualpipe-in-flight", p=8, m=20) == 9
    assert at("dualpipe-parameters", p=8, L=64, P_l=10) == 2 * 640 // 8
    # DeepSeek-V3: 61 blocks on 16 stages, so 5 pairs of 8 hold 8 blocks and 3 hold 7.
    assert at("dualpipe-parameters", p=16, L=61, P_l=10) == 80
    assert at("dualpipe-parameters", p=16, L=17, P_l=10) == 30


def test_dualpipe_s_published_bubble_is_off_where_a_gradient_and_a_forward_differ() -> None:
    # T_F = 2, gradient of the input 3, of the weights 1, F&B = 6: the table says 3·(6 + 4 - 3) = 21
    run = dualpipe(8, 20, 2, 3, 1, 6)
    assert max(run.idle(rank) for rank in range(8)) == 19
    # T_F = 3, gradient of the input 2: the table says 3·(6 + 3 - 3) = 18, which cannot be kept
    run = dualpipe(8, 20, 3, 2, 1, 6)
    assert max(run.idle(rank) for rank in range(8)) == 21
    assert at("dualpipe-bubble", p=8, m=20, T_F=3, T_B=2, T_W=1, T_FB=6) == 21


def test_split_backwards_say_where_they_do_not_apply() -> None:
    with pytest.raises(DoesNotApplyError, match="T_W <= T_F"):
        at("zb-h1-bubble", p=4, m=8, T_F=1, T_B=2, T_W=2)
    with pytest.raises(DoesNotApplyError, match=r"m >= 2\*p - 1"):
        at("zb-h2-bubble", p=4, m=6, **THIRDS)
    with pytest.raises(DoesNotApplyError, match=r"m >= 2\*p"):
        at("dualpipe-bubble", p=4, m=6, **THIRDS, T_FB=2)
    with pytest.raises(DoesNotApplyError, match="T_B <= T_F"):
        at("dualpipe-bubble", p=8, m=20, T_F=2, T_B=3, T_W=1, T_FB=6)


def test_chimera_waits_less_than_half_as_long_as_1f1b() -> None:
    # in the merged schedule of 8 ranks: 6 ticks of waiting, where 1F1B has 2·(8 - 1). The abstract of
    # Li and Hoefler says "up to 50%" fewer
    tick = {"T_F": 2, "T_B": 1, "T_W": 1}
    assert at("chimera-bubble", p=8, **tick) == 6 * 2
    assert at("one-f-one-b-bubble", p=8, m=8, **tick) == 14 * 2
    assert at("chimera-bubble", p=2, **tick) == 0
    with pytest.raises(DoesNotApplyError, match="T_F <= T_B"):
        at("chimera-bubble", p=8, T_F=3, T_B=1, T_W=1)


def hop(seconds: int | str) -> dict[str, int | str]:
    """A message between stages that takes so long."""
    return {"t": 1, "alpha_2": seconds, "W_2": 10**12, "a": 0, "s": 1, "b_m": 1, "D": 1}


def test_with_equal_times_and_no_sending_the_first_stage_warms_up_as_on_zb_h2() -> None:
    # Qi et al., section 2.2: 2p - 1 activations on the first stage
    letters: dict[str, Any] = {"p": 8, "T_F": 1, "T_B": 1, **hop(0)}
    assert at("zero-bubble-warm-up", **letters) == at("undelayed-warm-up", **letters) == 15
    assert at("first-backward-bubble", **letters, n_w=15) == 0
    assert at("first-backward-bubble", **letters, n_w=8) == 7  # 1F1B's, as long as the way back
    with pytest.raises(DoesNotApplyError, match="n_w"):
        at("first-backward-bubble", **letters, n_w=16)


@pytest.mark.parametrize(
    ("row", "bound"), [(RATES[0], 22), (RATES[1], 22), (RATES[2], 46), (RATES[3], 96)]
)
def test_the_papers_number_of_forwards_for_zero_bubble_is_enough_and_more_than_2p_minus_1(
    row: tuple[int, int, str, str, str, str, str], bound: int
) -> None:
    # Appendix B at the times of table 9: floor(((p - 1)(T_B + 2T_comm) + (2p - 1)T_F)/T_F)
    p, _, forward, back, _, sending, _ = row
    found = at("zero-bubble-warm-up", p=p, T_F=forward, T_B=back, **hop(sending))
    assert 2 * p - 1 < found <= bound
    assert found == {8: 22, 16: 46, 32: 94}[p]


def test_the_warm_up_that_delays_nothing_is_about_2p_at_the_papers_times() -> None:
    # 7 gradients and 14 messages take 135 ms, 7.29 forwards of 18.522 ms
    times: dict[str, Any] = {"p": 8, "T_F": "18.522", "T_B": "18.086", **hop("0.601")}
    assert at("undelayed-warm-up", **times) == 15
    assert near(at("first-backward-bubble", **times, n_w=15), "5.362")  # 0.29 of a forward is left


# --- how many micro-batches -----------------------------------------------------------------------


def test_micro_batches_for_a_bubble_are_found_from_either_definition() -> None:
    # 8 stages: at most 10 % over ideal time from 70 micro-batches, over total time from 63
    assert true_at("microbatches-for-bubble", p=8, m=70, x="0.1")
    assert not true_at("microbatches-for-bubble", p=8, m=69, x="0.1")
    assert true_at("microbatches-for-idle-share", p=8, m=63, y="0.1")
    assert not true_at("microbatches-for-idle-share", p=8, m=62, y="0.1")


def test_the_lecture_s_idle_share_is_a_little_too_large() -> None:
    # The third seed: p/(p + k) of the time, so a quarter at k = 3p. Exactly (p - 1)/(4p - 1).
    assert at("idle-share-bound", p=4, m=12) == Fraction(3, 15)
    assert at("idle-share-per-stage", p=4, r=3) == Fraction(3, 15)
    assert near(at("idle-share-per-stage", p=64, r=3), "0.2471")


def test_the_lecture_s_serial_factor_of_3_is_4_less_one_pth() -> None:
    # 3 micro-batches a stage (the amortization) take 3 turns, and filling the pipeline one more
    assert at("pipeline-serial-factor", p=4, m=12) == 4 - Fraction(1, 4)
    assert at("pipeline-serial-factor", p=1, m=3) == 3


def test_the_lecture_s_quadratic_run_time_needs_a_batch_that_does_not_grow() -> None:
    run = {"L_p": 12, "T_l": 1, "P_l": 10**6, "c_t": 20, "b_m": 1, "s": 1000}

    def growth(id_: str, **fixed: int) -> float:
        one, twice = (at(id_, p=p, **fixed, **run) for p in (10**6, 2 * 10**6))
        return float(twice / one)

    assert growth("depth-run-time", m=12) == pytest.approx(4, rel=1e-4)
    assert growth("depth-run-time-filled", r=3) == pytest.approx(2, rel=1e-4)


def test_p_micro_batches_in_every_replica_fill_the_pipelines() -> None:
    assert true_at("batch-to-fill-pipeline", p=8, d=4, b_m=2, b=64)
    assert not true_at("batch-to-fill-pipeline", p=8, d=4, b_m=2, b=63)


# --- what is sent ---------------------------------------------------------------------------------


def test_a_step_s_point_to_point_bytes_count_both_directions_all_boundaries_all_micro_batches() -> None:
    # GPT-3's width on 8 stages, micro-batches of one sequence of 2,048 tokens in 2 bytes: 50.3 MB
    letters = {"a": 2, "s": 2048, "b_m": 1, "D": 12288}
    assert at("pp-boundary-bytes", **letters) == 2 * 50_331_648
    assert at("pp-volume", p=8, m=64, **letters) == 7 * 64 * 2 * 50_331_648
    assert at("pp-boundary-bytes-scattered", t=8, **letters) == 2 * 50_331_648 // 8


def test_interleaving_sends_more_than_v_times_as_much() -> None:
    # Narayanan et al., section 2.2.2, say v; the way from the last rank to the first adds to it
    assert at("interleaved-traffic-factor", p=8, m=64, v=2) == Fraction(15, 7)
    assert at("interleaved-traffic-factor", p=2, m=64, v=2) == 3
    assert near(at("interleaved-traffic-factor", p=10**4, m=10**4, v=2), "2.000")


def test_a_stage_of_gpt3_hides_its_messages_even_on_slow_links() -> None:
    # 96 layers of 12·12,288² parameters on 8 stages of an A100 (312 TFLOP/s): under 0.2 GB/s a device
    letters: dict[str, int | str] = {
        "p": 8, "v": 1, "t": 8, "L": 96, "P_l": 12 * 12288**2, "C": 312 * 10**12, "a": 2, "D": 12288,
        "s": 2048, "b_m": 1,
    }  # fmt: skip
    assert true_at("pp-bandwidth-to-hide", **letters, W_2=2 * 10**8)
    assert not true_at("pp-bandwidth-to-hide", **letters, W_2=10**8)


def test_all_transfers_of_a_pipeline_take_a_message_for_each_micro_batch_and_for_each_boundary() -> None:
    # Scaling book, GPUs: 2BD/(W·n_mb)·(n_mb + n_stages - 2); 64 Ki tokens, width 8,192 at 400 GB/s
    step = {"m": 16, "t": 1, "alpha_2": 0, "W_2": 4 * 10**11, "a": 2, "s": 4096, "b_m": 1, "D": 8192}
    assert near(at("pipeline-transfer-time", p=4, **step) * 1000, "3.020")
    assert at("pipeline-transfer-time", p=2, **step) == 16 * at("pp-message-time", **step)


# --- stages that differ ---------------------------------------------------------------------------


def test_126_layers_on_16_stages_cost_as_much_as_128() -> None:
    # Llama 3 405B: the fullest stage has 8 layers, so 126 layers take nearly as long as 128 would
    uneven = at("uneven-layers-time", p=16, m=128, L=126, T_l=1)
    even = at("gpipe-time", p=16, m=128, T_F=2, T_B=3, T_W=3)
    assert uneven == 126 + 127 * 8
    assert even == 143 * 8
    assert even - uneven == 2


def test_equal_stages_are_a_case_of_stages_that_differ() -> None:
    assert at("uneven-stages-time", p=4, m=8, T_all=12, T_max=3) == gpipe(4, 8, 1, 2).makespan
    assert at("uneven-layers-time", p=4, m=8, L=16, T_l=3) == 4 * gpipe(4, 8, 1, 2).makespan


def test_a_model_of_96_layers_has_6_in_each_of_8_times_2_chunks() -> None:
    assert at("layers-per-chunk", L=96, p=8, v=2) == 6
    assert at("layers-per-chunk", L=12, p=2, v=4) == 2
    assert at("layers-per-chunk", L=126, p=16, v=1) == 8
    with pytest.raises(DoesNotApplyError, match=r"L >= p\*v"):
        at("layers-per-chunk", L=126, p=16, v=8)


def test_a_layer_less_at_both_ends_makes_room_for_embedding_and_head() -> None:
    # Llama 3, section 3.3.2: one layer was removed from the first and one from the last stage; 126
    # layers are 7 + 14·8 + 7. A head as long as a layer then costs nothing a turn.
    ends = {"p": 16, "m": 128, "L_mid": 8, "T_l": 1, "T_emb": 0, "T_head": 1}
    assert at("uneven-ends-time", **ends, L_first=7, L_last=7) == 127 + 127 * 8
    assert at("uneven-ends-time", **ends, L_first=6, L_last=8) == 127 + 127 * 9
    with pytest.raises(DoesNotApplyError, match="p > 2"):
        at("uneven-ends-time", **{**ends, "p": 2}, L_first=7, L_last=7)


def test_equal_ends_without_embedding_and_head_are_equal_stages() -> None:
    even = {"L_first": 4, "L_mid": 4, "L_last": 4, "T_l": 3, "T_emb": 0, "T_head": 0}
    assert at("uneven-ends-time", p=4, m=8, **even) == 4 * gpipe(4, 8, 1, 2).makespan
