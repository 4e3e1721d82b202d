"""Fine-tuning: matrices that are adapted, what is trained of them, and weights frozen in few bits."""

from workings.vocabulary.concept import count, whole, width

RANK = count("adapter_rank", "rank of an adapter: values between its two matrices", "r", None, "values")
D_IN = count("d_in", "values that a matrix takes in", "d_in", None, "values")
D_OUT = count("d_out", "values that a matrix gives out", "d_out", None, "values")
BOTTLENECK = count("bottleneck", "width in the middle of a bottleneck adapter", "m", None, "values")
BLOCK_ADAPTERS = count("block_adapters", "bottleneck adapters in a block", "n_a", None, "adapters")
TRAINED = count(
    "trained_parameters", "parameters that are trained beside the frozen ones", "P_a", None, "parameters"
)
FROZEN_WIDTH = width("frozen_width", "bytes per frozen weight", "w_f", "training.gather_width")
SCALE_BLOCK = count(
    "scale_block", "scales that share a scale of their own (double quantization)", "B_2", None, "scales"
)
PREFIX = whole("tuned_prefix", "trained tokens before the prompt", "l_p", None, "tokens")
INFIX = whole("tuned_infix", "trained tokens after the prompt", "l_i", None, "tokens")
SERVED_ADAPTERS = count(
    "served_adapters", "adapters that are held beside one model", "n_ad", None, "adapters"
)
ADAPTER_WIDTH = width("adapter_width", "bytes per weight of an adapter", "w_a", None)
