"""Ranks on nodes and on a mesh: their number and their place on each axis, all counted from 0."""

from workings.units import ONE
from workings.vocabulary.concept import Concept, Domain, count, flag


def _counted_from_0(name: str, meaning: str, glyph: str) -> Concept:
    return Concept(name, meaning, glyph, ONE, Domain.WHOLE)


RANK = _counted_from_0("rank", "number of a rank, from 0", "r")
NODE_INDEX = _counted_from_0("node_index", "number of a node, from 0", "i_n")
LOCAL_INDEX = _counted_from_0("local_index", "device inside its node, from 0", "i_l")
TP_INDEX = _counted_from_0("tp_index", "place in the tensor-parallel group, from 0", "i_t")
CP_INDEX = _counted_from_0("cp_index", "place in the context-parallel group, from 0", "i_c")
PP_INDEX = _counted_from_0("pp_index", "place in the pipeline, from 0", "i_p")
DP_INDEX = _counted_from_0("dp_index", "place in the data-parallel group, from 0", "i_d")
STRIDE = count("stride", "ranks from one member of a group to the next", "sigma", None, "ranks")
SLOWER = count("slower", "places on all axes that vary slower, together", "n_s", None, "places")
DP_BEFORE_PP = flag("dp_before_pp", "1 where replicas vary faster along the ranks than pipeline stages, "
                    "else 0", "o_d", "layout.dp_before_pp")  # fmt: skip
