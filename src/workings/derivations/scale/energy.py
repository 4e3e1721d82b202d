"""Power, energy and emissions.

Devices take power by the second, with the share of their hosts, switches and cooling that the building
adds to it. Over device time it is energy, and with what a kilowatt-hour emits, carbon dioxide. Watts are
joules a second; 3.6 million joules are a kilowatt-hour.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like
from workings.simulate.meter import metered
from workings.units import CURRENCY, ONE, SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import CARBON, DEVICE_SECONDS, ENERGY_PRICE, OVERHEAD_POWER
from workings.vocabulary.serving_time import WATTS

PALM_EMISSIONS = Source(
    "Chowdhery et al.",
    "PaLM: Scaling Language Modeling with Pathways",
    2022,
    "appendix B, on emissions",
    "https://arxiv.org/abs/2204.02311",
)

CLUSTER_ELECTRICITY = Source(
    "AI Infra Map",
    "Datacenter Power Calculator",
    None,
    "“Annual electricity cost”",
    "https://aiinframap.com/tools/energy/datacenter-power-calculator",
)


def burn_a_second(n: int, p_d: Fraction, x_pue: Fraction) -> Fraction:
    """A meter for each device, where the building's power comes in, read after unlike spells."""
    return metered(x_pue * p_d, 1, n)


CLUSTER_POWER = derivation(
    "cluster-power",
    title="Power of a cluster",
    phrases="megawatts of 16k H100s; how much power does my cluster draw; number of GPUs times TDP times "
    "PUE; power draw of all devices of a job; kilowatts of a pod",
    unit=ONE / SECOND,
    noun="joules",
    letters={"n": DEVICES, "p_d": WATTS, "x_pue": OVERHEAD_POWER},
    source=PALM_EMISSIONS,
    oracle=burn_a_second,
    convention="In watts, joules a second. `p_d` is the mean power for each device, with its share of "
    "the host if that shall count; the limit on the data sheet is more than the mean.",
    chain="""
    p_n = sum(p_d, (i, 1, n))*x_pue     -- each device, and what the building adds
      = n*p_d*x_pue                     -- equal devices
    """,
)


def burn_all_the_time(T_dev: Fraction, p_d: Fraction, x_pue: Fraction) -> Fraction:
    """One device for all of the device time, its building's meter read after unlike spells."""
    return metered(x_pue * p_d, T_dev)


TRAINING_ENERGY = derivation(
    "training-energy",
    title="Energy of a training run",
    phrases="MWh of a training run; GPU hours times watts; chip-hours times power times PUE; kilowatt "
    "hours to train a model; energy used by pretraining; energy consumption from device "
    "hours; kWh from GPU hours and TDP",
    unit=ONE,
    noun="joules",
    fractional="an energy, in joules",
    letters={"T_dev": DEVICE_SECONDS, "p_d": WATTS, "x_pue": OVERHEAD_POWER},
    source=PALM_EMISSIONS,
    oracle=burn_all_the_time,
    convention="3.6 million joules are a kilowatt-hour, 3.6 billion a megawatt-hour. `p_d` is the mean "
    "power of a device while it is held.",
    leaves_out="Making the devices and the building.",
    chain="""
    e_run = T_dev*(p_d*x_pue)     -- each second of a device, with what the building adds
    """,
)


def emit_hour_by_hour(T_dev: Fraction, p_d: Fraction, x_pue: Fraction, x_co2: Fraction) -> Fraction:
    """Kilowatt-hours read off after unlike spells, each with its emissions."""
    thousand_watts_for_an_hour = 1_000 * 60 * 60
    return metered(x_co2, burn_all_the_time(T_dev, p_d, x_pue) / thousand_watts_for_an_hour)


TRAINING_EMISSIONS = like(
    "training-emissions",
    TRAINING_ENERGY,
    title="Emissions of a training run",
    phrases="carbon footprint of training; tCO2e of a run; tonnes of CO2 from GPU hours; energy times "
    "carbon intensity; 271 tCO2e PaLM; greenhouse gas emissions of pretraining; PUE and grid intensity",
    noun="kilograms",
    fractional="a mass of CO2e, in kilograms",
    letters={**TRAINING_ENERGY.letters, "x_co2": CARBON},
    uses={"e_run": TRAINING_ENERGY.at()},
    oracle=emit_hour_by_hour,
    convention="What the electricity emits where and when it is used, as its supplier states it; offsets "
    "are not taken off.",
    chain="""
    m_co2 = e_run/3600000*x_co2               -- kilowatt-hours, and what each emits
      = T_dev*p_d*x_pue*x_co2/3600000         -- put the energy in
    """,
)


def pay_hour_by_hour(T_dev: Fraction, p_d: Fraction, x_pue: Fraction, c_kWh: Fraction) -> Fraction:
    """Kilowatt-hours read off after unlike spells, each paid for."""
    return emit_hour_by_hour(T_dev, p_d, x_pue, c_kWh)


ELECTRICITY_COST = derivation(
    "electricity-cost",
    title="Cost of the electricity that a run takes",
    phrases="electricity bill of a cluster; kWh times price per kilowatt hour; dollars a year for the "
    "electricity of 100k GPUs",
    unit=CURRENCY,
    letters={**TRAINING_ENERGY.letters, "c_kWh": ENERGY_PRICE},
    uses={"e_run": TRAINING_ENERGY.at()},
    source=CLUSTER_ELECTRICITY,
    oracle=pay_hour_by_hour,
    convention="Of any use of devices, a year of serving as well as a run. Where energy is known, it is "
    "set in place of `e_run`.",
    leaves_out="What is asked for the largest power drawn, and what is fed back.",
    chain="""
    c_el = e_run/3600000*c_kWh                -- kilowatt-hours, and the price of each
      = T_dev*p_d*x_pue*c_kWh/3600000         -- put the energy in
    """,
)
