"""Row split, then column split: two collectives, one of them as wide as the hidden layer."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.tensor_parallel._collectives import ALL_GATHER
from workings.derivations.tensor_parallel._pair import LETTERS, run_pair
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.simulate.split_pair import row_then_column
from workings.units import BYTE


def run_row_then_column(t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int) -> Fraction | None:
    """Two weights split by rows and by columns, the sums before ReLU, run on real matrices."""
    return run_pair(row_then_column, t, b_m, s, c, D, a, F)


ROW_COLUMN_BYTES = derivation(
    "row-column-bytes",
    title="Bytes a rank sends in two products, split by rows and then by columns",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_ARF": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*F/c"), "V_AG": ALL_GATHER},
    given=("c divides s",),
    source=MEGATRON,
    oracle=run_row_then_column,
    convention="Forward; the input is whole on every rank, and so is the output at the end.",
    chain="""
    V_RC = V_ARF + V_AG                    -- ReLU needs whole sums, every rank needs every column
      = 2*(t - 1)/t*(a*b_m*s*F/c) + (t - 1)/t*(a*b_m*s*D/c)
                                           -- `F` hidden values a token, then `D` of the output
      = (t - 1)/t*(a*b_m*s/c)*(2*F + D)    -- collect
    """,
)
