"""All-gather by recursive doubling: what a rank holds doubles with every round.

In each round all ranks exchange everything they hold with the rank whose number differs in one
bit, so a group whose size is a power of two needs as many rounds as its numbers have bits.
"""

from dataclasses import dataclass

from ._checks import positive_count


@dataclass(frozen=True)
class Exchange:
    """What an exchange did; all ranks did the same.

    rounds: how often every rank sent one message. sent: chunks that a rank sent.
    held: chunks that a rank has in the end, its own included.
    """

    rounds: int
    sent: int
    held: int


def doubling_all_gather(ranks: int) -> Exchange | None:
    """Exchange until every rank has the chunk of each; None unless `ranks` is a power of two.

    ValueError if `ranks` is below 1.
    """
    held = [{rank} for rank in range(positive_count("ranks", ranks))]
    rounds = sent = 0
    distance = 1
    while any(len(chunks) < ranks for chunks in held):
        if any(rank ^ distance >= ranks for rank in range(ranks)):
            return None
        sent += len(held[0])
        held = [chunks | held[rank ^ distance] for rank, chunks in enumerate(held)]
        rounds, distance = rounds + 1, distance * 2
    return Exchange(rounds, sent, len(held[0]))
