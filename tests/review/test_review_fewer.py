"""The fewest devices that keep every limit are the fewest of which a review of their own says GO."""

from dataclasses import replace
from fractions import Fraction

from jobs import gpt3_175b
from reviewed import review

from workings.review.fewer import on_fewest
from workings.review.verdict import verdict

DAY = 24 * 60 * 60


def test_half_the_devices_are_named_where_a_review_of_them_is_go_and_one_of_fewer_is_not() -> None:
    job = gpt3_175b()
    whole = review(job).desk
    assert whole.base["d"] % 4 == 0
    halves = [
        review(job.with_values({"n": whole.base["n"] / by, "d": whole.base["d"] / by})).desk
        for by in (2, 4)
    ]
    most = halves[0].likely("T_run").most * Fraction(101, 100)
    assert most < halves[1].likely("T_run").most
    words = [verdict(type(whole)(replace(one.job, max_time=most), one.plan)).word for one in halves]
    assert words[0] == "GO" != words[1]
    found = review(replace(job, max_time=most))
    told = on_fewest(found.desk)
    assert f"On {int(whole.base['n'] / 2)} devices (DP {int(whole.base['d'] / 2)})" in told
    assert f"{float(halves[0].likely('T_run').middle / DAY):.1f} days" in told
    longer = halves[1].likely("T_run").most * Fraction(101, 100)
    told = on_fewest(review(replace(job, max_time=longer)).desk)
    assert f"On {int(whole.base['n'] / 4)} devices" in told  # where both would do, the fewest


def test_without_a_limit_on_days_or_with_no_devices_to_spare_nothing_is_named() -> None:
    job = gpt3_175b()
    assert on_fewest(review(job).desk) == ""
    days = review(job).desk.likely("T_run")
    assert on_fewest(review(replace(job, max_time=days.most * Fraction(101, 100))).desk) == ""
