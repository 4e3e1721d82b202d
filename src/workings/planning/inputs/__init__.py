"""Jobs from what people have: job files, one line of options, launches of Megatron-LM and torchtitan.

`megatron.writing` writes a job as arguments of Megatron-LM again.
"""

from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.options import job_from_options

__all__ = ["job_from_options", "read_job"]
