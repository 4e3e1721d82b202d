"""A device's roofline.

While a byte moves, a device can do so many FLOPs: its critical intensity. A kernel that does fewer for
each byte waits for the memory, and reaches no more than its share of the peak; one that does more
reaches the peak at best. Both are properties of the device alone, and fall apart as chips gain FLOPs
faster than bandwidth: lower precision doubles the one and not the other. The network between
devices is a third bound, and a measured rate over the lowest of them is the share of the roofline.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like
from workings.derivations.roofline._sources import ROOFLINE, SCALING_BOOK_TIME
from workings.simulate.search import halve
from workings.units import BYTE, FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE, MEMORY_BANDWIDTH, NETWORK_ONE_WAY
from workings.vocabulary.roofline import INTENSITY, NETWORK_INTENSITY
from workings.vocabulary.scale import ACHIEVED

DEVICE = {"C": COMPUTE, "W_m": MEMORY_BANDWIDTH}


def search_the_ridge(C: Fraction, W_m: Fraction) -> tuple[Fraction, Fraction]:
    """FLOPs for a byte raised until computing them takes as long as moving it; a bracket of them."""
    most = Fraction(1)
    while most / C < 1 / W_m:
        most *= 2
    return halve(lambda flops: flops / C >= 1 / W_m, 0, most)


CRITICAL_INTENSITY = derivation(
    "critical-intensity",
    title="Arithmetic intensity from which a device is compute-bound",
    phrases="ridge point; machine balance; peak FLOPs over HBM bandwidth; ops to byte ratio of a "
    "GPU; hardware intensity; how many FLOPs per byte does an H100 need; accelerator balance point; "
    "roofline knee",
    unit=FLOP / BYTE,
    letters=DEVICE,
    source=SCALING_BOOK_TIME,
    oracle=search_the_ridge,
    convention="Peak rates of the data sheet. A scenario's `C` is that of 16-bit matrix products without "
    "sparsity: for another precision set the peak of that one.",
    chain="""
    I_c = C*(1/W_m)                    -- the FLOPs of the `1/W_m` seconds that a byte takes
      = C/W_m                          -- the peak over the bandwidth
    """,
)


def run_a_kernel(I: Fraction, C: Fraction, W_m: Fraction) -> Fraction:  # noqa: E741
    """Blocks of unlike sizes moved and computed side by side; all FLOPs over the time of the later."""
    computed = moved = flops = Fraction(0)
    for size in (1, 5, 2, 7):
        moved += size / W_m
        computed += size * I / C
        flops += size * I
    return flops / (computed if computed > moved else moved)


ATTAINABLE_RATE = derivation(
    "attainable-rate",
    title="FLOP/s that a kernel reaches at most (the roofline)",
    phrases="roofline model formula; attainable performance; min of peak and bandwidth times intensity; "
    "best possible throughput of a memory-bound kernel; GFLOPs ceiling from operational intensity",
    unit=FLOP / SECOND,
    letters={"I": INTENSITY, **DEVICE},
    source=ROOFLINE,
    oracle=run_a_kernel,
    convention="Memory and arithmetic overlap wholly, and both run at their peak.",
    chain="""
    P = I/max(I/C, 1/W_m)              -- a byte's FLOPs over its time: computed and moved side by side
      = min(C, I*W_m)                  -- below the critical intensity the bandwidth, above it the peak
    """,
)


GSHARD = Source(
    "Lepikhin et al.",
    "GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding",
    2020,
    "section 5.2 and figure 8",
    "https://arxiv.org/abs/2006.16668",
)


def run_and_send(I: Fraction, I_x: Fraction, C: Fraction, W_m: Fraction, W_2: Fraction) -> Fraction:  # noqa: E741
    """Blocks of unlike sizes computed, moved and sent side by side; FLOPs over the time of the last."""
    lanes, flops = [Fraction(0)] * 3, Fraction(0)
    for size in (1, 5, 2, 7):
        work = size * I * I_x
        for lane, seconds in enumerate((work / C, work / I / W_m, work / I_x / W_2)):
            lanes[lane] += seconds
        flops += work
    return flops / sorted(lanes)[-1]


ATTAINABLE_RATE_NETWORK = like(
    "attainable-rate-network",
    ATTAINABLE_RATE,
    title="FLOP/s that a step reaches at most, the network counted (the roofline of three bounds)",
    phrases="roofline with interconnect; min of peak, memory bandwidth and network bound; attainable "
    "performance of a distributed operator; bound by FLOPS, HBM or inter-device bandwidth; "
    "communication roofline of a step; three-way roofline; roofline with a third "
    "ceiling",
    letters={"I": INTENSITY, "I_x": NETWORK_INTENSITY, **DEVICE, "W_2": NETWORK_ONE_WAY},
    uses={"P": ATTAINABLE_RATE.at()},
    given=("I > 0", "I_x > 0"),
    source=GSHARD,
    oracle=run_and_send,
    convention="Arithmetic, memory and network overlap wholly, and all run at their peak.",
    chain="""
    P_x = 1[FLOP]/max(1[FLOP]/P, 1[FLOP]/(I_x*W_2))  -- a FLOP's time on the device, and in the network
      = min(P, I_x*W_2)                              -- the slower decides
      = min(C, I*W_m, I_x*W_2)                       -- put the device's roofline in
    """,
)


def compare_with_the_roofline(I: Fraction, C: Fraction, W_m: Fraction, C_a: Fraction) -> Fraction:  # noqa: E741
    """The blocks of a kernel run at their best; that time over the time they took when measured."""
    flops = sum((size * I for size in (1, 5, 2, 7)), Fraction(0))
    return flops / run_a_kernel(I, C, W_m) / (flops / C_a)


ROOFLINE_SHARE = derivation(
    "roofline-share",
    title="Share of the roofline that a kernel reaches",
    phrases="fraction of roofline; achieved over attainable performance; how close is my kernel to the "
    "roofline; percent of the roofline bound; measured FLOP/s over the memory-bound limit; roofline "
    "efficiency of an operator",
    unit=ONE,
    letters={"I": INTENSITY, **DEVICE, "C_a": ACHIEVED},
    uses={"P": ATTAINABLE_RATE.at()},
    given=("I > 0",),
    source=GSHARD,
    oracle=compare_with_the_roofline,
    convention="Never less than the share of the peak: a memory-bound kernel can reach all of it and "
    "little of the peak. Above 1 a figure is "
    "wrong: bytes were counted that a cache kept.",
    chain="""
    x_roof = C_a/P                     -- the measured rate, over the highest that the device allows
      = C_a*max(1/C, 1/(I*W_m))        -- put the roofline in
    """,
)


def compare_with_three_bounds(C_a: Fraction, **limits: Fraction) -> Fraction:
    """The blocks of a step run at their best; that time over the time they took when measured."""
    flops = sum((size * limits["I"] for size in (1, 5, 2, 7)), Fraction(0))
    return flops / run_and_send(**limits) / (flops / C_a)


ROOFLINE_SHARE_NETWORK = like(
    "roofline-share-network",
    ROOFLINE_SHARE,
    title="Share of the roofline of three bounds that a step reaches",
    phrases="fraction of roofline with communication; share of the bound by FLOPS, memory or "
    "interconnect; GShard figure 8 roofline percentages; achieved over attainable including network; "
    "how close is a sharded operator to its limits",
    letters={**ATTAINABLE_RATE_NETWORK.letters, "C_a": ACHIEVED},
    uses={"P_x": ATTAINABLE_RATE_NETWORK.at()},
    given=("I > 0", "I_x > 0"),
    oracle=compare_with_three_bounds,
    convention="A step that waits for the network can reach all of it and little of the peak.",
    chain="""
    x_net = C_a/P_x                              -- the measured rate, over the highest there is
    """,
)
