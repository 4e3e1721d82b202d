"""The gradients of the norms under sequence parallelism."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.tensor_parallel._sources import MEGATRON_CORE_NORMS
from workings.simulate.block_matrices import Matrix, cut_rows, numbers, spans
from workings.simulate.tensor_ranks import Ranks
from workings.units import BYTE
from workings.vocabulary.layout import STAGES, TP
from workings.vocabulary.model import BLOCKS, D_MODEL, NORMS
from workings.vocabulary.training import REDUCE_WIDTH


def sum_the_gains_gradients(t: int, L: int, p: int, n_n: int, D: int, g: Fraction) -> Fraction:
    """Each rank's gradient of each gain from its own tokens, really summed over the ranks."""
    ranks, tokens = Ranks(t), t + 1
    for _ in max(spans(L, p), key=len):
        for norm in range(n_n):
            x, grad = numbers(tokens, D, norm), numbers(tokens, D, norm + 50)
            own = [_gradient(a, b) for a, b in zip(cut_rows(x, t), cut_rows(grad, t), strict=True)]
            if any(one != _gradient(x, grad) for one in ranks.all_reduce("norm", own, "part", "sum")):
                raise AssertionError("A rank's sum is not the gradient from all tokens.")
    return ranks.sent() * g


def _gradient(x: Matrix, grad: Matrix) -> Matrix:
    """What a gain's gradient is: input times gradient, summed over the tokens."""
    pairs = list(zip(x.rows, grad.rows, strict=True))
    return Matrix((tuple(sum(a[c] * b[c] for a, b in pairs) for c in range(x.columns)),), x.columns)


SP_NORM_GRADIENT_BYTES = derivation(
    "sp-norm-gradient-bytes",
    title="Bytes a rank sends to sum the norms' gradients under sequence parallelism",
    unit=BYTE,
    letters={
        "t": TP, "L": BLOCKS, "p": STAGES, "n_n": NORMS, "D": D_MODEL, "g": REDUCE_WIDTH,
    },
    uses={"V_norm": RING_ALL_REDUCE.at(N="t", S="g*D")},
    source=MEGATRON_CORE_NORMS,
    oracle=sum_the_gains_gradients,
    convention="The fullest stage, once a step; one gain a column. Without sequence parallelism every "
    "rank sees all tokens and nothing is sent.",
    leaves_out="The norm after the last block; norms of queries and keys; biases of the norms and of the "
    "row-split products.",
    chain="""
    V_nrm = sum(ceil(L/p)*V_norm, (j, 1, n_n))    -- every norm of the stage saw `1/t` of the tokens
      = ceil(L/p)*n_n*V_norm                  -- equal norms
      = 2*(t - 1)/t*g*n_n*D*ceil(L/p)       -- an all-reduce of `D` gradients each
    """,
)  # fmt: skip
