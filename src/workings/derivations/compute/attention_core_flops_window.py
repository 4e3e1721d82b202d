"""FLOPs of attention itself, every query with its own key and the last few before it."""

from workings.derivation import Source, derivation
from workings.derivations.compute._letters import SEQUENCES
from workings.simulate.counted_attention import attend
from workings.simulate.matmul import ffn_numbers
from workings.units import FLOP
from workings.vocabulary.compute import WINDOW
from workings.vocabulary.model import HEAD_DIM, HEADS


def attend_to_the_last_keys(b: int, s: int, s_w: int, H: int, d_h: int) -> int | None:
    """Every query on its own: it takes the keys of its window, the oldest let go, FLOPs counted."""
    if b * s * s * H * d_h > 20_000:
        return None
    flops = 0
    for head in range(b * H):
        queries, keys, values = (ffn_numbers(s, d_h, head + n) for n in range(3))
        for place in range(s):
            window = slice(max(0, place + 1 - s_w), place + 1)
            seen = keys[window]
            query = [queries[place]] + [[0] * d_h] * (len(seen) - 1)
            flops += attend(query, seen, values[window], causal=False).flops // len(seen)
    return flops


ATTENTION_CORE_FLOPS_WINDOW = derivation(
    "attention-core-flops-window",
    title="FLOPs of causal attention within a window, forward",
    unit=FLOP,
    letters={**SEQUENCES, "s_w": WINDOW, "H": HEADS, "d_h": HEAD_DIM},
    given=("s_w <= s",),
    source=Source(
        "Hugging Face",
        "transformers 5.23",
        None,
        "masking_utils.py, sliding_window_overlay",
        "https://github.com/huggingface/transformers/blob/main/src/transformers/masking_utils.py",
    ),
    oracle=attend_to_the_last_keys,
    convention="Sliding-window attention: a query sees its own key and the `s_w - 1` before it; the "
    "first queries see fewer. `s_w = s` is causal attention. Of Gemma 2's blocks every second has a "
    "window, so its model takes half of each.",
    leaves_out="The softmax.",
    chain="""
    f_win = b*H*(sum(4[FLOP]*d_h*i, (i, 1, s_w)) + sum(4[FLOP]*d_h*s_w, (i, 1, s - s_w)))
                                       -- query `i` sees `i` keys until the window is full, then `s_w`
      = b*H*(4[FLOP]*d_h*(s_w*(s_w + 1)/2) + 4[FLOP]*d_h*s_w*(s - s_w))   -- both sums
      = 2[FLOP]*b*s_w*(2*s + 1 - s_w)*H*d_h  -- collect
      <= 4[FLOP]*b*s*s_w*H*d_h               -- linear in the sequence: at most `s_w` keys a query
    """,
)
