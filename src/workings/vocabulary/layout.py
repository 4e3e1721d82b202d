"""Parallel degrees."""

from workings.vocabulary.concept import Concept, count

DEVICES = count("devices", "devices in all", "n", "layout.devices", "devices")
FSDP_DEGREE = count("N_fsdp", "devices that share one copy (FSDP)", "N", "layout.fsdp", "devices")
MESH_X = count("X", "FSDP degree of the mesh", "X", "layout.fsdp", "devices")._replace(kin="N_fsdp")
MESH_Y = count("Y", "tensor-parallel degree of the mesh", "Y", "layout.tp", "devices")
MESH_X_REAL = Concept("X_real", "FSDP degree, taken as a real number", "X", kin="N_fsdp")
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
