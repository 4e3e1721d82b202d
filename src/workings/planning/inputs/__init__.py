"""Jobs from what people have: job files, one line of options, launches of Megatron-LM and torchtitan."""

from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.inputs.options import job_from_options

__all__ = ["job_from_options", "megatron_arguments", "read_job"]
