"""Absorbing the matrices of latent attention changes the work and not the numbers."""

import pytest

from workings.simulate.latent_decode import absorb, expand, make_heads
from workings.simulate.matmul import ffn_numbers


@pytest.mark.parametrize(
    ("tokens", "rank", "nope", "rope", "value"), [(1, 1, 1, 1, 1), (5, 4, 2, 3, 2), (3, 2, 5, 1, 4)]
)
def test_both_ways_give_the_same_output(tokens: int, rank: int, nope: int, rope: int, value: int) -> None:
    latents, turned = ffn_numbers(tokens, rank, 8), ffn_numbers(tokens, rope, 9)
    for head in make_heads(3, rank, nope, rope, value):
        assert absorb(head, latents, turned).output == expand(head, latents, turned).output


def test_only_scores_and_sums_grow_with_the_cache_when_the_matrices_are_absorbed() -> None:
    (head,) = make_heads(1, 4, 2, 3, 2)
    short, long = (
        absorb(head, ffn_numbers(tokens, 4, 1), ffn_numbers(tokens, 3, 2)) for tokens in (1, 10)
    )
    assert long.once == short.once
    assert long.cache == 10 * short.cache
