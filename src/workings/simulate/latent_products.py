"""Multi-head latent attention written down product by product, as it is trained.

Keys and values are brought up from the compressed vector for every head (an inference engine may
multiply the matrices with each other instead). The part of a key that carries position is the same
for all heads.
"""

from dataclasses import dataclass

from .products import Operand, Tape


@dataclass(frozen=True)
class Latent:
    """Sizes of latent attention; `q_rank` 0 says that the query is not compressed."""

    d_model: int
    heads: int
    q_rank: int
    kv_rank: int
    nope: int
    rope: int
    value: int


def write_latent_projections(tape: Tape, tokens: int, sizes: Latent) -> None:
    """Tokens to compressed vectors, up to queries, keys and values of each head, and back."""
    x = Operand(tokens, sizes.d_model)
    query = x
    if sizes.q_rank:
        query = tape.multiply("projections", x, Operand(sizes.d_model, sizes.q_rank))
    joined = Operand(sizes.d_model, sizes.kv_rank + sizes.rope)
    tape.multiply("projections", x, joined)
    latent = Operand(tokens, sizes.kv_rank)
    for _ in range(sizes.heads):
        tape.multiply("projections", query, Operand(query.columns, sizes.nope + sizes.rope))
        tape.multiply("projections", latent, Operand(sizes.kv_rank, sizes.nope))
        tape.multiply("projections", latent, Operand(sizes.kv_rank, sizes.value))
    heads = sizes.heads * sizes.value
    tape.multiply("projections", Operand(tokens, heads), Operand(heads, sizes.d_model))


def write_latent_core(tape: Tape, tokens: int, sizes: Latent) -> None:
    """Every query of every head scored with the keys up to its own, and values added up with that."""
    key = sizes.nope + sizes.rope
    for _ in range(sizes.heads):
        for seen in range(1, tokens + 1):
            scores = tape.multiply("core", Operand(1, key), Operand(key, seen))
            tape.multiply("core", scores, Operand(seen, sizes.value))
