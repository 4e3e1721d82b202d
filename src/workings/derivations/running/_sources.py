"""Publications on failures and checkpoints; each but Daly's was opened at the place named."""

from workings.derivation import Source

LLAMA_3_RELIABILITY = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.4, table 5",
    "https://arxiv.org/abs/2407.21783",
)
LLAMA_3_STORAGE = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.1, on storage",
    "https://arxiv.org/abs/2407.21783",
)
CHECKPOINT_INTERVAL = Source(
    "Janapa Reddi et al.",
    "Machine Learning Systems",
    2025,
    "volume 2, Fault Tolerance, “Checkpoint interval from failure analysis”",
    "https://github.com/harvard-edge/cs249r_book/blob/dev/book/quarto/contents/vol2/"
    "fault_tolerance/fault_tolerance.qmd",
)
DALY = Source(
    "Daly",
    "A Higher Order Estimate of the Optimum Checkpoint Interval for Restart Dumps",
    2006,
    "equation 37, as others transcribe it",
    "https://doi.org/10.1016/j.future.2004.11.016",
)
DALY_MODEL = Source(
    "Daly",
    "A Higher Order Estimate of the Optimum Checkpoint Interval for Restart Dumps",
    2006,
    "the mean wall time behind equation 37, as others transcribe it",
    "https://doi.org/10.1016/j.future.2004.11.016",
)
