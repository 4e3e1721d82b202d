"""Serving: what a trained model needs in memory, time and money to answer requests.

A request is two kinds of work. Its prompt goes through the model at once, as in training, and leaves
keys and values of every token behind, the cache; then one token follows another, each of which reads all
weights and the whole cache for a few products. There are no gradients and no optimizer: memory goes to
weights, often in fewer bits than they were trained in, and to this cache, which grows with every
sequence and every token of it. What the cache of a token takes says how many sequences a device serves
and how long they may be; and how it is given out, in reserved rows or in pages, how much of it is of
use. What a device reads in a step decides how fast requests run, since decoding waits for memory long
before it waits for arithmetic: a larger batch shares the reading of the weights, but every sequence has
a cache of its own. From the times of both phases follow what a user waits for, how many tokens a group
of devices generates, and what a million of them costs. Times are those of a device at its peak that
reads and computes at once: bounds that no server beats. Caches were filled number by number, and steps
run on a clock, to count what the formulas say.
"""

SECTIONS = (
    "kv_cache",
    "windows",
    "recurrent",
    "weights",
    "devices",
    "room",
    "pages",
    "swapping",
    "decode",
    "latent",
    "reached",
    "other_models",
    "mixtures",
    "latent_mixtures",
    "prefill",
    "latent_prefill",
    "without_cache",
    "latency",
    "groups",
    "speculative",
    "acceptance",
    "cost",
)
