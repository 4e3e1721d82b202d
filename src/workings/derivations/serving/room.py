"""Room and devices.

A group of devices has a memory in all, and what its weights leave of it is room for caches. Turned round,
weights and the caches that are wanted say how many devices they need: a whole number, often of whole
nodes, or a power of two where a slice or a tensor-parallel degree comes in no other sizes.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.serving._sources import SCALING_BOOK_LLAMA
from workings.derivations.serving.devices import NOT_COUNTED, OF_THE_MEMORY, WEIGHTS, share_weights
from workings.derivations.serving.kv_cache import CACHE, KV_TOKEN_BYTES, SEQUENCES, feed_every_sequence
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.layout import NODE_DEVICES, TP
from workings.vocabulary.memory import DEVICE_MEMORY

EVENLY = "Weights and caches are shared out evenly, whichever device holds what."
MOST_DEVICES = 2_000  # that an oracle adds one by one


def take_the_weights_out(t: int, M_max: Fraction, P: int, w: Fraction) -> Fraction:
    """Weight after weight put on the next device; the bytes that are free on all of them."""
    only_if(P <= 20_000)
    free = [M_max] * t
    for weight in range(P):
        free[weight % t] -= w
    return sum(free, Fraction(0))


CACHE_ROOM = derivation(
    "cache-room",
    title="Bytes that a group of devices has left for KV caches beside the weights",
    phrases="memory left for the kv cache; free HBM after loading the weights; chips times HBM less "
    "parameter bytes; room for kv caches on four A100; how many gigabytes remain for caches; kv budget "
    "of a replica; space for the cache once the model is loaded",
    unit=BYTE,
    letters={"t": TP, "M_max": DEVICE_MEMORY, **WEIGHTS},
    given=("t*M_max > w*P -- the weights alone do not fit",),
    source=SCALING_BOOK_LLAMA,
    oracle=take_the_weights_out,
    convention=OF_THE_MEMORY + "Of all `t` devices together, which share the weights evenly.",
    leaves_out=NOT_COUNTED,
    chain="""
    M_room = sum(M_max - w*P/t, (i, 1, t))       -- each device's memory, less its share of the weights
      = t*M_max - w*P                            -- the shares make up all weights
    """,
)


def add_devices_until_it_fits(wanted: Fraction, M_max: Fraction) -> int:
    """How many devices are added, one by one, until their memory holds so many bytes."""
    devices, room = 0, Fraction(0)
    while room < wanted:
        devices, room = devices + 1, room + M_max
        only_if(devices <= MOST_DEVICES)
    return devices


def hold_weights_and_caches(M_max: Fraction, P: int, w: Fraction, **cached: Any) -> int:
    """Weights and caches counted number by number; devices added until all of them fit."""
    return add_devices_until_it_fits(share_weights(P, w, 1) + feed_every_sequence(**cached), M_max)


DEVICES_FOR_SERVING = derivation(
    "devices-for-serving",
    title="Fewest devices that hold a served model and its caches",
    phrases="minimum number of GPUs to serve a model; how many chips do the weights and kv caches need; "
    "GPUs needed for inference of Llama 70B at a batch; (parameters + batch * kv cache) / HBM per chip; "
    "how many H100 to host a model with 240 sequences; smallest inference slice by memory",
    unit=ONE,
    noun="devices",
    letters={"M_max": DEVICE_MEMORY, **WEIGHTS, **SEQUENCES, **CACHE},
    uses={"m_tok": KV_TOKEN_BYTES.at()},
    source=SCALING_BOOK_LLAMA,
    oracle=hold_weights_and_caches,
    convention=OF_THE_MEMORY + EVENLY,
    leaves_out=NOT_COUNTED + " Key and value heads that a group larger than their number copies.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    n_mem = ceil((w*P + sum(s*m_tok, (i, 1, b)))/M_max)       -- weights, and the cache of each sequence
      = ceil((w*P + b*s*m_tok)/M_max)                         -- equal sequences
      = ceil((w*P + 2*b*s*L*K*d_h*w_kv)/M_max)                -- a token's bytes put in
    """,
)


def hold_the_weights(M_max: Fraction, P: int, w: Fraction) -> int:
    """Weights dealt out to one place and counted; devices added until they fit."""
    return add_devices_until_it_fits(share_weights(P, w, 1), M_max)


DEVICES_FOR_WEIGHTS = like(
    "devices-for-weights",
    DEVICES_FOR_SERVING,
    title="Fewest devices that hold the weights of a served model",
    phrases="minimum GPUs just to load the model; chips by weights alone; parameter bytes over HBM, "
    "rounded up; does 405B in BF16 fit on 8 H100; smallest topology for int4 weights; how many cards "
    "to load a checkpoint for inference",
    letters={"M_max": DEVICE_MEMORY, **WEIGHTS},
    uses={},
    oracle=hold_the_weights,
    convention=OF_THE_MEMORY + "Not a byte is left for caches.",
    leaves_out=NOT_COUNTED,
    holds_for={},
    chain="""
    n_w = ceil(w*P/M_max)       -- all weights over the memory of a device
    """,
)


def add_whole_nodes(M_max: Fraction, n_node: int, **held: Any) -> int:
    """Nodes added, one by one, until the devices in them hold all weights and caches; their devices."""
    needed = hold_weights_and_caches(M_max=M_max, **held)
    devices: list[int] = []
    while len(devices) < needed:
        devices += range(n_node)
    return len(devices)


NODE_DEVICES_FOR_SERVING = like(
    "node-devices-for-serving",
    DEVICES_FOR_SERVING,
    title="Devices of the fewest whole nodes that hold a served model and its caches",
    phrases="how many 8-GPU servers to serve Llama 405B; round inference GPUs up to whole nodes; "
    "multi-node inference needed; two nodes for BF16 405B; TP8 PP2 to host a model; nodes needed to "
    "serve a model",
    letters={**DEVICES_FOR_SERVING.letters, "n_node": NODE_DEVICES},
    uses={"n_mem": DEVICES_FOR_SERVING.at()},
    oracle=add_whole_nodes,
    chain="""
    n_full = n_node*ceil(n_mem/n_node)      -- whole nodes, of as many devices each
    """,
)


def double_until_it_fits(M_max: Fraction, **held: Any) -> int:
    """One device, doubled until as many hold all weights and caches."""
    needed, devices = hold_weights_and_caches(M_max=M_max, **held), 1
    while devices < needed:
        devices += devices
    return devices


DOUBLED_DEVICES_FOR_SERVING = like(
    "doubled-devices-for-serving",
    DEVICES_FOR_SERVING,
    title="Smallest power of two of devices that holds a served model and its caches",
    phrases="chips rounded up to a power of two; smallest TPU slice for serving; tensor-parallel degree "
    "2, 4 or 8 that fits; 2^ceil(log2(bytes / HBM)); least topology that holds weights and caches; next "
    "power-of-two number of GPUs for inference",
    uses={"n_mem": DEVICES_FOR_SERVING.at()},
    oracle=double_until_it_fits,
    chain="""
    n_pow = 2^ceil(log2(n_mem))      -- the first power of two that is no less
    """,
)
