"""What links reach of their bandwidth: where that was measured, nothing is taken off it again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from workings.planning.generations import generation
from workings.planning.host_links import host_link
from workings.planning.inputs.tiers import LINKS, Tier
from workings.planning.job import Figure
from workings.planning.letters import ASSUMED
from workings.planning.precision import narrower, timed_at
from workings.planning.usual import ATTENTION, usual

SHARES = {"W_1": "eta_1", "W_2": "eta_2", "W_3": "eta_2"}  # by link, the share of it that is reached


def measured_links(tiers: Sequence[Tier], said: Mapping[str, Figure]) -> frozenset[str]:
    """The links that were measured; what [assume] says of one counts before its tier."""
    of_tiers = zip(LINKS.values(), tiers, strict=False)
    of_said = (link for link in SHARES if link in said and said[link].kind == "measured")
    return frozenset((*(n for n, tier in of_tiers if tier.measured and n not in said), *of_said))


def settled(links: Mapping[str, Figure], measured: Collection[str]) -> dict[str, Figure]:
    """The shares that need no assumption: each link that they are of was measured, or is not there."""
    found = {}
    for share in dict.fromkeys(SHARES.values()):
        there = {n for n, own in SHARES.items() if own == share and links[n].kind != "follows"}
        if there and there <= set(measured):
            text = "its links' bandwidth was measured: nothing is taken off it"
            found[share] = Figure(share, ASSUMED[share], Fraction(1), "follows", text)
    return found


def reached(
    links: Mapping[str, Figure], measured: Collection[str], shares: Mapping[str, Figure]
) -> dict[str, Figure]:
    """The measured links, each over the share of it that is reached."""
    return {link: _over(links[link], shares[SHARES[link]]) for link in measured}


def usual_figures(
    device: str, figures: Mapping[str, Figure], assumed: Mapping[str, Figure]
) -> dict[str, Figure]:
    """What products usually reach on a device, and its host's link, where the job says nothing of it.

    Attention multiplies in 16 bits whatever the peak that other products are timed at.
    """
    compute = figures["C"].value
    found, source = usual(generation(device), timed_at(device, compute, figures["a"].value))
    part = narrower(device, compute)
    numbers = {"eta": found.numbers, "eta_a": tuple(part * number for number in ATTENTION)}
    sources = {"eta": source, "eta_a": f"{assumed['eta_a'].source}; of the 16-bit peak"}
    if part == 1:
        del numbers["eta_a"]
    if link := host_link(device):
        numbers["W_h"], sources["W_h"] = link.numbers, link.source
    return {
        letter: replace(assumed[letter], value=value, low=best, high=worst, source=sources[letter])
        for letter, (value, best, worst) in numbers.items()
        if assumed[letter].kind == "assumed"
    }


def _over(figure: Figure, efficiency: Figure) -> Figure:
    """A measured bandwidth divided by an efficiency, in all three cases: the product was measured."""
    if efficiency.value == 1 and efficiency.sure:
        return figure
    value = figure.value
    low = (figure.low or value) / (efficiency.low or efficiency.value)
    high = (figure.high or value) / (efficiency.high or efficiency.value)
    text = f"{figure.source}; divided by {efficiency.concept.name}, which the cost model multiplies with"
    return replace(figure, value=value / efficiency.value, low=low, high=high, source=text)
