"""How fast, how long, how dear: what only time and scale speak of."""

from workings.units import CURRENCY, FLOP, ONE, SECOND
from workings.vocabulary.concept import Concept, Domain, count, seconds, share

# Throughput and utilization
TOKEN_FLOPS = Concept(
    "token_flops", "FLOPs of the model for one token, forward and backward", "f_tok", FLOP,
    kin="palm-flops-per-token",
)  # fmt: skip
REDONE_FLOPS = Concept(
    "redone_flops", "FLOPs done again for one token (recomputation)", "f_re", FLOP, Domain.NONNEGATIVE
)
MFU = share("mfu", "model FLOPs utilization: model FLOP/s over peak FLOP/s", "u")
DEVICE_MFU = share("device_mfu", "share of its peak a device reaches while it never waits", "u_1")
EFFICIENCY = share("efficiency", "throughput a device over that of a device that never waits", "eta")
GOODPUT = share("goodput", "share of the wall time whose work is kept", "gamma", None)
ACHIEVED = Concept("achieved", "FLOP/s a device achieves, recomputation counted", "C_a", FLOP / SECOND)
PRICE = Concept(
    "price",
    "price of a device by the time that it is paid for",
    "c_d",
    CURRENCY / SECOND,
    Domain.NONNEGATIVE,
    "hardware.price",
)

DEVICE_SECONDS = seconds("device_time", "time of all devices together (device-hours)", "T_dev")._replace(
    kin="device-time"
)
TOKENS_PER_SECOND = Concept(
    "tokens_per_second", "tokens a second that all devices together were measured to train", "R_s",
    ONE / SECOND, kin="throughput",
)  # fmt: skip
GROUP_RATE = Concept(
    "group_rate", "tokens (or FLOPs) a second that were measured on all devices together", "R_n",
    ONE / SECOND,
)  # fmt: skip
BASE_RATE = Concept(
    "base_rate", "tokens (or FLOPs) a second that were measured on fewer devices", "R_0", ONE / SECOND
)
BASE_DEVICES = count("base_devices", "devices of the smaller run", "n_0", None, "devices")

# Energy
OVERHEAD_POWER = Concept(
    "power_overhead", "power of the building over that of its devices (PUE)", "x_pue", ONE,
    Domain.NONNEGATIVE,
)  # fmt: skip
CARBON = Concept(
    "carbon", "kilograms of CO2e for a kilowatt-hour (tonnes for a megawatt-hour)", "x_co2", ONE,
    Domain.NONNEGATIVE,
)  # fmt: skip
ENERGY_PRICE = Concept("energy_price", "price of a kilowatt-hour", "c_kWh", CURRENCY, Domain.NONNEGATIVE)

# Times
STEP_TIME = Concept("step_time", "wall time of a step", "T_s", SECOND)
COMPUTE_TIME = Concept(
    "compute_time", "time of a step's compute on its devices, none ever waiting", "T_c", SECOND
)
EXPOSED_TIME = seconds("exposed_time", "communication of a step that compute does not hide", "T_x")
ONE_DEVICE_TIME = Concept("one_device_time", "time of the whole step on one device", "T_1", SECOND)
OVERHEAD_TIME = seconds("overhead_time", "time a step loses however many devices share it", "T_o")

# What compute hides
TENSOR_HIDDEN = Concept(
    "tensor_hidden", "share of tensor-parallel transfers behind compute", "h_t", ONE, Domain.NONNEGATIVE
)
DATA_HIDDEN = Concept(
    "data_hidden", "share of the gradients' transfer behind compute", "h_d", ONE, Domain.NONNEGATIVE
)

# Budgets
COMPUTE_BUDGET = Concept("compute_budget", "FLOPs to spend on a training run", "Phi", FLOP)

# Fitted scaling laws
LOSS_FLOOR = Concept(
    "loss_floor", "loss that neither size nor data lowers", "E_0", ONE, Domain.NONNEGATIVE
)
SIZE_COEFFICIENT = Concept(
    "size_coefficient", "what the size of a model of one parameter adds to the loss", "A_P"
)
DATA_COEFFICIENT = Concept("data_coefficient", "what a run of one token adds to the loss", "B_T")
SIZE_EXPONENT = share("size_exponent", "exponent with which parameters lower the loss", "alpha_P")
DATA_EXPONENT = share("data_exponent", "exponent with which tokens lower the loss", "beta_T")
LAW_COEFFICIENT = Concept("law_coefficient", "what a fitted power law gives a budget of one FLOP", "k")
LAW_EXPONENT = share("law_exponent", "exponent of the budget in a fitted power law", "a_k")
BUDGET_GROWTH = Concept("budget_growth", "times that a budget grows", "r_Phi")

# The gradient's noise
GRADIENT = Concept("gradient_squared", "squared length of the true gradient", "G_2")
CURVATURE = Concept("curvature", "curvature of the loss along the true gradient", "h_G")
NOISE = Concept("noise", "noise of one token's gradient, weighted with the curvature", "h_N")
LEARNING_RATE = Concept(
    "learning_rate", "step length along the estimated gradient", "epsilon", kin="noisy-learning-rate"
)
NOISE_SCALE = Concept("noise_scale", "gradient noise scale, in tokens", "B_n", kin="gradient-noise-scale")
LEAST_STEPS = Concept("least_steps", "steps to a loss, however large the batch", "S_min")
SMALL_BATCH = count("small_batch", "tokens of the smaller of two batches", "B_1", None, "tokens")
LARGE_BATCH = count("large_batch", "tokens of the larger of two batches", "B_2", None, "tokens")
SMALL_BATCH_SQUARE = Concept(
    "small_batch_square", "mean squared length of gradients of the smaller batch", "g_1"
)
LARGE_BATCH_SQUARE = Concept(
    "large_batch_square", "mean squared length of gradients of the larger batch", "g_2"
)
