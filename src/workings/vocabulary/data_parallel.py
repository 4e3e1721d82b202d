"""Units, buckets and streams of data-parallel training."""

from workings.units import FLOP, SECOND
from workings.vocabulary.concept import Concept, count, seconds, whole

# FSDP gathers, computes and frees a unit of the model at a time.
UNITS = count("fsdp_units", "FSDP units of the model, all equal", "U", None, "units")
UNIT_PARAMETERS = count("unit_parameters", "parameters of one FSDP unit", "P_u", None, "parameters")
PREFETCHED = whole("prefetched_units", "units gathered ahead of the one being computed", "k_u", None,
                   "units")  # fmt: skip
UNIT_GATHER = seconds("unit_gather_time", "time to gather the weights of a unit", "T_g")
UNIT_FORWARD = seconds("unit_forward_time", "time of the forward of a unit", "T_f")
UNIT_BACKWARD = seconds("unit_backward_time", "time of the backward of a unit", "T_b")
UNIT_REDUCE = seconds("unit_reduce_time", "time to reduce-scatter the gradient of a unit", "T_r")

# DDP reduces gradients a bucket at a time.
BUCKETS = count("ddp_buckets", "gradient buckets, all equal", "k_b", None, "buckets")
BUCKETS_REAL = Concept(
    "ddp_buckets_real", "gradient buckets, taken as a real number", "k_b", kin="ddp_buckets"
)
BUCKET_PARAMETERS = count("bucket_parameters", "gradients that fill a bucket", "P_b", None, "parameters")
BUCKET_BACKWARD = seconds("bucket_backward_time", "time to compute the gradients of a bucket", "T_c")
BUCKET_REDUCE = seconds("bucket_reduce_time", "time to all-reduce a bucket", "T_a")
BUCKET_STARTUP = Concept(
    "bucket_startup_time", "start-up time of the all-reduce of one bucket", "T_0", SECOND
)
ALL_REDUCE_BYTES_TIME = Concept(
    "all_reduce_bytes_time", "time to send the bytes of all gradients' all-reduce", "T_x", SECOND
)
BACKWARD = Concept("backward_time", "time of the whole backward", "T_B", SECOND)

# In a pipeline
STAGE_BACKWARD = seconds("stage_backward_time", "time of the backward of a micro-batch on a stage", "T_p")
STAGE_SYNC = seconds("stage_sync_time", "time to synchronise the gradients of a stage", "T_s")

# Compute against communication
DOUBLINGS = whole("group_doublings", "doublings that make a group of one device", "h", None, "doublings")
COMPUTE_PER_PARAMETER = Concept(
    "compute_per_parameter", "forward FLOPs a token costs for each parameter gathered", "f", FLOP
)
