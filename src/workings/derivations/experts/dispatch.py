"""Sending tokens to experts.

A token's vector is copied to each rank that has one of its experts, and the answers come back the same
way; backward, gradients do both again. Padded buffers have the same shape whatever the routing, and
send empty places too. A token that goes once to each rank, however many of its experts are there, sends
less: the ranks it covers are counted as random routing has it. Between nodes a token can be sent once a
node and handed on inside: then the network's bytes follow the nodes a token visits, the links' bytes
its experts, and the last entry says how many experts the links can carry beside the network.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.experts._letters import DISPATCH, SPREAD_OUT, TOKENS, VECTOR
from workings.derivations.experts.loads import (
    EXPERT_CAPACITY,
    MOST,
    RANK_TOKENS,
    SWITCH,
    add_places_until_enough,
    copies_of_a_token,
    deal_a_micro_batch,
    one_round,
)
from workings.derivations.sources import DEEPSEEK_V3, scaling_book
from workings.simulate.routing import dispatch_by_node, even_routes, exchange
from workings.units import BYTE, ONE
from workings.vocabulary.experts import CAPACITY_FACTOR, NODE_LIMIT
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.layout import EP, NODE_DEVICES
from workings.vocabulary.model import ACTIVE_EXPERTS

MEGABLOCKS = Source(
    "Gale et al.",
    "MegaBlocks",
    2022,
    "megablocks/layers/moe.py, parallel_forward_once",
    "https://github.com/databricks/megablocks/blob/main/megablocks/layers/moe.py",
)

SCALING_BOOK_RAGGED = scaling_book("gpus", "part 12, “Intra-node collectives”, on ragged all-to-alls")
DEEPSEEK_V2_LIMIT = Source(
    "DeepSeek-AI",
    "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    2024,
    "section 2.2.2, “Device-Limited Routing”",
    "https://arxiv.org/abs/2405.04434",
)
DEEPSEEK_ALL_TO_ALL = DEEPSEEK_V3.at("section 3.2.2")


def route_and_count(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int, D: int, a: Fraction
) -> Fraction:
    """Tokens really routed in turn to experts on `e` ranks; the vectors that leave a rank."""
    return deal_a_micro_batch(b_m, s, c, t) * copies_of_a_token(e, E, k_E).dispatched * D * a


DISPATCH_BYTES = derivation(
    "dispatch-bytes",
    title="Bytes a rank sends to dispatch its tokens to experts",
    phrases="EP dispatch volume; MoE all-to-all send size one way; token routing traffic; k copies of "
    "each hidden state; how many bytes are routed to other cards; tokens travelling to their experts; "
    "DeepEP dispatch volume per GPU; first alltoall of an MoE layer, bytes",
    unit=BYTE,
    letters=DISPATCH,
    uses={"T": RANK_TOKENS.at()},
    given=SPREAD_OUT,
    source=MEGABLOCKS,
    oracle=route_and_count,
    convention="Even routing; one copy of a token for each of its experts. Combining sends the same.",
    leaves_out="Router weights and indices that travel along, and padding.",
    chain="""
    V_disp = sum(T*D*a, (i, 1, k_E)) - sum(T*D*a, (i, 1, k_E))/e
                                     -- `k_E` copies, but one in `e` finds its expert at home
      = k_E*T*D*a - k_E*T*D*a/e      -- equal terms
      = (e - 1)/e*k_E*T*D*a          -- collect
      <= k_E*T*D*a                   -- `e - 1 < e`: hardly falls with more ranks
    """,
)


def there_and_back_twice(e: int, E: int, k_E: int, D: int, a: Fraction, **tokens: int) -> Fraction:
    """Tokens dispatched and combined, then their gradients the same ways backwards."""
    copies = copies_of_a_token(e, E, k_E)
    return deal_a_micro_batch(**tokens) * 2 * (copies.dispatched + copies.combined) * D * a


EXPERT_ALL_TO_ALL = like(
    "expert-all-to-all",
    DISPATCH_BYTES,
    title="Bytes a rank sends for one block with experts, forward and backward",
    phrases="EP comm per MoE layer; dispatch and combine volume fwd plus bwd; four all-to-alls per "
    "layer; how much does expert parallelism communicate; expert_model_parallel_size network cost; MoE "
    "a2a gigabytes",
    uses={"V_disp": DISPATCH_BYTES.at()},
    given=(*SPREAD_OUT, "c*t divides s"),
    oracle=there_and_back_twice,
    convention="Even routing; gradients as wide as activations; nothing is recomputed.",
    chain="""
    V_ep = (V_disp + V_disp) + (V_disp + V_disp)  -- dispatch and combine; their gradients go back
      = 4*V_disp                                  -- four all-to-alls a block
      = 4*(e - 1)/e*k_E*b_m*s*D*a/(c*t)           -- put the dispatch in
    """,
)


def send_every_place(
    e: int, E: int, k_E: int, D: int, a: Fraction, phi: Fraction, **tokens: int
) -> Fraction:
    """Buffers of so many places each, filled with some tokens, sent whole and counted."""
    places = add_places_until_enough(E, k_E, phi, **tokens)
    only_if(E * e * k_E <= MOST)
    few = even_routes(2, E, k_E)
    return exchange([few] * e, E, capacity=places).dispatched[0] * D * a


PADDED_DISPATCH_BYTES = derivation(
    "padded-dispatch-bytes",
    title="Bytes a rank sends to dispatch padded buffers",
    phrases="fixed-capacity all-to-all volume; padded EP buffers traffic; GShard dispatch bytes; "
    "sending empty expert slots too",
    unit=BYTE,
    letters={**DISPATCH, "phi": CAPACITY_FACTOR},
    uses={"C_E": EXPERT_CAPACITY.at()},
    given=SPREAD_OUT,
    source=SWITCH,
    oracle=send_every_place,
    convention="Every expert's places are sent, filled or not: the shapes do not depend on the routing.",
    chain="""
    V_pad = sum(C_E*D*a, (i, 1, E - E/e))     -- `E/e` of the experts are at home
      = (E - E/e)*C_E*D*a                     -- equal terms
      = (e - 1)/e*E*C_E*D*a                   -- collect
    """,
)


def ranks_drawn(e: int, k_E: int) -> dict[frozenset[int], int]:
    """The ranks that a token's experts can lie on, and in how many draws they lie on just these."""
    only_if(e <= 8 and k_E <= 60)
    ways = {frozenset[int](): 1}
    for _expert in range(k_E):
        after: dict[frozenset[int], int] = {}
        for covered, number in ways.items():
            for rank in range(e):
                after[covered | {rank}] = after.get(covered | {rank}, 0) + number
        ways = after
    return ways


def draw_every_expert(e: int, k_E: int) -> Fraction:
    """Every way to draw the ranks of a token's experts, and how many ranks each covers; their mean."""
    ways = ranks_drawn(e, k_E)
    return Fraction(sum(len(covered) * number for covered, number in ways.items()), sum(ways.values()))


RANKS_OF_A_TOKEN = derivation(
    "ranks-of-a-token",
    title="Ranks that the experts of a token lie on, in the mean",
    phrases="expected number of GPUs a token is sent to; distinct devices covered by top-k experts; "
    "ragged alltoall share; k dice over Z shards, distinct outcomes; how many cards does one token "
    "visit; expected share sent when k experts are drawn at random; devices covered by a token's experts",
    unit=ONE,
    noun="ranks",
    fractional="the expected number",
    letters={"e": EP, "k_E": ACTIVE_EXPERTS},
    source=SCALING_BOOK_RAGGED,
    oracle=draw_every_expert,
    convention="Random routing: the rank of each of a token's experts is drawn by itself, all ranks "
    "equally likely. Experts of one token differ, so that it covers a little more, the fewer experts "
    "a rank has.",
    leaves_out="Routers that prefer experts near each other, and limits on nodes or devices.",
    chain="""
    n_cov = sum(1 - (1 - 1/e)^k_E, (i, 1, e))
                                     -- not covered only if each expert, by `1 - 1/e`, lies elsewhere
      = e*(1 - (1 - 1/e)^k_E)        -- equal ranks
      <= e                           -- no more than there are
    """,
)


def draw_every_expert_in_nodes(e: int, k_E: int, n_node: int) -> Fraction:
    """Every way to draw the ranks of a token's experts, and how many nodes each covers; their mean."""
    ways = ranks_drawn(e, k_E)
    nodes = sum(len({rank // n_node for rank in covered}) * number for covered, number in ways.items())
    return Fraction(nodes, sum(ways.values()))


NODES_OF_A_TOKEN = like(
    "nodes-of-a-token",
    RANKS_OF_A_TOKEN,
    title="Nodes that the experts of a token lie in, in the mean",
    phrases="expected number of nodes a token is sent to; how many nodes do top-8 experts cover without "
    "a limit; mean node count with random routing; nodes reached by a token's experts; is "
    "node-limited routing needed",
    noun="nodes",
    letters={"e": EP, "k_E": ACTIVE_EXPERTS, "n_node": NODE_DEVICES},
    given=("n_node divides e",),
    oracle=draw_every_expert_in_nodes,
    chain="""
    n_nod = sum(1 - (1 - n_node/e)^k_E, (i, 1, e/n_node))
                                              -- not reached only if each expert lies in another node
      = e/n_node*(1 - (1 - n_node/e)^k_E)     -- equal nodes
      <= e/n_node                             -- no more than there are
    """,
)


def look_for_the_most_nodes(e: int, k_E: int, n_node: int, M: int) -> int:
    """Every way to draw the ranks of a token's experts that the limit allows; the most nodes covered."""
    nodes = [len({rank // n_node for rank in covered}) for covered in ranks_drawn(e, k_E)]
    return max(number for number in nodes if number <= M)


MOST_NODES_OF_A_TOKEN = like(
    "most-nodes-of-a-token",
    NODES_OF_A_TOKEN,
    title="Nodes or devices that a token is sent to at most, with a limit",
    phrases="device-limited routing bound; min of devices covered and M; at most M devices per token; "
    "node-limited routing, most nodes; MoE communication bounded by the device limit; copies of a token "
    "between nodes at most; num_groups and topk_group reach",
    letters={**NODES_OF_A_TOKEN.letters, "M": NODE_LIMIT},
    source=DEEPSEEK_V2_LIMIT,
    oracle=look_for_the_most_nodes,
    fractional="",
    convention="What a token moves between nodes is in proportion to these. Where the limit is one on "
    "devices, as in DeepSeek-V2, set `n_node = 1`.",
    leaves_out="Experts that happen to lie together: in the mean a token reaches fewer.",
    chain="""
    n_lim = min(min(k_E, e/n_node), M)      -- nodes that its experts can cover, up to the limit
      = min(k_E, e/n_node, M)               -- one minimum
    """,
)


def send_once_to_each_rank(e: int, k_E: int, D: int, a: Fraction, **tokens: int) -> Fraction:
    """Every way to draw the ranks of a token of the first; a vector to each other rank it covers."""
    ways = ranks_drawn(e, k_E)
    away = sum(len(covered - {0}) * number for covered, number in ways.items())
    return deal_a_micro_batch(**tokens) * Fraction(away, sum(ways.values())) * D * a


ONCE_DISPATCH_BYTES = derivation(
    "once-dispatch-bytes",
    title="Bytes a rank sends to dispatch its tokens, each once to every rank that has an expert of it",
    phrases="deduplicated dispatch volume; token sent once per GPU though several experts live there; "
    "ragged alltoall bytes of an MoE layer; sparse all-to-all cost min(k/N, 1); DeepEP sends one copy "
    "per rank; dispatch without duplicate copies; MoE alltoall with k of N outputs non-zero",
    unit=BYTE,
    fractional="the expected number of bytes",
    letters={**TOKENS, "e": EP, "k_E": ACTIVE_EXPERTS, **VECTOR},
    uses={"T": RANK_TOKENS.at(), "n_cov": RANKS_OF_A_TOKEN.at()},
    source=SCALING_BOOK_RAGGED,
    oracle=send_once_to_each_rank,
    convention="Random routing, one copy of a token for each rank. Combining sends as much if a rank "
    "adds up what its experts made of a token.",
    leaves_out="Router weights and indices that travel along.",
    chain="""
    V_once = n_cov*T*D*a - n_cov*T*D*a/e      -- a copy for each rank covered, but one in `e` is its own
      = (e - 1)/e*n_cov*T*D*a                 -- collect
      = (e - 1)*(1 - (1 - 1/e)^k_E)*T*D*a     -- put the ranks in
    """,
)


def visit_nodes_in_turn(e: int, D: int, a: Fraction, M: int, n_node: int, **tokens: int) -> Fraction:
    """Tokens each sent to `M` nodes in turn, one copy a node; the copies that leave their node."""
    nodes = e // n_node
    only_if(e * nodes * M <= 2_000)
    # One expert on each rank; a token takes the first of each of its nodes.
    routes = [tuple(((token + step) % nodes) * n_node for step in range(M)) for token in range(nodes)]
    sent = dispatch_by_node([routes] * e, e, n_node).network[0]
    return deal_a_micro_batch(**tokens) / len(routes) * sent * D * a


NODE_LIMITED_DISPATCH = derivation(
    "node-limited-dispatch",
    title="Bytes a rank sends between nodes to dispatch its tokens, each to few nodes",
    phrases="expert parallelism over several nodes; all-to-all of experts across nodes; "
    "node-limited routing traffic; IB dispatch with at most M nodes; device-limited routing "
    "volume; moe-router-group-topk InfiniBand volume; DeepEP IB bytes per token; moe-router-num-groups "
    "traffic",
    unit=BYTE,
    fractional="in the mean of tokens that choose all nodes equally often",
    letters={**TOKENS, "e": EP, **VECTOR, "M": NODE_LIMIT, "n_node": NODE_DEVICES},
    uses={"T": RANK_TOKENS.at()},
    given=("n_node divides e", "M <= e/n_node"),
    source=DEEPSEEK_ALL_TO_ALL,
    oracle=visit_nodes_in_turn,
    convention="Each token goes to exactly `M` nodes, one copy a node, all nodes equally often.",
    leaves_out="Tokens that need fewer nodes.",
    chain="""
    V_net = sum(T*D*a, (i, 1, M)) - sum(T*D*a, (i, 1, M))/(e/n_node)
                                         -- one copy a node, but one of `e/n_node` nodes is its own
      = M*T*D*a - M*T*D*a*n_node/e       -- equal terms
      = (e - n_node)/e*M*T*D*a           -- collect
    """,
)


def forward_in_every_node(e: int, k_E: int, D: int, a: Fraction, n_node: int, **tokens: int) -> Fraction:
    """One expert a rank; tokens enter each node once and are handed on there, really counted."""
    only_if(e * e * k_E <= 20_000)
    routes = one_round(e, k_E)
    forwarded = dispatch_by_node([routes] * e, e, n_node).link
    return deal_a_micro_batch(**tokens) / len(routes) * Fraction(sum(forwarded), e) * D * a


NODE_FORWARD_BYTES = derivation(
    "node-forward-bytes",
    title="Bytes a rank forwards inside its node to dispatch tokens that reached it",
    phrases="NVLink forwarding traffic of DeepEP; intra-node relay of dispatched tokens; IB then NVLink "
    "dispatch traffic",
    unit=BYTE,
    letters={**TOKENS, "e": EP, "k_E": ACTIVE_EXPERTS, **VECTOR, "n_node": NODE_DEVICES},
    uses={"T": RANK_TOKENS.at()},
    given=("n_node divides e", "k_E <= e"),
    source=DEEPSEEK_ALL_TO_ALL,
    oracle=forward_in_every_node,
    convention="Even routing; one copy for each expert, and a token enters a node at the rank of the "
    "same place.",
    chain="""
    V_fwd = sum(T*D*a, (i, 1, k_E)) - sum(T*D*a, (i, 1, k_E))/n_node
                                     -- a copy for each expert, but one in `n_node` has arrived
      = k_E*T*D*a - k_E*T*D*a/n_node           -- equal terms
      = (n_node - 1)/n_node*k_E*T*D*a          -- collect
    """,
)


def race_both_links(k_E: int, M: int, W_1: Fraction, W_2: Fraction, **both: Any) -> bool:
    """The counted bytes between nodes and inside them, each over its link's speed."""
    inside, between = forward_in_every_node(k_E=k_E, **both), visit_nodes_in_turn(M=M, **both)
    return inside / W_1 <= between / W_2


EXPERTS_FOR_THE_LINKS = derivation(
    "experts-for-the-links",
    title="Experts a token can have before forwarding takes longer than the network",
    phrases="top-k limit from NVLink versus IB; experts per token before NVLink forwarding dominates; "
    "3.2 experts per node; up to 13 experts at same cost; NVLink over InfiniBand ratio for experts",
    unit=ONE,
    noun="experts",
    letters={
        **TOKENS, "e": EP, "k_E": ACTIVE_EXPERTS, **VECTOR, "M": NODE_LIMIT, "n_node": NODE_DEVICES,
        "W_1": LINK_ONE_WAY, "W_2": NETWORK_ONE_WAY,
    },
    uses={
        "T": RANK_TOKENS.at(),
        "V_fwd": NODE_FORWARD_BYTES.at(),
        "V_net": NODE_LIMITED_DISPATCH.at(),
    },
    given=("n_node divides e", "n_node > 1", "M <= e/n_node", "k_E <= e"),
    source=DEEPSEEK_ALL_TO_ALL,
    oracle=race_both_links,
    convention="Both overlap; even routing.",
    leaves_out="Start-up latency.",
    chain="""
    V_fwd/W_1 <= V_net/W_2                       -- forwarding inside nodes hides behind the network
      <=> (n_node - 1)/n_node*k_E*T*D*a/W_1 <= (e - n_node)/e*M*T*D*a/W_2      -- put both in
      <=> k_E <= M*(W_1/W_2)*((e - n_node)/e)*(n_node/(n_node - 1))            -- solve for the experts
    """,
)  # fmt: skip
