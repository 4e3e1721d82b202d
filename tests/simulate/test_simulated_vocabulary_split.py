"""A vocabulary split over ranks gives what the whole one gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from workings.simulate.block_matrices import numbers
from workings.simulate.vocabulary_split import gather_logits, look_up, split_loss

ranks = st.integers(min_value=1, max_value=7)
vocabularies = st.integers(min_value=1, max_value=9)


@settings(deadline=None, max_examples=50)
@given(count=ranks, vocab=vocabularies, tokens=st.integers(1, 6), width=st.integers(1, 4))
def test_every_rank_ends_with_the_rows_of_all_tokens(
    count: int, vocab: int, tokens: int, width: int
) -> None:
    moved = look_up(count, [7 * n % vocab for n in range(tokens)], vocab, width)
    assert moved.sent * count == 2 * (count - 1) * tokens * width


@settings(deadline=None, max_examples=50)
@given(count=ranks, vocab=vocabularies, tokens=st.integers(1, 6))
def test_probabilities_of_split_logits_are_those_of_whole_ones(
    count: int, vocab: int, tokens: int
) -> None:
    logits = numbers(tokens, vocab, 3)
    moved = split_loss(count, logits, [5 * n % vocab for n in range(tokens)])
    assert [name for name, _ in moved.calls] == ["largest", "target", "sum"]
    assert moved.sent * count == 3 * 2 * (count - 1) * tokens


@settings(deadline=None, max_examples=30)
@given(count=ranks, vocab=vocabularies)
def test_gathering_logits_moves_the_whole_vocabulary(count: int, vocab: int) -> None:
    assert gather_logits(count, numbers(4, vocab, 3)).sent * count == (count - 1) * 4 * vocab
