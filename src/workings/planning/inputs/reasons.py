"""Why a launch's keys are not followed, where it means something for the plan."""

from collections.abc import Mapping

ADAM = (
    "Adam's two moments are counted for every parameter: another optimizer holds fewer or more bytes, "
    "and takes another time"
)
ADAMS = ("adam", "adamw")  # optimizers of two moments, as programs call them
OF_TORCHTITAN: Mapping[str, str] = {
    "optimizer.name": ADAM,
    "training.enable_cpu_offload": "weights, gradients and optimizer state count as held by the device",
    "model.converters": "compute is at the device's 16-bit peak; set cluster.compute for FP8",
}
# Keys of its [parallelism] that no plan reads.
UNREAD = (
    "disable_loss_parallel", "enable_async_tensor_parallel", "pipeline_parallel_split_points",
    "module_fqns_per_model_part", "context_parallel_rotate_method", "enable_compiled_autograd",
    "pipeline_parallel_schedule_csv", "expert_parallel_comm_backend", "enable_expert_parallel",
)  # fmt: skip
