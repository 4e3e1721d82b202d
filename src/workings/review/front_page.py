"""The first page: what is asked, the answer, what binds, what it costs, who signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Heading, Items, Note, Prose, Strong, Text
from workings.planning.bound import FALLING
from workings.planning.frameworks import FRAMEWORKS
from workings.planning.measure import check_of
from workings.planning.schedules import in_words
from workings.planning.unfollowed import taken, unfollowed
from workings.planning.working import shown
from workings.review.cases import odds
from workings.review.constraints import MOST, Constraint, binding
from workings.review.desk import Cell, Desk, on_tpus, working_of
from workings.review.fallback import fallback
from workings.review.likest import published_at, published_instead, step_at
from workings.review.naming import again, mesh, zero_stage
from workings.review.numbers import large, percent, words
from workings.review.outlook import at_fault, contention, known_step, on_odds
from workings.review.routing import routed
from workings.review.verdict import Verdict
from workings.units import SECOND

MOST_CONDITIONS = 8  # the limits on memory and on the run, and six of the author


def front_page(desk: Desk, verdict: Verdict, advice: str = "") -> Iterator[Block]:
    """Everything that is read before signing; `advice` is what is recommended."""
    cover = desk.job.cover
    decision = cover.decision or f"Shall {desk.job.name} be trained as laid out below?"
    yield Prose((Strong((Text("Decision asked for."),)), Text(f" {decision}")))
    yield Prose((Strong((Text("What is trained."),)), *words(f" {_what(desk)}")))
    yield _answer(desk, verdict, advice)
    yield from _caveats(desk)
    yield odds(desk)
    yield Prose(words(" ".join(filter(None, (on_odds(desk), routed(desk))))))
    yield _signatures(desk)  # before what binds, which may stand on the next page
    yield _binding(desk, verdict)
    if busy := contention(desk):
        yield Prose(words(busy))


def _answer(desk: Desk, verdict: Verdict, advice: str) -> Note:
    """The answer in a sentence, its conditions, what is known of this run, what is recommended."""
    reason = f"{verdict.reason[0].upper()}{verdict.reason[1:]}."
    known = (known_step(desk), at_fault(desk))
    told = (" ".join(filter(None, known)), taken(desk.job.noted), unfollowed(desk.job.noted), advice)
    inside = (
        Prose(words(reason)), *_conditions(desk, verdict), *(Prose(words(text)) for text in told if text),
    )  # fmt: skip
    kind = {"GO": "takeaway", "GO IF": "note", "NO-GO": "warning"}[verdict.word]
    return Note(kind, (Text(verdict.said),), inside)


def _caveats(desk: Desk) -> Iterator[Block]:
    """What the author of the job knows and the plan does not."""
    if desk.job.cover.caveats:
        yield Prose((Strong((Text("What the plan does not know, by its author."),)),
                     *words(" " + " ".join(desk.job.cover.caveats))))  # fmt: skip


def _conditions(desk: Desk, verdict: Verdict) -> Iterator[Block]:
    """What has to hold, each condition with what to measure first."""
    asked = list(zip(verdict.conditions, verdict.checks, strict=True))
    if not asked:
        return
    go_if = verdict.word == "GO IF"
    said = [f"{asked_for}.{_measured(desk, name)}" if go_if else _with_model(desk, asked_for, name)
            for asked_for, name in asked[:MOST_CONDITIONS]]  # fmt: skip
    if more := len(asked[MOST_CONDITIONS:]):
        said.append(f"{more} more, see Rules.")
    yield Prose((Text("On condition that:" if go_if else "What it would take:"),))
    yield Items(tuple((Prose(words(one)),) for one in said))


def _measured(desk: Desk, name: str) -> str:
    """How a condition is measured before the run, what the model predicts, what to fall back on."""
    found = check_of(name, desk.base, cuda=not on_tpus(desk.job), bits=desk.device[1])
    if found is None:
        return ""
    instead = fallback(desk) if name == "peak_memory" else published_instead(desk)
    return f" Measure first: {found.command} ({_model(desk, name)}).{instead}"


def _with_model(desk: Desk, condition: str, name: str) -> str:
    said = _model(desk, name)
    return f"{condition} ({said})." if said else f"{condition}."


def _model(desk: Desk, name: str) -> str:
    """What the model says of what a check shows; nothing without a check."""
    found = check_of(name, desk.base, cuda=True, bits=desk.device[1])
    if found is None:
        return ""
    letter = found.letters[0]
    if letter in desk.plan.by_letter:
        return f"the model says {shown(desk.base[letter], desk.plan.named(letter).unit)}"
    return f"the model takes {percent(desk.base[letter])}"


def _what(desk: Desk) -> str:
    """Model, run, devices and layout in a sentence."""
    v = desk.base
    outside = v["V"] * v["n_emb"] + v["n_pos"] + v["n_nf"] * (1 + v["beta_n"])
    parameters = v["L"] * (v["P_bd"] + v["P_be"]) + v["D"] * outside
    idle = v["L"] * v["P_be"] * (1 - v["k_E"] / v["E"]) if v["E"] else 0  # what a token does not use
    of_a_token = f" ({_active(v, parameters - idle)})" if idle else ""
    run = f" on {_large(v['T_tok'])} tokens" if v["T_tok"] else ""
    shares = (("x_off", "the optimizer state"), ("x_host", "the activations"))
    host = "".join(f", {percent(v[of])} of {what} with the host" for of, what in shares if v[of])
    size = "one sequence" if v["b_m"] == 1 else f"{int(v['b_m'])} sequences"
    way = f", {said}" if (said := in_words(v)) else ""
    loss = f", the loss in {int(v['n_l'])} parts" if v["n_l"] > 1 else ""
    return (
        f"A model of {_large(parameters)} parameters{of_a_token}{run}, "
        f"sequences of {int(v['s']):,} tokens, "
        f"{int(v['b']):,} a step, on {_where(desk)}{_split(v)}, ZeRO stage {zero_stage(v)}"
        f"{host}, micro-batches of {size}{way}, {again(v)} computed again{loss}."
    )


def _split(v: Mapping[str, Fraction]) -> str:
    """How a stage and a sequence are split within the mesh."""
    chunks = f", {int(v['v'])} chunks a rank" if v["v"] > 1 else ""
    if v["t"] == 1:
        return chunks
    return f"{chunks}, {'' if v['z_s'] else 'no '}sequence parallelism"


def _active(v: Mapping[str, Fraction], parameters: Fraction) -> str:
    """The parameters that a token uses, and without the table that it only looks itself up in."""
    said = f"{_large(parameters)} of them active for a token"
    if v["n_emb"] < 2:  # the one table multiplies too, at the output
        return said
    return f"{said}, {_large(parameters - v['V'] * v['D'])} without the table that embeds it"


def _where(desk: Desk) -> str:
    """Devices, precision, program and mesh; and that the mesh was searched, if the job names none."""
    v, job = desk.base, desk.job
    device = job.device or "device of no name"
    program = f" by {FRAMEWORKS[job.framework].name}" if job.framework else ""
    said = (
        f"at {desk.device[1]} precision{program}: {mesh(v)}"
        if v["n"] > 1
        else f"at {desk.device[1]} precision"
    )
    return f"{int(v['n']):,} × {device} {said}{_found(desk)}"


def _found(desk: Desk) -> str:
    """That the layout was searched, if the job names none, and whether it was published."""
    if desk.job.chosen:
        return ""
    run = published_at(desk, {})
    if run is None:
        return ", which a search found"
    step = shown(step_at(desk, run), SECOND)
    return f", as was published ({run.source}; at its MFU a step here takes {step})"


def _large(value: Fraction) -> str:
    found = large(value)
    return found.number if found.unit == "1" else f"{found.number} {found.unit}"


def _binding(desk: Desk, verdict: Verdict) -> Block:
    found = binding(verdict.constraints)
    rows: list[tuple[Cell, ...]] = [
        (
            c.holds,
            c.name,
            _how_much(c),
            c.words,
            working_of(c.letter) if c.letter in desk.plan.by_letter else "",
        )
        for c in found
    ]
    caption = "What binds: the tightest limit at P50, what would shorten a step most, what stops growth"
    if len(found) > MOST:
        caption += "; and further limits that are passed"
    head = ("holds back", "constraint", "how much", "here", "worked")
    return desk.table("binding", caption, "llrwr", head, rows)


def _how_much(one: Constraint) -> str:
    """What a step would save, or the share of a limit that is taken."""
    if one.kind == "speed":
        return f"{percent(one.used)} saved"
    if one.letter in FALLING:
        return f"{percent(1 / one.used)} of it reached"
    return f"{percent(one.used)} of it" if one.used <= 1 else f"{percent(one.used - 1, 2)} above it"


def _signatures(desk: Desk) -> Block:
    """Who signs what: owner, date, version, and the job's own files; presets stand in the JSON."""
    cover = desk.job.cover
    said = ", ".join(f"{k} {getattr(cover, k) or 'not given'}" for k in ("version", "date", "owner"))
    own = {n: digest for n, digest in desk.job.hashes.items() if not n.startswith("presets/")}
    hashes = "; ".join(f"{name} {digest[:8]}" for name, digest in sorted(own.items()))
    read = f"; {hashes} (SHA-256)" if hashes else ""
    head = tuple(f"{role}: name, date" for role in ("proposed by", "reviewed by", "approved by"))
    caption = f"Signatures: {said}{read}"
    return desk.table("signatures", caption, "www", head, [(" ",) * len(head)])


def heading(text: str, level: int = 2) -> Heading:
    """A heading of words."""
    return Heading(level, (Text(text),))
