"""Tensor parallelism splits each weight matrix over `t` ranks, by columns and then by rows, so that
two products need one all-reduce. These derivations count what a rank computes and sends in a layer,
with and without sequence parallelism, and say when the transfers hide behind the compute."""
