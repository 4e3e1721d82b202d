"""Column split, then row split: one all-reduce for two products."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE
from workings.derivations.tensor_parallel._pair import LETTERS, run_pair
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.simulate.split_pair import column_then_row
from workings.units import BYTE


def run_column_then_row(t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int) -> Fraction | None:
    """Two weights split by columns and by rows, ReLU between, run on real matrices."""
    return run_pair(column_then_row, t, b_m, s, c, D, a, F)


COLUMN_ROW_BYTES = derivation(
    "column-row-bytes",
    title="Bytes a rank sends in two products, split by columns and then by rows",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON,
    oracle=run_column_then_row,
    convention="Forward; the input is whole on every rank, and so is the output at the end.",
    chain="""
    V_CR = V_AR                            -- ReLU works on each rank's columns; only the output is summed
      = 2*(t - 1)/t*(a*b_m*s*D/c)          -- the hidden width `F` does not appear
    """,
)
