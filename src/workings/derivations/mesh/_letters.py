"""The letters of a mesh of X FSDP by Y tensor-parallel devices."""

from workings.vocabulary.hardware import COMPUTE, LINK
from workings.vocabulary.layout import AXES_X, AXES_Y, MESH_X, MESH_Y
from workings.vocabulary.model import D_MODEL, PLAIN_WIDTH
from workings.vocabulary.training import ACTIVATION_WIDTH, GATHER_WIDTH, TOKENS

MESH = {"X": MESH_X, "Y": MESH_Y}
BLOCK = {"B": TOKENS, "D": D_MODEL, "F": PLAIN_WIDTH}
LINKS = {"W": LINK, "M_X": AXES_X, "M_Y": AXES_Y, "w": GATHER_WIDTH, "a": ACTIVATION_WIDTH}
ALL = {**BLOCK, **MESH, "C": COMPUTE, **LINKS}
