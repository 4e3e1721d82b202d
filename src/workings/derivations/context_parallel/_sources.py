"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

RING_ATTENTION_INTENSITY = Source(
    "Liu, Zaharia and Abbeel",
    "Ring Attention with Blockwise Transformers for Near-Infinite Context",
    2023,
    "section 3, “Arithmetic Intensity Between Hosts”, with table 2",
    "https://arxiv.org/abs/2310.01889",
)


LLAMA_3_CP = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Context parallelism for long sequences”",
    "https://arxiv.org/abs/2407.21783",
)
