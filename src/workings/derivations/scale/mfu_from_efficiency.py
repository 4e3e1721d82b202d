"""MFU of many devices from that of one."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import MEGATRON_WEAK
from workings.simulate.steps import train
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import DEVICE_MFU, EFFICIENCY, TOKEN_FLOPS


def compare_many_with_one(n: int, C: Fraction, f_tok: Fraction, u_1: Fraction, eta: Fraction) -> Fraction:
    """Seven tokens on one device alone, on many that each keep that share of its pace, and at peak."""
    alone = train(7, f_tok, 1, u_1 * C).seconds
    together = alone / n / eta
    return train(7, f_tok, n, C).seconds / together


MFU_FROM_EFFICIENCY = derivation(
    "mfu-from-efficiency",
    title="MFU of a group from the efficiency of scaling",
    unit=ONE,
    letters={"n": DEVICES, "C": COMPUTE, "f_tok": TOKEN_FLOPS, "u_1": DEVICE_MFU, "eta": EFFICIENCY},
    source=MEGATRON_WEAK,
    oracle=compare_many_with_one,
    convention="Efficiency against a device that never waits, on the same model. Neither factor is "
    "above 1, so MFU is above neither: it can rise while efficiency falls only if `u_1` rises more, "
    "as it does with larger matrices.",
    chain="""
    U_g = (eta*n*(u_1*C/f_tok))*f_tok/(n*C)     -- `n` times the tokens of one device, less what is lost
      = eta*u_1                                 -- cancel
    """,
)
