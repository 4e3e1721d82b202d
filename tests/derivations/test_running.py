"""Running for weeks: Llama 3's published interruptions, and the interval between checkpoints."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings.derivation.evaluation import DoesNotApplyError
from workings.simulate.failures import ticks_to_finish

DAY, HOUR, MINUTE = 86_400, 3_600, 60
# Llama 3, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 GPUs
LLAMA = {"n": 16_384, "T_obs": 54 * DAY, "N_f": 419}


# --- failures ----------------------------------------------------------------------------------


def test_llama_3_was_interrupted_every_three_hours_and_a_gpu_lasts_six_years() -> None:
    device = at("device-mtbf", **LLAMA)
    assert abs(device / HOUR - 50_000) < 1_000  # often quoted as 50,000 hours
    assert abs(at("job-mtbf", n=16_384, M_d=device) / HOUR - Fraction("3.1")) < Fraction(5, 100)
    assert at("interruptions", n=16_384, M_d=device, T_obs=54 * DAY) == 419


def test_a_single_device_is_its_own_job() -> None:
    assert at("job-mtbf", n=1, M_d=77) == 77


# --- checkpoints -------------------------------------------------------------------------------


def test_the_worked_example_of_a_textbook() -> None:
    # Machine Learning Systems, vol. 2: 2 minutes to write, 3 hours between failures; 26.8 minutes,
    # 15 % lost; 22.8 % at 10 minutes and 20 % at 60
    job = {"n": 1, "M_d": 3 * HOUR, "delta": 2 * MINUTE}
    assert abs(at("checkpoint-interval", tau=1, **job) / MINUTE - Fraction("26.8")) < Fraction(1, 20)
    assert abs(at("checkpoint-least-lost", **job) - Fraction("0.15")) < Fraction(5, 1000)
    assert abs(at("checkpoint-lost-share", tau=600, **job) - Fraction("0.228")) < Fraction(1, 1000)
    assert abs(at("checkpoint-lost-share", tau=3600, **job) - Fraction("0.2")) < Fraction(1, 1000)


def test_llama_3_could_write_a_checkpoint_every_four_minutes() -> None:
    # Section 3.3.1: 2 TB/s sustained; 12 bytes a parameter. 2.4 s, and 2 % lost at best
    write = at("checkpoint-write-time", P=405_853_388_800, w_p=4, w_o=4, W_s="2e12")
    assert abs(write - Fraction("2.435")) < Fraction(1, 100)
    job = {"n": 16_384, "M_d": at("device-mtbf", **LLAMA), "delta": write}
    assert abs(at("checkpoint-interval", tau=1, **job) / MINUTE - Fraction("3.9")) < Fraction(1, 20)
    assert abs(at("checkpoint-least-lost", **job) - Fraction("0.021")) < Fraction(1, 1000)


def test_llama_3s_effective_time_leaves_a_quarter_of_an_hour_for_a_restart() -> None:
    # Section 3.3.4: more than 90 % effective training time
    job = {"n": 16_384, "M_d": at("device-mtbf", **LLAMA), "delta": "2.435"}
    assert at("goodput-best", R=14 * MINUTE, **job) > Fraction(9, 10)
    assert at("goodput-best", R=15 * MINUTE, **job) < Fraction(9, 10)


def test_any_other_interval_loses_more() -> None:
    job = {"n": 16, "M_d": 10**6, "delta": 50}
    best = at("checkpoint-interval", tau=1, **job)
    least = at("checkpoint-least-lost", **job)
    assert abs(at("checkpoint-lost-share", tau=best, **job) - least) < Fraction(1, 10**50)
    for factor in (Fraction(1, 2), Fraction(9, 10), Fraction(11, 10), 2):
        assert at("checkpoint-lost-share", tau=best * factor, **job) > least


def test_goodput_at_the_best_interval_is_the_best_goodput() -> None:
    job = {"n": 16, "M_d": 10**6, "delta": 50, "R": 300}
    best = at("checkpoint-interval", tau=1, n=16, M_d=10**6, delta=50)
    gap = at("goodput", tau=best, **job) - at("goodput-best", **job)
    assert abs(gap) < Fraction(1, 10**50)


def test_where_everything_is_lost_there_is_no_goodput() -> None:
    with pytest.raises(DoesNotApplyError):
        at("goodput", n=100, M_d=1000, delta=5, tau=10, R=20)


def test_checkpoints_twice_as_fast_carry_twice_the_devices() -> None:
    slow, fast = (at("devices-for-lost-share", n=1, M_d=10**8, delta=d, x="0.05") for d in (60, 30))
    assert fast == 2 * slow


def test_wall_time_is_training_time_over_goodput() -> None:
    run = {"P": 405_853_388_800, "T_tok": 15_600 * 10**9, "n": 16384, "C": "989.4e12", "u": "0.4"}
    job = {"M_d": at("device-mtbf", **LLAMA), "delta": "2.435", "R": 600}
    ratio = at("training-time", **run) / at("wall-time", **run, **job)
    assert abs(ratio - at("goodput-best", n=16384, **job)) < Fraction(1, 10**50)


def test_two_minutes_of_saving_after_each_half_hour_stall_a_sixteenth_of_the_time() -> None:
    assert at("checkpoint-stall-share", delta=120, tau=1800) == Fraction(1, 16)
    assert at("checkpoint-stall-share", delta=0, tau=1800) == 0
    # without failures it is what the first order loses, counted from start to start
    lost = at("checkpoint-lost-share", n=1, M_d=10**12, delta=120, tau=1920)
    assert abs(lost - Fraction(1, 16)) < Fraction(1, 10**8)


# --- beyond the first order --------------------------------------------------------------------


def exact_lost_share(ticks: int, write: int, risk: Fraction) -> Fraction:
    """What is not useful of the exact mean time of an interval that ends with a checkpoint."""
    return 1 - Fraction(ticks) / ticks_to_finish(ticks + write, risk)


def test_the_exact_loss_is_near_the_first_order_where_failures_are_rare() -> None:
    gap, write = 10**6, 20  # ticks; the best interval is about 6,325
    risk = Fraction(1, gap)
    exact = float(exact_lost_share(6_325, write, risk))
    first_order = float(at("checkpoint-least-lost", n=1, M_d=gap, delta=write))
    assert exact == pytest.approx(first_order, rel=0.01)


def test_dalys_interval_is_nearer_the_exact_best_than_youngs() -> None:
    gap, write = 100, 20  # so dear a checkpoint that orders matter
    losses = {ticks: exact_lost_share(ticks, write, Fraction(1, gap)) for ticks in range(20, 90)}
    best = min(losses, key=lambda ticks: losses[ticks])
    young = at("checkpoint-interval", tau=1, n=1, M_d=gap, delta=write)
    daly = at("daly-interval", n=1, M_d=gap, delta=write)
    assert abs(daly - best) <= 1
    assert abs(young - best) > 10


def test_daly_does_not_apply_where_checkpoints_outlast_the_time_between_failures() -> None:
    with pytest.raises(DoesNotApplyError):
        at("daly-interval", n=1, M_d=10, delta=20)


def test_restarts_lengthen_an_interval_but_not_more_where_it_is_longer() -> None:
    for ticks in (1, 7, 30):
        plain = at("segment-time", k_s=ticks, q="0.01", r_s=0)
        assert at("segment-time", k_s=ticks, q="0.01", r_s=50) == plain * Fraction("1.5")
