"""Oversubscription of a leaf switch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import FAT_TREE
from workings.simulate.lanes import seconds_to_send
from workings.units import ONE
from workings.vocabulary.links import DOWNLINKS, PORT_SPEED, UPLINKS


def fill_the_switch(n_down: int, n_up: int, W_port: Fraction) -> Fraction:
    """Bytes that came in by all downlinks, put on free uplinks; how much longer that takes."""
    packets = n_down * n_up
    return seconds_to_send(packets, n_up, W_port) / seconds_to_send(packets, n_down, W_port)


OVERSUBSCRIPTION = derivation(
    "oversubscription",
    title="Oversubscription of a leaf switch",
    unit=ONE,
    letters={"n_down": DOWNLINKS, "n_up": UPLINKS, "W_port": PORT_SPEED},
    source=FAT_TREE,
    oracle=fill_the_switch,
    convention="Said as a ratio, such as 2:1. Equal ports up and down; 1 is a full fat tree.",
    chain="""
    r_over = sum(W_port, (i, 1, n_down))/sum(W_port, (i, 1, n_up))   -- what comes in over what gets out
      = n_down*W_port/(n_up*W_port)                                  -- equal ports
      = n_down/n_up                                                  -- the speed drops out
    """,
)
