"""How many figures of a list have each verdict, now and in the first round, and how they are found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from covering.asking import NEAR, Score

from figuring.judging import Judged
from figuring.lists import ANSWERED, VERDICTS


@dataclass(frozen=True)
class Counted:
    """Figures by verdict, in the first round and now; `search` counts those with an entry."""

    all: int
    first: Counter[str]
    now: Counter[str]
    search: Score

    @staticmethod
    def share(verdicts: Counter[str]) -> Fraction:
        """The share that is reproduced or shown to be wrong, of all that are not left out."""
        counts = sum(verdicts.values()) - verdicts["left out"]
        return Fraction(sum(verdicts[one] for one in ANSWERED), counts) if counts else Fraction(0)

    def __str__(self) -> str:
        rows = [f"{self.all} figures"]
        for name, verdicts in (("first round", self.first), ("now", self.now)):
            said = ", ".join(f"{one} {verdicts[one]}" for one in VERDICTS if verdicts[one])
            share = f"{float(100 * self.share(verdicts)):.1f} %"
            rows.append(f"  {name}: {said}; {share} of all that are not left out")
        first, near, asked = self.search.first, self.search.near, self.search.asked
        return "\n".join([*rows, f"  search: {first} first, {near} within {NEAR}, {asked - near} not"])


def counted(one: Judged) -> Counted:
    """Count a list. A figure of which something wrong is said has no verdict."""
    wrong = {fault.id for fault in one.faults}
    sound = [found for found in one.found if found.figure.id not in wrong]
    ranks = [rank for found in sound if (rank := found.rank) is not None]
    return Counted(
        len(one.found),
        Counter(found.tried.first or found.tried.verdict for found in sound),
        Counter(found.tried.verdict for found in sound),
        Score(len(ranks), ranks.count(1), sum(map(bool, ranks)), 0, 0, 0),
    )
