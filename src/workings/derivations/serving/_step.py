"""A decode step as oracles run it: its letters, and a group of devices that holds weights and caches."""

from fractions import Fraction
from typing import Any

from workings.derivation import only_if
from workings.derivations.compute._model import SEQUENCES, model_tape
from workings.simulate.serving import Device, deal_weights, fill_caches, mean
from workings.vocabulary.hardware import COMPUTE, MEMORY_BANDWIDTH
from workings.vocabulary.layout import TP
from workings.vocabulary.model import BLOCKS, HEAD_DIM, HEADS, KV_HEADS, PARAMETERS
from workings.vocabulary.serving import CACHE_WIDTH, SERVED_WIDTH

CACHE = {**SEQUENCES, "L": BLOCKS, "H": HEADS, "K": KV_HEADS, "d_h": HEAD_DIM, "w_kv": CACHE_WIDTH}
READ = {**CACHE, "P": PARAMETERS, "w": SERVED_WIDTH, "t": TP}
PEAK = {"C": COMPUTE, "W_m": MEMORY_BANDWIDTH}
# What several entries say of themselves
LEAST = (
    "Devices compute at their peak and read at their memory's full bandwidth: none does better, but for "
    "the input's embedding table, which counts whole and of which a step reads `b` rows: a thousandth of "
    "a large model's weights, up to a tenth of a small one's."
)
ALIKE = "All sequences are equally long: `s` is the mean where they are not."
MOST_VECTORS, MOST_SCORES = 20_000, 1_500  # more than these take an oracle too long


def serving_group(
    *, b: int, s: int, L: int, H: int, K: int, t: int, P: int = 1, **_: Any
) -> list[Device]:
    """A group whose caches are filled token by token with all sequences."""
    only_if(b * s * L * max(K, t) <= MOST_VECTORS and P <= MOST_VECTORS)
    group = deal_weights(P, t)
    fill_caches(group, b, s, L, (H, K))
    return group


def weight_bytes(group: list[Device], w: Fraction) -> Fraction:
    """What a device of the group reads of weights, in the mean."""
    return mean([len(device.weights) * w for device in group])


def cache_bytes(group: list[Device], d_h: int, w_kv: Fraction) -> Fraction:
    """What a device of the group reads of keys and values, in the mean."""
    return mean([device.vectors() * d_h * w_kv for device in group])


def causal_flops(tokens: int, **sizes: int) -> int:
    """FLOPs of a causal forward pass over so many tokens of every sequence."""
    return model_tape(s=tokens, causal=True, **sizes).forward() if tokens else 0


def step_flops(*, b: int, s: int, L: int, H: int, **sizes: int) -> int:
    """What a causal pass over `s` tokens takes beyond one over the tokens before the last."""
    only_if(L * b * H * s <= MOST_SCORES)
    return causal_flops(s, b=b, L=L, H=H, **sizes) - causal_flops(s - 1, b=b, L=L, H=H, **sizes)
