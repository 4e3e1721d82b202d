"""Percentages of two amounts that a sentence names, or that stand near it."""

from __future__ import annotations

from collections.abc import Iterator

from workings.claims.claim import Finding, Rule
from workings.claims.page import Page
from workings.claims.ratio_judge import judged_ratios


def judge(page: Page) -> Iterator[Finding]:
    """Every percentage whose amounts the sentence leaves no doubt about, or else all that stand near."""
    yield from judged_ratios(page, RULE.id, percent=True)
    yield from (found for found in page.linked if found.rule == RULE.id)


RULE = Rule(
    "percent",
    "A percentage is not what the two amounts come to that it is said of.",
    judge,
    bad=(
        """| run | step (s) | throughput (tok/s) |
|---|---|---|
| A | 5.80 | 723,156 |
| B | 4.72 | 888,624 |
| C | 4.30 | 975,420 |

- A → C: throughput +25.9%.
""",
        """| heads | whole model (M) |
|---|---|
| 1 | 19,428.6 |
| 8 | 19,957.1 |
| 48 | 22,977.0 |

The model with 8 heads is 15.1% smaller than the one with 48 heads.
""",
        "The optimizer holds 84 GB of 112 GB, 65 % of the total.".replace(" of the total", ""),
        "A step moves 20.8 GB, 75 % of 24 GB.",
        "70 % of 26.8 TB/s is 19.8 TB/s.",
        "With four ranks the state falls from 24 GB to 6 GB, a reduction of 80 %.",
        "The new kernel takes 41 ms instead of 52 ms, 31 % less.",
        "Der Schritt braucht 1,83 s statt 2,44 s, das sind 45 % weniger.",
        "La charge passe de 310 Go à 372 Go, soit 30 % de plus.",
        "Los pesos ocupan 14 GB, el 35 % de 80 GB.",
        "显存从 4.68 GB 增加到 8.96 GB，增加 71%。",
        "The cache takes 63 GB out of 640 GB (12 %).",
        "가중치 16.06 GB는 80 GB의 25%이다.",
        "重みの 26 GB は 208 GB の 15 % です。",
        "| schedule | step (ms) |\n|---|---|\n| 1F1B | 1,404 |\n| interleaved | 1,215 |\n\n"
        "Interleaving shortens the step; it decreases by 15.6 %.",
        "In two levels it takes 107.6 ms, in one 513.4 ms.\n\nSo the time falls by 21.0 %.",
        "GQA keeps 221,184 bytes per token, MLA 62,208 bytes per token.\n\nThe former needs 356 % more.",
        "Der Schritt dauert 4,03 s. Mit doppelter Gruppe sind es 3,52 s.\n\nEr wird um 14,5 % kürzer.",
    ),
    good=(
        "| schedule | step (ms) |\n|---|---|\n| 1F1B | 1,404 |\n| interleaved | 1,215 |\n\n"
        "Interleaving shortens the step by 13.5 % and throughput rises by 15.6 %.",
        "The step takes 4.03 s, in the second run 3.52 s. A third run, of which we kept no log, was "
        "14.5 % faster.",
        "Plain DP needs 153.6 GB a card. Sharded it is 42.0 GB, of which 27.3 % more could go.",
        "The optimizer holds 84 GB of 112 GB, 75 %.",
        "The MFU rises from 38 % to 42 %, 4 points or 10.5 % more.",
        "The kernel takes 40 ms instead of 50 ms, so it is 25 % faster.",
        "The kernel takes 40 ms instead of 50 ms, 20 % less.",
        "With 14 GB of weights and 56 GB of moments 30 % of the time goes into communication.",
        "70 % of 26.8 TB/s is 18.8 TB/s.",
        "We pay $2.00 of which $0.30, 12 % of the old price, is the network.",
        "The rest, 25 % of the card, is free: 20 GB of 80 GB, and 55 GB are in use.",
        "The cache takes 63 GB out of 640 GB, 10 % of the node.",
        "显存从 4.68 GB 增加到 8.96 GB，增加 91%。",
        "Sur 80 Go, 60 % vont aux poids ; 48 Go en tout.",
        "A 24 GB card holds 20.8 GB of state, the states alone take 87 % of it.",
        "Of 512 GPUs, 2 % fail in a month; 98 % of the 720 h are useful.",
        "The 80 GB of the card are 5 % less than what the 84 GB of the moments need.",
        "Compression saves 30 % of the traffic: 8.4 GB instead of 12 GB.",
    ),
)
