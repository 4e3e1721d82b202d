"""AB = A₁B₁ + … + AₜBₜ, seen at one entry."""

from workings.derivation import derivation
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT
from workings.simulate.block_matrices import Matrix, numbers, split_inner, stack
from workings.units import ONE
from workings.vocabulary.layout import TP
from workings.vocabulary.model import D_FF


def multiply_by_blocks(F: int, t: int) -> int:
    """Matrices cut into blocks; the partial products' sum is compared with the whole product."""
    counting = tuple(range(1, F + 1))
    a = stack([Matrix((counting,), F), numbers(2, F, 1)])
    b = stack([Matrix((counting,), F), numbers(2, F, 2)]).transposed
    return split_inner(a, b, t).total.rows[0][0]


BLOCK_PRODUCT_ENTRY = derivation(
    "block-product-entry",
    title="An entry of a product of matrices, summed block by block",
    unit=ONE,
    letters={"F": D_FF, "t": TP},
    given=("t divides F",),
    source=MEGATRON_SPLIT,
    oracle=multiply_by_blocks,
    convention="The product of `A` and `B` is the sum of the products of their blocks: `A` has `F` "
    "columns and `B` has `F` rows; rank `r` holds `F/t` columns of `A` and the same rows of `B`. Shown "
    "for a row of `A` and a column of `B` that both read 1, 2, 3 and so on; any other entries regroup "
    "in the same way, as the second line names every `k` of the first once.",
    chain="""
    y_ij = sum(k^2, (k, 1, F))                    -- row `i` of `A` times column `j` of `B`
      = sum(sum(((r - 1)*F/t + k)^2, (k, 1, F/t)), (r, 1, t))
                                                  -- rank `r` has the `F/t` products that come next
      = F*(F + 1)*(2*F + 1)/6                     -- the sum of the squares, however it is cut
    """,
)
