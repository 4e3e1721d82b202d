"""Query heads dealt out to ranks, each rank with the key and value heads that its queries need."""

from dataclasses import dataclass

from .block_matrices import spans


@dataclass(frozen=True)
class Placement:
    """For each rank: its query heads, and the key and value heads it must hold."""

    queries: tuple[tuple[int, ...], ...]
    keys: tuple[tuple[int, ...], ...]

    def copies(self, head: int) -> int:
        """Ranks that hold this key and value head."""
        return sum(head in held for held in self.keys)

    def values(self, rank: int, d_model: int, width: int) -> int:
        """Numbers in a rank's query, key, value and output weights, added head by head."""
        each = d_model * width
        queries = sum(each + each for _ in self.queries[rank])
        return queries + sum(each + each for _ in self.keys[rank])


def deal_heads(query_heads: int, kv_heads: int, ranks: int) -> Placement:
    """Query heads in order, evenly; consecutive groups of them share a key and value head."""
    queries = tuple(tuple(span) for span in spans(query_heads, ranks))
    group = {
        query: kv for kv, span in enumerate(spans(query_heads, kv_heads)) for query in span
    }  # fmt: skip
    keys = tuple(tuple(sorted({group[query] for query in own})) for own in queries)
    return Placement(queries, keys)
