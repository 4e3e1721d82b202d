"""Blocks of attention: how large the chip lets them be, how many there are, who computes them.

FlashAttention divides its on-chip memory in four: queries, keys, values and outputs. That sets how many
keys a block has, and the table of scores between queries and keys, which must fit as well, how many
queries. A kernel starts a thread block for each block of queries of each head, and a device has a
number of multiprocessors that take them in waves: too few thread blocks, or a last wave that is nearly
empty, and some wait.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.roofline._sources import (
    FLASH_BLOCKS,
    FLASH_THREAD_BLOCKS,
)
from workings.units import ONE
from workings.vocabulary.model import HEAD_DIM, HEADS
from workings.vocabulary.roofline import (
    KEY_BLOCK,
    MULTIPROCESSORS,
    ON_CHIP,
    QUERY_BLOCK,
)
from workings.vocabulary.training import MICROBATCH, SEQUENCE_LENGTH


def fill_with_keys(M: int, d_h: int) -> int:
    """A token's key, value, query and output put on the chip one after another until it is full."""
    chip: list[int] = []
    tokens = 0
    while len(chip) < M:
        chip += [tokens] * d_h * len("kvqo")
        tokens += 1
    return tokens


FLASH_KEY_BLOCK = derivation(
    "flash-key-block",
    title="Keys and values that a block of FlashAttention holds",
    phrases="column block size B_c; ceil(M / 4d); FlashAttention tile size from SRAM; how many keys fit "
    "in shared memory; block size of K and V; rows of K per tile; SRAM over four head widths",
    unit=ONE,
    noun="tokens",
    letters={"M": ON_CHIP, "d_h": HEAD_DIM},
    given=("4*d_h <= M -- not one token's key, value, query and output fit on the chip",),
    source=FLASH_BLOCKS,
    oracle=fill_with_keys,
    convention="As in algorithm 1 the last token is rounded up, and may take a little more than there "
    "is. Values are counted, not bytes: 192 KB hold 98,304 values of 2 bytes.",
    leaves_out="The table of scores, and a row's largest score and sum.",
    chain="""
    B_key = ceil(M/(d_h + d_h + d_h + d_h))  -- a key, a value, a query and an output for each token
      = ceil(M/(4*d_h))                      -- a quarter of the chip for each
    """,
)


def add_queries(M: int, d_h: int) -> int:
    """Queries added while neither they nor their rows of scores take more room than the keys."""
    keys = fill_with_keys(M, d_h)
    queries: list[list[int]] = []
    scores: list[list[int]] = []
    while sum(map(len, queries)) < keys * d_h and sum(map(len, scores)) < keys * d_h:
        queries.append([0] * d_h)
        scores.append([0] * keys)
    return len(queries)


FLASH_QUERY_BLOCK = like(
    "flash-query-block",
    FLASH_KEY_BLOCK,
    title="Queries that a block of FlashAttention holds",
    phrases="row block size B_r; min(ceil(M / 4d), d); rows of Q per tile; how many queries fit on the "
    "chip; block size of Q in algorithm 1; query tile from SRAM",
    uses={"B_key": FLASH_KEY_BLOCK.at()},
    oracle=add_queries,
    convention="As in algorithm 1. No more queries than keys, and so few that their scores take no more "
    "room than the keys: `B_key` scores a query, `B_key*d_h` values of keys.",
    leaves_out="A row's largest score and sum.",
    chain="""
    B_query = min(B_key, d_h)        -- as many as keys; or scores, `B_key` a query, as the keys' values
    """,
)


def cut_into_blocks(s: int, size: int) -> int:
    """Tokens put into blocks one after another, a new block for each that finds the last one full."""
    blocks: list[list[int]] = []
    for token in range(s):
        if not blocks or len(blocks[-1]) == size:
            blocks.append([])
        blocks[-1].append(token)
    return len(blocks)


def cut_the_keys(s: int, B_c: int) -> int:
    """Keys put into blocks one after another, a new block for each that finds the last one full."""
    return cut_into_blocks(s, B_c)


FLASH_KEY_BLOCKS = derivation(
    "flash-key-blocks",
    title="Blocks of keys that FlashAttention cuts a sequence into",
    phrases="column blocks T_c; ceil(N / B_c); number of key tiles; passes over the queries; how many K "
    "blocks has a sequence; iterations of FlashAttention's outer loop",
    unit=ONE,
    noun="blocks",
    letters={"s": SEQUENCE_LENGTH, "B_c": KEY_BLOCK},
    source=FLASH_BLOCKS,
    oracle=cut_the_keys,
    convention="The last block may be smaller. `s` counts the keys, where there are more or fewer than "
    "queries.",
    chain="""
    n_key = ceil(s/B_c)              -- full blocks, and one for what is left
      >= s/B_c                       -- as many where they come out even
    """,
)


def cut_the_queries(s: int, B_r: int) -> int:
    """Queries put into blocks one after another, a new block for each that finds the last one full."""
    return cut_into_blocks(s, B_r)


FLASH_QUERY_BLOCKS = like(
    "flash-query-blocks",
    FLASH_KEY_BLOCKS,
    title="Blocks of queries that FlashAttention cuts a sequence into",
    phrases="number of query tiles T_q; "
    "row blocks T_r; ceil(N / B_r); number of query tiles; passes over keys and values; how "
    "many Q blocks has a sequence; T_q of the Triton kernel",
    letters={"s": SEQUENCE_LENGTH, "B_r": QUERY_BLOCK},
    oracle=cut_the_queries,
    convention="The last block may be smaller. `s` counts the queries, where there are more or fewer "
    "than keys.",
    chain="""
    n_query = ceil(s/B_r)            -- full blocks, and one for what is left
      >= s/B_r                       -- as many where they come out even
    """,
)

LAUNCHED = {"b_m": MICROBATCH, "H": HEADS, "s": SEQUENCE_LENGTH, "B_r": QUERY_BLOCK}


def launch(b_m: int, H: int, s: int, B_r: int) -> list[tuple[int, int, int]]:
    """A thread block for each block of queries of each head of each sequence, by where it begins."""
    return [(i, head, start) for i in range(b_m) for head in range(H) for start in range(0, s, B_r)]


def count_what_is_launched(b_m: int, H: int, s: int, B_r: int) -> int:
    """A thread block for each block of queries of each head of each sequence, all listed."""
    return len(launch(b_m, H, s, B_r))


ATTENTION_THREAD_BLOCKS = derivation(
    "attention-thread-blocks",
    title="Thread blocks that an attention kernel starts",
    phrases="launch grid of a flash kernel; "
    "launch grid of FlashAttention; CTAs of the attention kernel; program instances of the "
    "Triton kernel; batch times heads thread blocks; parallelism over the sequence length in "
    "FlashAttention-2; grid size of flash attention forward; how many thread blocks does attention have",
    unit=ONE,
    noun="thread blocks",
    letters=LAUNCHED,
    uses={"n_query": FLASH_QUERY_BLOCKS.at()},
    source=FLASH_THREAD_BLOCKS,
    oracle=count_what_is_launched,
    convention="Forward, parallel over sequences, heads and blocks of queries, as in FlashAttention-2. "
    "The first FlashAttention has one thread block a head and sequence: `B_r = s`.",
    leaves_out="Splitting the keys of one query, as kernels for decoding do.",
    chain="""
    n_tb = sum(n_query, (i, 1, b_m*H))       -- for every head of every sequence
      = b_m*H*n_query                        -- equal terms
      = b_m*H*ceil(s/B_r)                    -- blocks of queries
    """,
)


def run_in_waves(b_m: int, H: int, s: int, B_r: int, n_sm: int) -> Fraction:
    """Thread blocks dealt to multiprocessors, one each at a time, until all are done; who was busy."""
    only_if(b_m * H * s <= 5_000)
    waiting = launch(b_m, H, s, B_r)
    busy = idle = 0
    while waiting:
        for _ in range(n_sm):
            if waiting:
                waiting.pop()
                busy += 1
            else:
                idle += 1
    return Fraction(busy, busy + idle)


ATTENTION_WAVE_SHARE = derivation(
    "attention-multiprocessors-busy",
    title="Share of a device's multiprocessors that attention's thread blocks keep busy",
    phrases=""
    "enough thread blocks for all streaming multiprocessors; "
    "FlashAttention kernel leaves SMs idle; wave quantization of the attention kernel; do 80 "
    "thread blocks fill 108 SMs; tail effect of the last wave; long sequence with small batch leaves "
    "SMs idle; GPU utilization of attention with few heads; 132 streaming multiprocessors of an H100",
    unit=ONE,
    letters={**LAUNCHED, "n_sm": MULTIPROCESSORS},
    uses={"n_tb": ATTENTION_THREAD_BLOCKS.at()},
    source=FLASH_THREAD_BLOCKS,
    oracle=run_in_waves,
    convention="A multiprocessor runs one thread block at a time and all take equally long: full "
    "attention. An A100 has 108 multiprocessors, an H100 132.",
    leaves_out="Several thread blocks that share a multiprocessor, and shorter ones under a causal mask.",
    chain="""
    u_sm = n_tb/(n_sm*ceil(n_tb/n_sm))       -- what is computed, over the room of all waves
      = b_m*H*ceil(s/B_r)/(n_sm*ceil(b_m*H*ceil(s/B_r)/n_sm))     -- put the thread blocks in
      <= 1                                   -- all busy where the waves are full
    """,
)
