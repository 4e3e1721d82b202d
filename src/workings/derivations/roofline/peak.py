"""Where a peak comes from.

A device does so many FLOPs in a second because it has so many units, each with so many lanes that
multiply and add at once, at so many cycles a second. A matrix unit of 128 × 128 has 16,384 lanes; a data
sheet's vector rate counts a multiply-add as two. Turned round, a peak gives the FLOPs of a unit in a
cycle, or the clock that its publisher had in mind.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.sources import scaling_book
from workings.units import FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.roofline import CLOCK, LANE_FLOPS, LANES, UNITS

GPU = scaling_book("gpus", "part 12, “What Is a GPU?” and quiz 1")
CYCLES, MOST_CYCLES = 7, 3_000


def lanes_by_name(n_u: int, n_l: int) -> set[tuple[int, int]]:
    """Every lane of every unit."""
    return {(unit, lane) for unit in range(n_u) for lane in range(n_l)}


def name_every_lane(n_u: int, n_l: int) -> int:
    """Every lane of every unit named, and the names counted."""
    return len(lanes_by_name(n_u, n_l))


DEVICE_LANES = derivation(
    "device-lanes",
    title="Lanes of a device (CUDA cores, vector ALUs)",
    phrases="number of CUDA cores; SMs times 4 times 32; fp32 cores of a GPU; vector ALUs of a TPU; how "
    "many ALUs does an H100 have; total multiply-adders on a chip; 16896 cores",
    unit=ONE,
    noun="lanes",
    letters={"n_u": UNITS, "n_l": LANES},
    source=GPU,
    oracle=name_every_lane,
    convention="Each streaming multiprocessor of a GPU has four units of 32 lanes for vectors; its four "
    "matrix units (tensor cores) count as lanes of their own, 512 each on an H100 in BF16.",
    chain="""
    N_l = sum(n_l, (i, 1, n_u))     -- the lanes of each unit
      = n_u*n_l                     -- equal units
    """,
)


def tick_every_lane(n_u: int, n_l: int, f_l: Fraction, nu: Fraction) -> Fraction:
    """Every lane seen at work in each of a few cycles; FLOPs over the time when the last cycle ends."""
    seen = [(cycle, lane) for cycle in range(CYCLES) for lane in lanes_by_name(n_u, n_l)]
    ends = [(cycle + 1) / nu for cycle, _ in seen]
    return len(seen) * f_l / ends[-1]


PEAK_FROM_UNITS = derivation(
    "peak-from-units",
    title="Peak of a device from its units and its clock",
    phrases="where does the peak FLOP/s come from; SMs times tensor cores times FLOPs per cycle times "
    "clock; 128x128 matrix unit FLOPs per second; MXU peak from clock; CUDA cores times 2 times boost "
    "clock; vector FLOPs of a TPU or GPU; theoretical peak from hardware specs; VPU FLOPs/s",
    unit=FLOP / SECOND,
    letters={"n_u": UNITS, "n_l": LANES, "f_l": LANE_FLOPS, "nu": CLOCK},
    uses={"N_l": DEVICE_LANES.at()},
    source=GPU,
    oracle=tick_every_lane,
    convention="Every lane is busy in every cycle. `f_l` is 2 where a multiply and an add count as two, "
    "1 where a lane does only one of them; the boost clock and the sustained clock differ.",
    chain="""
    C_u = N_l*f_l*nu           -- all lanes, their FLOPs in a cycle, the cycles of a second
      = n_u*n_l*f_l*nu         -- put the lanes in
    """,
)


def share_a_few_cycles_out(n_u: int, C: Fraction, nu: Fraction) -> Fraction:
    """FLOPs of a few cycles dealt to the units, one cycle after the other; those of one unit in one."""
    cells = {(cycle, unit): Fraction(0) for cycle in range(CYCLES) for unit in range(n_u)}
    flops = sum((C * (cycle + 1) / nu - C * cycle / nu for cycle in range(CYCLES)), Fraction(0))
    for cell in cells:
        cells[cell] = flops / len(cells)
    return cells[0, 0]


UNIT_FLOPS = derivation(
    "unit-flops-per-cycle",
    title="FLOPs of a unit in a cycle, from the peak",
    phrases="tensor core FLOPs per cycle; FLOPs per clock per SM; how many FLOPs does a tensor core do "
    "each cycle; peak over units and clock; 1024 FLOPs per cycle; work of a matrix unit in one clock",
    unit=FLOP,
    letters={"n_u": UNITS, "C": COMPUTE, "nu": CLOCK},
    source=GPU,
    oracle=share_a_few_cycles_out,
    convention="Half as many multiply-adds. With the boost clock it comes out lower than with the "
    "clock that the peak was stated for.",
    chain="""
    f_u = C/nu/n_u          -- the peak of a cycle, shared by the units
      = C/(n_u*nu)          -- collect
    """,
)


def tick_until_it_is_done(n_u: int, n_l: int, f_l: Fraction, C: Fraction) -> Fraction:
    """Cycles done until a second's work is, lane after lane; the last cycle perhaps in part."""
    lanes = lanes_by_name(n_u, n_l)
    only_if(C / (f_l * len(lanes)) <= MOST_CYCLES)
    cycles, left = Fraction(0), C
    while left > 0:
        done = min(left, sum((f_l for _ in lanes), Fraction(0)))
        cycles, left = cycles + done / f_l / len(lanes), left - done
    return cycles


CLOCK_FROM_PEAK = like(
    "clock-from-peak",
    PEAK_FROM_UNITS,
    title="Clock that a peak implies",
    phrases="boost clock from FLOPs; clock speed implied by the data sheet; GHz behind a vector rate; "
    "frequency from peak FLOP/s and cores; what clock gives 80 TFLOPs; peak over cores times two; "
    "frequency assumed for a TFLOPs figure",
    unit=ONE / SECOND,
    noun="cycles",
    letters={"n_u": UNITS, "n_l": LANES, "f_l": LANE_FLOPS, "C": COMPUTE},
    oracle=tick_until_it_is_done,
    convention="The clock for which the publisher states the peak, often the boost clock.",
    chain="""
    nu_C = C/(N_l*f_l)          -- the peak, over the FLOPs of all lanes in a cycle
      = C/(n_u*n_l*f_l)         -- put the lanes in
    """,
)
