"""The communicators of a rank, and what their buffers take.

A group of ranks that sends within itself has a communicator, and each has buffers of its own on every
rank. Two axes whose groups are the same ranks have one: a copy of an expert may lie with the same ranks
as a copy of the rest, and the shards of the state with those of a sequence.
"""

from workings.planning.statement import say, switch
from workings.units import BYTE, ONE

COMMUNICATORS = (
    switch("g_d", "1 where ranks that share the state are no context-parallel group",
           "min(1, N - 1)*min(1, max(N - c, c - N))"),
    switch("g_r", "1 where copies of the state that ranks share have a group of their own",
           "min(1, n_r - 1)*min(1, d*N - 1)"),
    switch("g_x", "1 where copies of an expert lie with other ranks than copies of the rest",
           "z_E*min(1, d_e - 1)*min(1, max(e*t_e - t, t - e*t_e))*min(1, e*t_e - 1 + d*c - 1)"),
    switch("g_te", "1 where the ranks that split an expert are no tensor-parallel group",
           "z_E*min(1, t_e - 1)*min(1, max(t_e - t, t - t_e))"),
    switch("g_n", "1 where no group has all ranks, and they have one beside the others",
           "min(1, n - max(t, c, p, N, n_r, z_E*e, z_E*d_e))"),
    say("n_comm", "communicators of a rank: one a group that it sends in", ONE,
        "min(1, t - 1) + min(1, c - 1) + min(1, p - 1) + g_d + g_r"
        " + z_E*min(1, e - 1) + g_x + g_te + g_n",
        assumes="programs set up the group of all ranks, and the experts' group apart from others of the "
        "same ranks, as an all-to-all connects each rank with each"),
    say("M_comm", "buffers of all communicators", BYTE, "M_grp*n_comm"),
)  # fmt: skip
