"""Gradient accumulation: gathers per micro-batch, work per token."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.accumulate import accumulation_traffic, run_step


def test_each_microbatch_makes_all_its_gathers() -> None:
    assert accumulation_traffic(3, [10, 20]) == 90
    assert accumulation_traffic(2, []) == 0


def test_a_step_gathers_per_microbatch_and_computes_per_token() -> None:
    assert run_step(12, 4, 100, 7) == (Fraction(400), Fraction(84))


@settings(deadline=None, max_examples=50)
@given(tokens=st.integers(1, 200), data=st.data())
def test_more_microbatches_gather_more_for_the_same_work(tokens: int, data: st.DataObject) -> None:
    microbatches = data.draw(st.integers(1, tokens))
    gathered, flops = run_step(tokens, microbatches, Fraction(1, 3), 6)
    assert gathered == accumulation_traffic(microbatches, [Fraction(1, 3)])
    assert flops == run_step(tokens, 1, Fraction(1, 3), 6)[1]


def test_senseless_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="3 tokens are too few for 4 micro-batches"):
        run_step(3, 4, 1, 1)
    with pytest.raises(ValueError, match="tokens must be at least 1"):
        run_step(0, 1, 1, 1)
    with pytest.raises(ValueError, match="microbatches must be at least 1"):
        accumulation_traffic(0, [1])
    with pytest.raises(ValueError, match="must not be below 0"):
        accumulation_traffic(1, [-1])
