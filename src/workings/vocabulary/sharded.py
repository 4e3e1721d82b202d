"""Axes of a mesh of devices, as shardings name them."""

from workings.vocabulary.concept import Concept, count

AXIS = count("axis", "devices along the mesh axis that shards", "X", None, "devices")
OTHER_AXIS = count("other_axis", "devices along the second mesh axis that shards", "Y", None, "devices")
COPIES_AXIS = count(
    "copies_axis", "devices along the mesh axes that the array is not sharded over", "Z", None, "devices"
)
AXIS_REAL = Concept(
    "axis_real", "devices along the mesh axis that shards, taken as a real number", "X", kin="axis"
)
BEFORE = count(
    "devices_before", "devices that share the array evenly before it moves", "N_1", None, "devices"
)
AFTER = count(
    "devices_after", "devices that share the array evenly after it moved", "N_2", None, "devices"
)
AXIS_RINGS = count("axis_rings", "torus axes along the mesh axis that shards", "m_X", None, "axes")
OTHER_AXIS_RINGS = count(
    "other_axis_rings", "torus axes along the second mesh axis that shards", "m_Y", None, "axes"
)
