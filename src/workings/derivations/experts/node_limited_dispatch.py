"""Bytes over the network when a token goes to each node once."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens
from workings.derivations.experts._letters import TOKENS, VECTOR
from workings.derivations.experts._sources import DEEPSEEK_ALL_TO_ALL
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import dispatch_by_node
from workings.units import BYTE
from workings.vocabulary.experts import NODE_LIMIT
from workings.vocabulary.layout import EP, NODE_DEVICES


def visit_nodes_in_turn(
    b_m: int, s: int, c: int, t: int, e: int, D: int, a: Fraction, M: int, n_node: int
) -> Fraction | None:
    """Tokens each sent to `M` nodes in turn, one copy a node; the copies that leave their node."""
    nodes = e // n_node
    if e * nodes * M > 2_000:
        return None
    # One expert on each rank; a token takes the first of each of its nodes.
    routes = [tuple(((token + step) % nodes) * n_node for step in range(M)) for token in range(nodes)]
    sent = dispatch_by_node([routes] * e, e, n_node).network[0]
    vector = sum((a for _ in range(D)), Fraction(0))
    return dealt_tokens(b_m, s, c, t) / len(routes) * sent * vector


NODE_LIMITED_DISPATCH = derivation(
    "node-limited-dispatch",
    title="Bytes a rank sends between nodes to dispatch its tokens, each to few nodes",
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
