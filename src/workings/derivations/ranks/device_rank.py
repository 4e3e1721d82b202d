"""The rank of a device."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import DEVICE, ON_THE_NODE, number_the_devices
from workings.derivations.ranks._sources import MEGATRON_WORLD
from workings.units import ONE

DEVICE_RANK = derivation(
    "device-rank",
    title="Rank of a device",
    unit=ONE,
    letters=DEVICE,
    given=ON_THE_NODE,
    source=MEGATRON_WORLD,
    oracle=number_the_devices,
    convention="Counted from 0; ranks fill one node after the other.",
    chain="""
    r = sum(n_node, (i, 1, i_n)) + i_l     -- the devices of the nodes before it, and those before it here
      = n_node*i_n + i_l                   -- equal nodes
    """,
)
