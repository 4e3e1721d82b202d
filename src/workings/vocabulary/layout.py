"""Parallel degrees."""

from workings.vocabulary.concept import Concept, count

DEVICES = count("devices", "devices in all", "n", "layout.devices", "devices")
FSDP_DEGREE = count("N_fsdp", "devices that share one copy (FSDP)", "N", "layout.fsdp", "devices")
MESH_X = count("X", "FSDP degree of the mesh", "X", "layout.fsdp", "devices")._replace(kin="N_fsdp")
MESH_Y = count("Y", "tensor-parallel degree of the mesh", "Y", "layout.tp", "devices")
MESH_X_REAL = Concept("X_real", "FSDP degree, taken as a real number", "X", kin="N_fsdp")
DENSE_STATE_RANKS = count(
    "dense_state_ranks", "ranks that share the state of parameters outside routed experts", "N",
    "layout.dense_state_ranks", "ranks",
)._replace(kin="N_fsdp")  # fmt: skip
# Where experts are shared by a group of their own, one number stands for both groups: the harmonic mean
# over the parameters of a rank, with which `P/N` is exactly what the rank keeps.
SHARING = "ranks that share the state of a parameter (where experts have fewer, the harmonic mean)"
STATE_RANKS = count("state_ranks", SHARING, "N", "layout.state_ranks", "ranks")._replace(kin="N_fsdp")
SHARING_RANKS = count("sharing_ranks", SHARING, "d", "layout.state_ranks", "ranks")._replace(kin="dp")
SAME_RANKS = count(
    "same_ranks",
    "ranks that add up the gradient of a parameter (where experts have fewer, the harmonic mean)",
    "d", "layout.mean_same_ranks", "ranks",
)._replace(kin="dp")  # fmt: skip
STATE_COPIES = count(
    "state_copies", "groups of ranks that each share a copy of the state", "n_r", "layout.state_copies",
    "groups",
)._replace(kin="replicas")  # fmt: skip
SECOND_COPY_RANKS = count(
    "second_copy_ranks", "devices that share a second copy of the weights (hpZ)", "N_2", None, "devices"
)
STAGES = count("stages", "pipeline stages", "p", "layout.pp", "stages")
AXES_X = count("M_X", "torus axes that carry FSDP (1 on a switch)", "M_X", "layout.fsdp_axes", "axes")
AXES_Y = count(
    "M_Y", "torus axes that carry tensor parallelism (1 on a switch)", "M_Y", "layout.tp_axes", "axes"
)
TP = count("tp", "tensor-parallel degree", "t", "layout.tp", "devices")
CP = count("cp", "context-parallel degree", "c", "layout.cp", "devices")
DP = count("dp", "data-parallel degree: replicas that see different sequences", "d",
           "layout.data_parallel", "devices")  # fmt: skip
REPLICAS = count("replicas", "copies of the sharded state (HSDP)", "n_r", "layout.dp", "devices")
EP = count("ep", "expert-parallel degree", "e", "layout.ep", "devices")
ETP = count("etp", "tensor-parallel degree of the experts", "t_e", "layout.etp", "devices")
EDP = count("edp", "data-parallel degree of the experts", "d_e", "layout.edp", "devices")
VIRTUAL_STAGES = count("virtual_stages", "model chunks a pipeline rank holds", "v",
                       "layout.virtual_stages", "chunks")  # fmt: skip
NODE_DEVICES = count("node_devices", "devices in a node", "n_node", "hardware.node_devices", "devices")
