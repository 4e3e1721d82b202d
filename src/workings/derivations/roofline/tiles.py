"""Products in tiles.

No chip holds a large product whole. It is computed in tiles of the output, each of which reads its rows
of the input and its columns of the weight anew, so that the input is read as often as there are tiles
beside each other, and the weight as often as there are below each other. Where matrices are large it is
the tile, and no longer the batch, that sets the intensity: a kernel needs tiles large enough for its
device, or a cache that tiles share. Arrays are stored and multiplied in whole tiles: what does not fill
its last ones is padded, and takes memory and time as if it did.
"""

from fractions import Fraction

from workings.derivation import derivation, only_if
from workings.derivations.roofline._sources import SCALING_BOOK_TILES
from workings.derivations.roofline.products import FLOPS, PRODUCT
from workings.derivations.sources import scaling_book
from workings.simulate.memory_traffic import Memory, multiply_in_tiles
from workings.units import BYTE, FLOP, ONE
from workings.vocabulary.roofline import (
    ARRAY_COLUMNS,
    ARRAY_ROWS,
    STORED_COLUMNS,
    STORED_ROWS,
    TILE_COLUMNS,
    TILE_ROWS,
)

TILED = {**PRODUCT, "t_B": TILE_ROWS, "t_F": TILE_COLUMNS}
EACH_TILE = (
    "A tile of the output stays on the chip while the whole inner length passes, and is written once."
)


def run_tiles(
    B: int, D: int, F: int, a: Fraction, w: Fraction, a_o: Fraction, t_B: int, t_F: int
) -> Memory | None:
    """The product computed tile by tile; nothing where the matrices are too large."""
    return multiply_in_tiles(B, D, F, a, w, a_o, t_B, t_F)[1] if B * D * F <= 20_000 else None


def move_the_tiles(
    B: int, D: int, F: int, a: Fraction, w: Fraction, a_o: Fraction, t_B: int, t_F: int
) -> Fraction | None:
    """Each tile's rows and columns loaded value by value, multiplied, and the tile stored."""
    memory = run_tiles(B, D, F, a, w, a_o, t_B, t_F)
    return memory.moved if memory else None


TILED_MATMUL_BYTES = derivation(
    "tiled-matmul-bytes",
    title="Bytes that a matrix product moves in tiles",
    phrases="tiled GEMM HBM traffic; rereads of a blocked matmul; tile size and memory reads; how "
    "often is the weight read in a tiled kernel; blocked matrix multiplication loads; CUTLASS tile "
    "traffic",
    unit=BYTE,
    letters=TILED,
    source=SCALING_BOOK_TILES,
    oracle=move_the_tiles,
    convention=f"{EACH_TILE} Tiles at the edges are smaller.",
    leaves_out="Caches between memory and chip, which let tiles that run at once share what they read.",
    chain="""
    V_t = ceil(F/t_F)*(a*B*D) + ceil(B/t_B)*(w*D*F) + a_o*B*F
                                     -- input a column of tiles, weight a row of tiles, output
      >= a*B*D*F/t_F + w*B*D*F/t_B + a_o*B*F         -- tiles that are not full read as much
    """,
)


def divide_by_what_tiles_moved(
    B: int, D: int, F: int, a: Fraction, w: Fraction, a_o: Fraction, t_B: int, t_F: int
) -> Fraction | None:
    """The product computed tile by tile: multiplies and adds counted, over bytes loaded and stored."""
    memory = run_tiles(B, D, F, a, w, a_o, t_B, t_F)
    return memory.flops / memory.moved if memory else None


TILED_MATMUL_INTENSITY = derivation(
    "tiled-matmul-intensity",
    title="Arithmetic intensity of a matrix product in tiles",
    phrases="bm bn over bm plus bn; FLOPs per byte of a tile; tile size needed to be compute-bound; "
    "intensity of a blocked GEMM; 128 by 256 tile arithmetic intensity",
    unit=FLOP / BYTE,
    letters=TILED,
    uses={"f": FLOPS, "V_t": TILED_MATMUL_BYTES.at()},
    given=("t_B divides B", "t_F divides F"),
    source=SCALING_BOOK_TILES,
    oracle=divide_by_what_tiles_moved,
    convention=EACH_TILE,
    leaves_out="Caches between memory and chip, which let tiles that run at once share what they read.",
    chain="""
    I_t = f/V_t                                      -- FLOPs for each byte
      = 2[FLOP]/(a/t_F + w/t_B + a_o/D)              -- divide by `B*D*F`
      ≈ [D -> oo] 2[FLOP]*t_B*t_F/(a*t_B + w*t_F)    -- the tile alone, for a long inner length
    """,
)


def put_in_tiles(r_a: int, t_r: int) -> int:
    """Rows put one after another into tiles; a new tile is taken when one is full, and all counted."""
    only_if(r_a <= 20_000)
    tiles: list[list[int]] = []
    for row in range(r_a):
        if not tiles or len(tiles[-1]) == t_r:
            tiles.append([])
        tiles[-1].append(row)
    return sum(t_r for _tile in tiles)


PADDED_SIZE = derivation(
    "padded-size",
    title="Size of a dimension padded to whole tiles",
    phrases="round a dimension up to a multiple of 128; MXU padding; pad head dim to the tile size; "
    "smaller dimensions are padded to 128 on a TPU; rows after tiling; next multiple of the matrix unit "
    "side; pad to a multiple of 64 for tensor cores",
    unit=ONE,
    noun="values",
    letters={"r_a": ARRAY_ROWS, "t_r": STORED_ROWS},
    source=scaling_book("tpus", "part 2, “Key Takeaways”: matrices are padded to the side of the MXU"),
    oracle=put_in_tiles,
    convention="One dimension, rows or columns. The side of the matrix unit is 128 on TPUs up to v5, and "
    "256 on v6e.",
    chain="""
    r_pad = ceil(r_a/t_r)*t_r     -- whole tiles, the last of them filled up
      >= r_a                      -- nothing is lost
      < r_a + t_r                 -- less than a tile is added
    """,
)


def fill_a_grid_of_tiles(r_a: int, c_a: int, t_r: int, t_c: int) -> Fraction:
    """Every value put into the tile it falls in; places of all tiles in use, over the values."""
    only_if(r_a * c_a <= 20_000)
    places: set[tuple[int, int]] = set()
    values = {(row, column) for row in range(r_a) for column in range(c_a)}
    tiles = {(row // t_r, column // t_c) for row, column in values}
    only_if(len(tiles) * t_r * t_c <= 200_000)
    for down, across in tiles:
        places |= {(down * t_r + i, across * t_c + j) for i in range(t_r) for j in range(t_c)}
    return Fraction(len(places), len(values))


PADDING_GROWTH = derivation(
    "padding-growth",
    title="Growth of an array that is padded to whole tiles",
    phrases="memory of an array after tiling over before; XLA layout T(2,2) padding overhead; how much "
    "does tile padding waste; 1.6x larger after padding; padded over unpadded elements; HLO tiling "
    "overhead of a small array; wasted FLOPs of matrices that do not fill the MXU",
    unit=ONE,
    letters={"r_a": ARRAY_ROWS, "c_a": ARRAY_COLUMNS, "t_r": STORED_ROWS, "t_c": STORED_COLUMNS},
    uses={
        "r_pad": PADDED_SIZE.at(),
        "c_pad": PADDED_SIZE.at(r_a="c_a", t_r="t_c"),
    },
    source=scaling_book("profiling", "“How to read an XLA op”, on tiling"),
    oracle=fill_a_grid_of_tiles,
    convention="Of two dimensions; those before them are not padded. A product of padded arrays takes "
    "as much longer in each padded dimension.",
    chain="""
    x_pad = r_pad*c_pad/(r_a*c_a)                                   -- places over values
      = ceil(r_a/t_r)*t_r*(ceil(c_a/t_c)*t_c)/(r_a*c_a)             -- both dimensions in whole tiles
      >= 1                                                          -- 1 where both fill their tiles
    """,
)
