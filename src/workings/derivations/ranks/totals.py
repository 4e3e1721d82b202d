"""What all devices have together.

Devices of a cluster, a pod or a job add up: their compute at the peak, the part of it that is used, and
their memory. Nothing here says that a job can use it all; it is the first figure one asks for.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.sources import MEGATRON_PIPELINE, scaling_book
from workings.simulate.meter import metered
from workings.simulate.steps import train
from workings.units import BYTE, FLOP, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.scale import MFU

SCALING_BOOK_PODS = scaling_book("tpus", "part 2, “What Is a TPU?” and question 2")


def work_a_second(n: int, C: Fraction) -> Fraction:
    """Every device works for a second, its FLOPs read off after unlike spells; all of them."""
    return metered(C, 1, n)


CLUSTER_COMPUTE = derivation(
    "cluster-compute",
    title="Compute of all devices together",
    phrases="peak FLOP/s of a cluster; total petaflops of a pod; how many exaflops do 16k H100s have; "
    "number of chips times peak per chip; FLOPs per second of a TPU slice; aggregate peak throughput",
    unit=FLOP / SECOND,
    letters={"n": DEVICES, "C": COMPUTE},
    source=SCALING_BOOK_PODS,
    oracle=work_a_second,
    convention="The peak of the data sheet, at the precision that it is for.",
    chain="""
    C_n = sum(C, (i, 1, n))     -- each device at its peak
      = n*C                     -- equal devices
    """,
)


def work_a_second_in_part(n: int, C: Fraction, u: Fraction) -> Fraction:
    """A job on all devices at the peak; its clock stretched by idle time; FLOPs over the time."""
    job = train(5, 7, n, C)
    return job.flops / (job.seconds + job.seconds * (1 / u - 1))


CLUSTER_COMPUTE_USED = like(
    "cluster-compute-used",
    CLUSTER_COMPUTE,
    title="Compute of all devices together that is used",
    phrases="aggregate PFLOP/s achieved; sustained petaflops of the whole system; total throughput in "
    "FLOP/s at an MFU; MFU times peak times number of GPUs; 502 petaFLOP/s on 3072 GPUs; aggregate "
    "throughput in exaflops",
    letters={"n": DEVICES, "C": COMPUTE, "u": MFU},
    uses={"C_n": CLUSTER_COMPUTE.at()},
    source=MEGATRON_PIPELINE.at("section 5.1, table 1"),
    oracle=work_a_second_in_part,
    convention="Model FLOPs, as in MFU: what recomputation does again is not among them.",
    chain="""
    C_use = u*C_n     -- the share of the peak that is used
      = u*n*C         -- put the peak in
    """,
)


def fill_every_memory(n: int, M_max: Fraction) -> Fraction:
    """Addresses given out device after device in unlike pieces; where the last one ends."""
    end = Fraction(0)
    for device in range(n):
        pieces = device + 1
        for _ in range(pieces):
            end += M_max / pieces
    return end


CLUSTER_MEMORY = derivation(
    "cluster-memory",
    title="Memory of all devices together",
    phrases="total HBM of a pod; how much memory does the whole cluster have; aggregate GPU memory; HBM "
    "of a slice; chips times HBM per chip; combined VRAM of all GPUs",
    unit=BYTE,
    letters={"n": DEVICES, "M_max": DEVICE_MEMORY},
    source=SCALING_BOOK_PODS,
    oracle=fill_every_memory,
    convention="What a device reports, all of it; data sheets and reports differ by a few percent.",
    chain="""
    M_n = sum(M_max, (i, 1, n))     -- the memory of each device
      = n*M_max                     -- equal devices
    """,
)
