"""How long an amount takes at a rate, said in one sentence."""

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.durations import durations


@pytest.mark.parametrize(
    "sentence",
    [
        "The gradient is 32.8 GB, and at 50 GB/s this takes 0.656 s.",
        "Sending 10 GB over a 25 GB/s link takes 0.4 s.",
        "It takes about 40 ms to read 140 GB at 3.35 TB/s.",
        "A checkpoint of 80 GiB needs 95.4 ms at 900 GB/s.",
        "10 GB 的数据以 2 GB/s 传输,耗时 5 秒。",
        "A computation of 4e17 FLOP takes 404 s at 989 TFLOP/s.",
    ],
)
def test_a_time_that_the_amount_takes_at_the_rate_is_confirmed(sentence: str) -> None:
    assert len(right(durations, sentence)) == 1


@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("The gradient is 32.8 GB, and at 50 GB/s this takes $1.31$ s.", "1.31 s"),
        ("Reading 140 GB of weights at 3.35 TB/s takes 4.2 ms.", "4.2 ms"),
        ("At 400 Gbit/s, 32.8 GB takes 0.082 s.", "0.082 s"),
        ("A 10 GB checkpoint at 2 GB/s needs 50 s.", "50 s"),
        ("10 GB 的数据以 2 GB/s 传输,耗时 20 秒。", "20 秒"),
    ],
)
def test_a_time_that_the_amount_does_not_take_is_wrong(sentence: str, time: str) -> None:
    assert wrong(durations, sentence) == [time]


@pytest.mark.parametrize(
    "page",
    [
        "The ring all-reduce of 32.8 GB at 50 GB/s takes 1.31 s.",
        "We all-reduce the gradient. The 32.8 GB at 50 GB/s takes 1.31 s.",
        "## Round trip\n\nThe 32.8 GB at 50 GB/s takes 1.31 s.",
        "With 50 Gb/s, 32.8 GB takes 0.656 s.",
    ],
)
def test_a_factor_that_the_words_around_may_bring_makes_it_depend(page: str) -> None:
    assert [verdict for _, verdict in claims(durations, page)] == ["depends"]


@pytest.mark.parametrize(
    "page",
    [
        "At 50 GB/s, 32.8 GB takes less than 2 s.",
        "With overlap, 32.8 GB at 50 GB/s takes 0.1 s.",
        "The all-gather of 32.8 GB at 50 GB/s takes 0.574 s.",
        "On 8 GPUs, 32.8 GB at 50 GB/s takes 3 s.",
        "There are 4 links. 32.8 GB at 50 GB/s takes 0.164 s.",
        "32.8 GB at 50 GB/s takes 2 s per layer.",
        "If it were 32.8 GB, at 50 GB/s it takes 2 s.",
        "It does not fit: 32.8 GB at 50 GB/s takes 2 s.",
        "With 989 TFLOP/s, 4e17 FLOP takes 1 s.",
        "We have 32.8 GB at 50 GB/s. It takes 2 s.",
        "With 80 GB at 3.35 TB/s, one token takes 41.8 ms.",
        "With 80 GB of HBM at 3.35 TB/s, reading the weights takes 41.8 ms.",
        "Each sends its share of the 32.8 GB at 50 GB/s, which takes 0.08 s.",
        "The 32.8 GB are read at 50 GB/s while a step takes 2 s and 3 s.",
    ],
)
def test_where_something_else_may_change_the_time_nothing_is_accused(page: str) -> None:
    assert not wrong(durations, page)
