"""What `benchmarks/plan.py` measures: rates of evaluation, another program, and a whole process."""

import os

# One thread; and starting others, which would only wait, takes longer than a search. NumPy reads these
# when it is first imported, so this stands before any module that does.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
