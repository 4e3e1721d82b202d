"""What each limit says: the odds of keeping it, in words, and what makes it GO."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from workings.planning.bound import FALLING, taken
from workings.planning.exact import exactly
from workings.planning.moves import FREELY, moves_of
from workings.planning.odds import BESIDE
from workings.planning.utilization import COUNTED, in_words
from workings.planning.working import listed, shown
from workings.review import thresholds
from workings.review.answer import ABOUT, limited, word_on
from workings.review.desk import Desk, on_tpus
from workings.review.numbers import USUAL, apart, below, percent, told_apart
from workings.units import BYTE, CURRENCY, SECOND

# What a run does that keeps a limit.
KEEP = {"u_M": "fit", "T_run": "keep to it", "c_run": "keep to it", "u": "reach it"}
LIKE_THIS = " runs like this one"  # said once


class Condition(NamedTuple):
    """What has to hold, the check that shows it, and of one on the step the longest that meets it."""

    words: str
    check: str = ""
    step: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What one limit says."""

    word: str
    reason: str
    about: str
    condition: Condition | None = None


def on_memory(desk: Desk) -> Judged:
    """Whether the fullest rank fits; a run that is known to have taken place does."""
    limit = desk.job.limit_if
    share = desk.outcome.middle["u_M"]
    if "M" in desk.known:
        return _known_memory(desk, share)
    word = word_on(desk, "u_M")
    now, _ = told_apart((share,), (limit,), _fine)
    held = f"{'more than' if share > limit else 'within'} the {percent(limit)} allowed"
    most = below(limit * desk.base["M_dev"], BYTE)
    peak = f"the measured peak of memory{_routed(desk)}"
    if not on_tpus(desk.job):
        most += f" ({floor(limit * desk.base['M_dev'] / 2**20):,} MiB)"  # as nvidia-smi has it
    asked = f"{peak} stays below {most}, {percent(limit)} of what the device reports"
    reason = f"the fullest rank takes {now} of the memory (P50), {held}{_odds(desk, 'u_M', limit, word)}"
    if desk.took_place:
        how = "its step was measured" if "T_step" in desk.measured else "this run took place"
        reason = f"{how}, so it fits if it is laid out as here; by the odds of others {reason}"
    return Judged(word, reason, "memory", None if word == "NO-GO" else Condition(asked, "peak_memory"))


def _routed(desk: Desk) -> str:
    """That routers balance otherwise once they have learned, which first steps do not show."""
    return ", with routers that have learned," if desk.base["E"] else ""


def _known_memory(desk: Desk, share: Fraction) -> Judged:
    """A measured peak needs no reserve: it may take all that the limit allows."""
    limit, peak = desk.job.limit_if, desk.known["M"].middle
    now, _ = told_apart((share,), (limit,), _fine)
    how = "measured" if "M" in desk.measured else "published"
    takes = f"the fullest rank was {how} to take {now} of the memory{_beyond(desk, peak)}"
    if share > limit:
        return Judged("NO-GO", f"{takes}, more than the {percent(limit)} allowed", "memory")
    return Judged("GO", f"{takes}, within the {percent(limit)} allowed", "memory")


def _beyond(desk: Desk, measured: Fraction) -> str:
    """What a measured peak says of a plan whose worst case, before anything was measured, it passes."""
    figures = desk.job.figures
    high = {n: f.value if f.high is None else f.high for n, f in figures.items()}
    worst = exactly(desk.plan, high, ["M"])["M"]
    if measured <= worst:
        return f" (the model: {shown(desk.base['M'], BYTE)})"
    return (f" ({shown(measured - worst, BYTE)} more than the model has at worst: it leaves "
            "something out, and its alternatives may hold more too)")  # fmt: skip


def on_run(desk: Desk) -> Iterator[Judged]:
    """The limits on the run that a person set."""
    verbs = {"T_run": "the run takes", "c_run": "the run costs", "u": f"the MFU{_counted(desk)} is"}
    for letter, limit in limited(desk).items():
        yield _held(desk, verbs[letter], letter, limit)


def _held(desk: Desk, verb: str, letter: str, limit: Fraction) -> Judged:
    """By the odds of keeping it; where the step is known they are those of all else."""
    word = word_on(desk, letter)
    value, allowed = apart(letter, (desk.outcome.middle[letter],), limit)
    passed, within = f", more than the {allowed} allowed", f" of the {allowed} allowed"
    if letter in FALLING:
        passed, within = f", less than the {allowed} asked for", f" where {allowed} is asked for"
    by = " (P50)" if _open(desk, letter) else ""
    odds = _odds(desk, letter, limit, word)
    reason = f"{verb} {value}{by}{passed if word == 'NO-GO' else within}{odds}"
    return Judged(word, reason, ABOUT[letter], _condition(desk, letter, limit))


def _open(desk: Desk, letter: str) -> bool:
    """Whether a result has odds, and is not known."""
    return len(set(desk.likely(letter))) > 1


def _odds(desk: Desk, letter: str, limit: Fraction, word: str) -> str:
    """The chance of keeping a limit in words; nothing where the run itself tells."""
    if not _open(desk, letter):
        return ""
    only = "only " * (word == "GO IF")
    said = f"{only}{desk.outcome.in_words(letter, limit)} of 100{LIKE_THIS}"
    told = desk.outcome.evidence(letter) or ("M" if letter == "u_M" else "T_step") in desk.known
    assumed = "" if told else ", by odds that are assumed"
    return f" ({said} would {KEEP[letter]}{assumed})"


def _counted(desk: Desk) -> str:
    """How an MFU counts attention."""
    return f", with {in_words(desk.base[COUNTED])}," if desk.base["z_h"] else ""


def _condition(desk: Desk, letter: str, limit: Fraction) -> Condition:
    """What makes it GO: how long a measured step may take or, once that is known, all else of the run."""
    if letter != "u" and "T_step" in desk.known:
        return Condition(_of_rest(desk, letter, limit), "goodput" * (letter == "T_run"))
    rest = desk.outcome.beside(letter).most
    most = desk.base["T_step"] / (taken(letter, desk.base[letter], limit) * rest)
    said = f"a measured step{_routed(desk)} takes at most {below(most, SECOND)}{_at(desk, letter)}"
    if most < (shortest := desk.base["T_step"] * desk.at_peak):
        said += (
            f", which no layout on these devices does: their peak alone takes {shown(shortest, SECOND)}"
        )
    if letter == "u" and word_on(desk, "u") == "NO-GO" and (knobs := list(_knobs(desk))):
        said += f"; half of such runs do with {' or with '.join(knobs)}, all else as assumed"
    return Condition(said, "step_time", most)


def _at(desk: Desk, letter: str) -> str:
    """What a limit on the run rests on beside the step, at its value or by its odds."""
    names = {"gamma": "goodput", "T_tok": "tokens", "c_d": "price"}
    ranged = [names[n] for n in BESIDE.get(letter, {}) if not desk.figures[n].sure]
    if ranged:
        return f", the odds of {listed(ranged)} counted"
    price = f" and a price of {_price(desk.base['c_d'])} a device" if letter == "c_run" else ""
    return f", at a goodput of {percent(desk.base['gamma'])}{price}" if letter != "u" else ""


def _knobs(desk: Desk) -> Iterator[str]:
    """What alone would bring P50 of the MFU to what is asked for."""
    for letter in ("b", "eta"):
        moves = moves_of(letter, desk.base) or FREELY
        for found in thresholds.of_input(desk, letter, moves, on=("u",), words=("GO IF",)):
            if letter == "b":
                yield f"a batch of {int(found.value):,} sequences"
            else:
                yield f"matrix products that reach {percent(_up(found.value))} of the peak"


def _of_rest(desk: Desk, letter: str, limit: Fraction) -> str:
    """What is left to keep to once the step is known."""
    own = "gamma" if letter == "T_run" else "c_d"
    longest = desk.known["T_step"].most / desk.base["T_step"]
    times = limit / (desk.base[letter] * longest * desk.outcome.beside(letter, own).most)
    if letter == "T_run":
        return f"the goodput is {percent(min(Fraction(1), _up(desk.base['gamma'] / times)))} or more"
    return f"a device costs at most {_price(desk.base['c_d'] * times)}{_at(desk, 'T_run')}"


def _price(value: Fraction) -> str:
    return str(shown(value, CURRENCY / SECOND))


def _up(share: Fraction) -> Fraction:
    """A share rounded up to a tenth of a per cent."""
    return Fraction(ceil(share * 1000), 1000)


def _fine(share: Fraction, digits: int) -> str:
    """A share with one decimal, or more where they are asked for."""
    return f"{float(share) * 100:.{digits - USUAL + 1}f} %"
