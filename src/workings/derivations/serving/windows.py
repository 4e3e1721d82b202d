"""Windows and inputs.

Not every block keeps every token. Where queries see a window only, what is behind it is overwritten, and
models that mix such blocks with full ones keep little beyond the window. Attention to an encoder's output
keeps keys and values of the input, which do not grow with what is generated.
"""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivation.entry import only_if
from workings.derivations.serving._sources import LLAMA_3_IMAGES, SCALING_BOOK_TRICKS, vllm_cache
from workings.derivations.serving.kv_cache import CACHE, FEW, KV_TOKEN_BYTES, SEQUENCES
from workings.simulate.kv_cache import Block, decode, grouped, stored
from workings.units import BYTE, ONE
from workings.vocabulary.compute import WINDOW
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.model import HEAD_DIM, KV_HEADS
from workings.vocabulary.serving import (
    CACHE_WIDTH,
    CROSS_BLOCKS,
    IMAGE_SIDE,
    INPUT_TOKENS,
    PATCH_SIDE,
    TILES,
    WINDOW_BLOCKS,
)
from workings.vocabulary.training import BATCH


def forget_what_is_behind_the_window(
    b: int, s: int, L: int, L_w: int, s_w: int, K: int, d_h: int, w_kv: Fraction
) -> Fraction:
    """Sequences fed token by token, full windows dropping their oldest; what is left, counted."""
    only_if(L_w <= L and b * s * L * K * d_h <= FEW)
    full = grouped(range(K), d_h)
    blocks = [full] * (L - L_w) + [Block(full.vectors, window=s_w)] * L_w
    return stored(decode(b, s, blocks), w_kv)


WINDOW_CACHE_BYTES = derivation(
    "window-cache-bytes",
    title="Bytes of the KV cache of a model with sliding-window blocks",
    phrases="Gemma kv cache with local and global layers; sliding window KV cache size; Mistral rolling "
    "buffer cache; min(s, window) tokens cached; kv cache of interleaved local attention; how much "
    "does a sliding window save in the kv cache",
    unit=BYTE,
    letters={**SEQUENCES, **CACHE, "L_w": WINDOW_BLOCKS, "s_w": WINDOW},
    uses={"m_1": KV_TOKEN_BYTES.at(L="1")},
    given=("L_w <= L",),
    source=SCALING_BOOK_TRICKS,
    oracle=forget_what_is_behind_the_window,
    convention="`L_w` of the `L` blocks overwrite what is behind their window; `L_w = L` where all do, "
    "as in Mistral 7B (`s_w = 4,096`); in Gemma 2 every second does.",
    leaves_out="Room for a chunk of the prompt beyond the window, and for a page that the window only "
    "reaches into; engines that do not free what is behind a window keep all tokens.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_win = sum(sum(s*m_1, (j, 1, L - L_w)) + sum(min(s, s_w)*m_1, (j, 1, L_w)), (i, 1, b))
                                          -- full blocks keep `s` tokens, others no more than the window
      = b*((L - L_w)*s + L_w*min(s, s_w))*m_1     -- equal sequences, equal blocks of each sort
      = b*(L*s - L_w*max(s - s_w, 0))*m_1         -- all tokens in all blocks, less what is forgotten
      = 2*b*(L*s - L_w*max(s - s_w, 0))*K*d_h*w_kv      -- a block's bytes of a token put in
    """,
)


def encode_and_keep(b: int, L_x: int, s_x: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """Each token that an encoder puts out fed to the blocks that attend to it; numbers kept, counted."""
    only_if(b * L_x * s_x * K * d_h <= FEW)
    return stored(decode(b, s_x, [grouped(range(K), d_h)] * L_x), w_kv)


CROSS_CACHE_BYTES = derivation(
    "cross-cache-bytes",
    title="Bytes of cross-attention's KV cache of a batch of sequences",
    phrases="encoder-decoder KV cache; T5 or Whisper cross attention cache size; keys and values of the "
    "encoder output cached once; vision cross-attention kv cache",
    unit=BYTE,
    letters={
        "b": BATCH, "s_x": INPUT_TOKENS, "L_x": CROSS_BLOCKS, "K": KV_HEADS, "d_h": HEAD_DIM,
        "w_kv": CACHE_WIDTH,
    },
    uses={"m_x": KV_TOKEN_BYTES.at(L="L_x")},
    source=vllm_cache("CrossAttentionSpec"),
    oracle=encode_and_keep,
    convention="Computed once, when the input is read. It is beside what the decoder's own tokens take.",
    leaves_out="The cache of the decoder's own tokens.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_x = sum(sum(m_x, (i, 1, s_x)), (j, 1, b))   -- every token of every sequence's input
      = b*s_x*m_x                                 -- equal inputs, however much is generated
      = 2*b*s_x*L_x*K*d_h*w_kv                    -- a token's bytes put in
    """,
)  # fmt: skip


def look_at_every_pixel(h_px: int, p_px: int, n_tile: int) -> int:
    """Every pixel of every tile assigned to its patch; the different patches."""
    only_if(n_tile * h_px * h_px <= 300_000)
    return len(
        {
            (tile, row // p_px, column // p_px)
            for tile in range(n_tile)
            for row in range(h_px)
            for column in range(h_px)
        }
    )


IMAGE_TOKENS = derivation(
    "image-tokens",
    title="Tokens that an image becomes",
    phrases="patches of a vision transformer; how many tokens is an image; 224 pixels in patches of 14; "
    "vision encoder sequence length; 16 x 16 patches; tokens of a 336 pixel image with ViT-L/14; image "
    "patches times tiles",
    unit=ONE,
    noun="tokens",
    letters={"h_px": IMAGE_SIDE, "p_px": PATCH_SIDE, "n_tile": TILES},
    given=("p_px divides h_px",),
    source=LLAMA_3_IMAGES,
    oracle=look_at_every_pixel,
    convention="Square images, or tiles of one (`n_tile = 1` where it is not cut), in square patches, a "
    "token each.",
    leaves_out="Tokens that stand for the whole image or end a row; merging of neighbours.",
    chain="""
    n_img = sum(sum(h_px/p_px, (i, 1, h_px/p_px)), (j, 1, n_tile))      -- a tile's rows of patches
      = n_tile*(h_px/p_px)^2                                            -- equal rows, equal tiles
    """,
)
