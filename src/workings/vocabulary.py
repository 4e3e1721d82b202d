"""Every concept once: its meaning, unit, domain, where a scenario supplies it, its glyph.

One letter per meaning cannot hold across the literature (S is message, state and sequence), so
concepts have names and derivations have letters: `letters={"N": GROUP, "S": MESSAGE}`. Scenarios,
`--set` and notations speak of concepts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from workings.units import BYTE, FLOP, ONE, SECOND, Dimension


class Domain(Enum):
    """Which numbers a concept may take; probes and SymPy's assumptions follow it."""

    POSITIVE_INTEGER = "a whole number from 1"
    POSITIVE = "a number above 0"
    NONNEGATIVE = "a number from 0"


@dataclass(frozen=True, slots=True)
class Concept:
    """A meaning that formulas give letters to.

    `name` is what `--set` and scenarios call it, `glyph` the letter it has by default, `supplied`
    the scenario key that gives its value, `noun` what a count counts, `shown_in` a unit of its own
    where the document's prefix would be absurd (2 bytes a value is not 0.000000002 GB), `kin` the
    concept that this one is another reading of, so that both may share a letter on a page.
    """

    name: str
    meaning: str
    glyph: str
    dimension: Dimension = ONE
    domain: Domain = Domain.POSITIVE
    supplied: str | None = None
    noun: str | None = None
    shown_in: str | None = None
    kin: str | None = None


def _count(name: str, meaning: str, glyph: str, supplied: str | None, noun: str) -> Concept:
    return Concept(name, meaning, glyph, ONE, Domain.POSITIVE_INTEGER, supplied, noun)


def _width(name: str, meaning: str, glyph: str, supplied: str | None) -> Concept:
    domain = Domain.POSITIVE
    return Concept(name, meaning, glyph, BYTE, domain, supplied, shown_in="byte")


# The model
D_MODEL = _count("d_model", "model width", "D", "model.d_model", "values")
D_FF = _count("d_ff", "feed-forward width", "F", "model.d_ff", "values")
BLOCKS = _count("blocks", "blocks (layers)", "L", "model.blocks", "blocks")
PARAMETERS = _count("parameters", "parameters of the model", "P", None, "parameters")

# Training
TOKENS = _count("tokens", "tokens in the batch", "B", "training.tokens", "tokens")
BATCH = _count("batch", "sequences in the batch", "b", "training.batch", "sequences")
SEQUENCE_LENGTH = _count(
    "sequence_length", "tokens in a sequence", "s", "training.sequence_length", "tokens"
)
MICROBATCHES = _count(
    "microbatches", "micro-batches in a step", "m", "training.microbatches", "micro-batches"
)
MASTER_WIDTH = _width("master_width", "bytes per master weight", "w_p", "training.master_width")
GRADIENT_WIDTH = _width("gradient_width", "bytes per stored gradient", "w_g", "training.gradient_width")
MOMENT_WIDTH = _width("moment_width", "bytes per AdamW moment", "w_o", "training.moment_width")
ACTIVATION_WIDTH = _width("activation_width", "bytes per activation", "a", "training.activation_width")
GATHER_WIDTH = _width("gather_width", "bytes per gathered weight", "w", "training.gather_width")
REDUCE_WIDTH = _width("reduce_width", "bytes per communicated gradient", "g", "training.reduce_width")
SEGMENTS = _count("segments", "checkpointed segments", "k", "training.segments", "segments")
SEGMENTS_REAL = Concept(
    "segments_real", "checkpointed segments, taken as a real number", "k", kin="segments"
)

# Memory
STATE = Concept("state", "model state: weights, gradients, moments", "S", BYTE)
ACTIVATIONS = Concept("activations", "activations saved for backward", "A", BYTE, Domain.NONNEGATIVE)
WORKING = Concept("working", "gathered weights and one gradient", "G", BYTE, Domain.NONNEGATIVE)
DEVICE_MEMORY = Concept("memory", "memory of one device", "M_max", BYTE, supplied="hardware.memory")
KEPT_INPUT = Concept("kept_input", "bytes of a segment's input", "c", BYTE, kin="block-input")
KEPT_BLOCK = Concept("kept_block", "bytes one block saves", "e", BYTE, kin="block-saved")

# Layout
DEVICES = _count("devices", "devices in all", "n", "layout.devices", "devices")
FSDP_DEGREE = _count("N_fsdp", "devices that share one copy (FSDP)", "N", "layout.fsdp", "devices")
MESH_X = _count("X", "FSDP degree of the mesh", "X", "layout.fsdp", "devices")
MESH_Y = _count("Y", "tensor-parallel degree of the mesh", "Y", "layout.tp", "devices")
MESH_X_REAL = Concept("X_real", "FSDP degree, taken as a real number", "X", kin="X")
STAGES = _count("stages", "pipeline stages", "p", "layout.pp", "stages")
AXES_X = _count("M_X", "torus axes that carry FSDP", "M_X", "layout.fsdp_axes", "axes")
AXES_Y = _count("M_Y", "torus axes that carry tensor parallelism", "M_Y", "layout.tp_axes", "axes")

# Hardware
COMPUTE = Concept("C", "compute of one device", "C", FLOP / SECOND, supplied="hardware.compute")
LINK = Concept(
    "W",
    "bytes per second a device moves along one torus axis, both directions together",
    "W",
    BYTE / SECOND,
    supplied="hardware.axis_bandwidth",
)

# Collectives
GROUP = _count("group", "ranks in the group", "N", None, "devices")
MESSAGE = Concept("message", "bytes of the whole message", "S", BYTE)

# Times, for derivations that compare them
TIME = Concept("time", "a time", "T", SECOND, Domain.NONNEGATIVE)


def concepts() -> tuple[Concept, ...]:
    """All concepts, in vocabulary order."""
    return tuple(value for value in globals().values() if isinstance(value, Concept))


def concept_named(name: str) -> Concept | None:
    """The concept of this name, if there is one."""
    return next((c for c in concepts() if c.name == name), None)
