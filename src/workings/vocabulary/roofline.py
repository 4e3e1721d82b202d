"""Kernels between a memory and the units that compute: what only rooflines speak of."""

from workings.units import BYTE, FLOP, ONE, SECOND
from workings.vocabulary.concept import Concept, Domain, count, seconds, share, width

PRODUCT_TOKENS = count(
    "product_tokens", "tokens that a product multiplies at once (a micro-batch on one device)", "B",
    "training.product_tokens", "tokens",
)  # fmt: skip
WEIGHT_WIDTH = width(
    "weight_width", "bytes per weight that a product reads", "w", "training.gather_width"
)
OUTPUT_WIDTH = width("output_width", "bytes per value written", "a_o", "training.activation_width")
TILE_ROWS = count("tile_rows", "tokens of a tile of the output", "t_B", None, "tokens")
TILE_COLUMNS = count("tile_columns", "outputs of a tile of the output", "t_F", None, "values")
INTENSITY = Concept("intensity", "FLOPs for each byte that moves", "I", FLOP / BYTE, Domain.NONNEGATIVE)
OPERATIONS = Concept(
    "operations", "FLOPs for each value of the result", "f_v", FLOP, Domain.NONNEGATIVE, shown_in="FLOP"
)
INPUTS = count("inputs", "values read for each value of the result", "r", None, "values")
QUERIES = count("queries", "queries of a sequence that attend at once", "s_q", None, "tokens")
KEY_BLOCK = count("key_block", "keys and values that a block holds", "B_c", None, "tokens")
QUERY_BLOCK = count("query_block", "queries that a block holds", "B_r", None, "tokens")
ON_CHIP = count("on_chip", "values that the on-chip memory beside a compute unit holds", "M", None,
                "values")  # fmt: skip
COMPUTED_BLOCKS = share("computed_blocks", "share of the blocks of scores that are computed", "x_b")
MULTIPROCESSORS = count("multiprocessors", "multiprocessors of a device", "n_sm", None, "multiprocessors")

# What the peak of a device is made of
UNITS = count("compute_units", "units of one kind on a device (tensor cores, matrix units, vector units)",
              "n_u", None, "units")  # fmt: skip
LANES = count("lanes", "multiply-adders of a unit that work at once", "n_l", None, "lanes")
LANE_FLOPS = Concept(
    "lane_flops", "FLOPs of a lane in a cycle (2 where a multiply-add counts as two)", "f_l", FLOP,
    shown_in="FLOP",
)  # fmt: skip
CLOCK = Concept("clock", "cycles in a second", "nu", ONE / SECOND)

# Work and transfers whose times are known
WORK_TIME = seconds("work_time", "time of the compute alone", "T_c")
MOVE_TIME = seconds("move_time", "time of the transfers alone", "T_v")
NETWORK_INTENSITY = Concept(
    "network_intensity", "FLOPs for each byte that a device sends", "I_x", FLOP / BYTE, Domain.NONNEGATIVE
)

ARRAY_ROWS = count("array_rows", "rows of an array as it is stored", "r_a", None, "values")
ARRAY_COLUMNS = count("array_columns", "columns of an array as it is stored", "c_a", None, "values")
STORED_ROWS = count("stored_rows", "rows of a tile in which arrays are stored", "t_r", None, "values")
STORED_COLUMNS = count(
    "stored_columns", "columns of a tile in which arrays are stored", "t_c", None, "values"
)
