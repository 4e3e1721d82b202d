"""How much more the wrong order of splitting sends."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._pair import LETTERS, run_pair
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.derivations.tensor_parallel.column_row_bytes import COLUMN_ROW_BYTES
from workings.derivations.tensor_parallel.row_column_bytes import ROW_COLUMN_BYTES
from workings.simulate.split_pair import column_then_row, row_then_column
from workings.units import ONE


def run_both_orders(t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int) -> Fraction | None:
    """Both orders run on real matrices; what a rank sends in one over the other."""
    rows_first = run_pair(row_then_column, t, b_m, s, c, D, a, F)
    columns_first = run_pair(column_then_row, t, b_m, s, c, D, a, F)
    return columns_first and rows_first and rows_first / columns_first


ROW_COLUMN_EXCESS = derivation(
    "row-column-excess",
    title="Bytes of rows-then-columns over those of columns-then-rows",
    unit=ONE,
    letters=LETTERS,
    uses={"V_RC": ROW_COLUMN_BYTES.at(), "V_CR": COLUMN_ROW_BYTES.at()},
    given=("t > 1",),
    source=MEGATRON,
    oracle=run_both_orders,
    convention="Both on rings, one forward pass of two products; see row-column-bytes and "
    "column-row-bytes.",
    chain="""
    r_RC = V_RC/V_CR                                -- two collectives over one
      = (t - 1)/t*(a*b_m*s/c)*(2*F + D)/(2*(t - 1)/t*(a*b_m*s*D/c))   -- put both in
      = 1/2 + F/D                                   -- 4.5 where `F = 4*D`
    """,
)
