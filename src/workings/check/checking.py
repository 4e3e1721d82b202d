"""Checks a document: finds its statements, gathers what its letters mean, and judges each step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from workings.check.blocks import Block, Document
from workings.check.chains import Chain, chains_in
from workings.check.claims import Page, claims_of
from workings.check.code import chains_of_code, is_program
from workings.check.comparing import NONE, Assumptions, Outcome, explain
from workings.check.comparing.values import at_most
from workings.check.continuing import continued, continues
from workings.check.definitions import Definition, Definitions
from workings.check.figures import Figure, figures_in, merged
from workings.check.judging import judge
from workings.check.listed import totals_of_lists
from workings.check.model_layer import beside_catalogue, named_in, step_meant
from workings.check.quotients import (
    Constant,
    below,
    constants,
    named_nowhere,
    names_used,
    wrong_constant,
    wrong_formula,
)
from workings.check.scenario_letters import definitions_at
from workings.check.sentences import (
    Claim,
    bytes_of_parameters,
    paraphrases,
    sequences_and_tokens,
    totals_of_parts,
)
from workings.check.steps import Case, Judgement, Step, defines, in_words
from workings.check.substituting import substitution
from workings.check.symbols import symbols_of
from workings.check.tables import named_values, rows_as_chains
from workings.check.thresholds import conditions_for, threshold
from workings.check.tracing import Tracer, known_value
from workings.check.verdicts import FLAGS, Checked, Explanation, Statement, Verdict
from workings.formula.page.lexer import Symbols
from workings.formula.plain import plain
from workings.formula.tree import Expr, Name, Num

MOST_REMARKS = 5
_SEPARATORS = ("->", "=>", "<=>")
# Bounds on what a hostile document can ask for, far above what people write.
MOST_A_STEP = 60_000  # parts of formulas evaluated for a step
MOST_WORK = 2_000_000  # the same for a document
MOST_EXPLAINED = 100
_FIGURE = re.compile(r"[0-9]")


def check_document(document: Document, *, at: str | None = None, strict: bool = False) -> Checked:
    """All statements of a document and what is to be said of them."""
    return Checker(document, at=at or scenario_of(document), strict=strict).checked()


def scenario_of(document: Document) -> str | None:
    """The scenario that the front matter names: `workings: xxl-220b` or `scenario: xxl-220b`."""
    return document.front.get("workings") or document.front.get("scenario")


class Checker:
    """One document on its way from blocks to verdicts."""

    def __init__(self, document: Document, *, at: str | None = None, strict: bool = False) -> None:
        self.document, self.strict = document, strict
        self.symbols: Symbols = symbols_of(document.blocks)
        self.known = Definitions()
        for given in definitions_at(at) if at else ():
            self.known.add(given)
        self.steps: list[Step] = []
        self.totals: list[Claim] = []
        self.constants: list[Constant] = []
        self.assumed: Assumptions = NONE
        self.work, self.explained = 0, 0  # parts of formulas evaluated; flags explained
        self.tracer = Tracer()
        self.figures: list[Figure] = []

    def checked(self) -> Checked:
        """Read everything, then judge everything."""
        for chain in self.chains():
            self.keep(chain)
        for name, value, block in named_values(self.document.blocks, self.symbols):
            self.define(name, value, block.offsets[0], block.section)
        for step in self.steps:
            if (found := defines(step)) is not None:
                self.define(found[0], found[1], step.offset, step.section)
        self.learn_from_substitutions()
        self.assumed = Assumptions(tuple(self.much_smaller()))
        prose = self.prose()
        statements = [s for step in self.steps if (s := self.statement(step)) is not None]
        flagged = [s for s in statements if s.verdict in FLAGS]
        statements += [p for p in prose if p.verdict not in FLAGS or not _overlaps(p, flagged)]
        statements += self.beside_catalogue()
        statements.sort(key=lambda s: (s.line, s.column))
        return Checked(self.document.path, tuple(statements), tuple(self.clashes()))

    def learn_from_substitutions(self) -> None:
        """Letters that are given a value nowhere but where a number is put in for them."""
        for step in self.steps:
            left, right = step.left.expression, step.right.expression
            if left is None or right is None or step.relation not in ("=", "≈"):
                continue
            found = substitution(left, right)
            for name, number in found.values.items() if found and not found.clash else ():
                line = self.document.place(step.offset)[0]
                if all(d.learned for d in self.known.by_name.get(name, ())):
                    self.known.add(Definition(name, number, step.offset, line, step.section, learned=True))

    def clashes(self) -> Iterator[str]:
        """Remarks on letters that stand for two things."""
        for first, other in islice(self.known.clashes(), MOST_REMARKS):
            values = " and ".join(f"{in_words(d.expression)[:60]} ({d.source})" for d in (first, other))
            yield f"{first.name} stands for two things: {values}"

    def prose(self) -> list[Statement]:
        """The figures that stand outside formulas, and what is claimed of them."""
        taken = merged([
            (step.chain.block.offsets[side.start], step.chain.block.offsets[side.end - 1] + 1)
            for step in self.steps for side in (step.left, step.right) if side.end > side.start
        ])  # fmt: skip
        figures = [
            figure for block in self.document.blocks if not is_program(block) and block.kind != "heading"
            for figure in figures_in(block, self.symbols, taken)
        ]  # fmt: skip
        self.figures = figures
        tracer = self.tracer
        for step in self.steps:
            for member in (step.left, step.right):
                if member.expression is not None:
                    self.meet(tracer, step.chain.block, member.expression, member.start)
        for figure in figures:
            self.meet(tracer, figure.block, figure.expression, figure.start)
        claims = self.claims(figures)
        plain_figures = [self.figure(f, tracer) for f in figures if (f.offset, f.end) not in claims]
        return plain_figures + list(claims.values())

    def claims(self, figures: list[Figure]) -> dict[tuple[int, int], Statement]:
        """What sentences say of figures, with sides of formulas among the figures."""
        everything = [*figures, *self.sides()]
        everything.sort(key=lambda f: (f.offset, f.end))
        self.constants = constants(everything, self.line_of)
        self.used = tuple(names_used(self.steps))
        self.totals = [c for c in totals_of_parts(everything) if c.outcome.verdict == "ok"]
        found: dict[tuple[int, int], Statement] = {}
        for rule in (paraphrases, totals_of_parts, sequences_and_tokens, bytes_of_parameters, totals_of_lists):
            for claim in rule(everything):
                found.setdefault((claim.figure.offset, claim.figure.end), self.claimed(claim))
        for claim in claims_of(Page(self.document.blocks, self.symbols, self.known, everything)):
            found.setdefault((claim.figure.offset, claim.figure.end), self.claimed(claim))
        return found

    def sides(self) -> list[Figure]:
        """The last sides of chains and first printed numbers, which sentences also speak of."""
        found = []
        for step in self.steps:
            block, ends = step.chain.block, [step.right] if step.index == len(step.chain.relations) - 1 else []
            ends += [step.left] if step.index == 0 and isinstance(step.left.expression, Num) else []
            found += [
                Figure(block, side.expression, side.start, side.end, about=side.about) for side in ends
                if side.expression is not None and block.text[side.start : side.end].strip()
            ]
        return found

    def claimed(self, claim: Claim) -> Statement:
        """A claim of a sentence as a statement."""
        found = self.at_figure(claim.figure, claim.outcome.verdict, claim.words)
        outcome = claim.outcome
        found = replace(found, written=outcome.written or in_words(claim.figure.expression), expected=outcome.expected,
                        reason=outcome.reason or outcome.reading)  # fmt: skip
        if outcome.verdict in FLAGS:
            return replace(found, explanations=explain(claim.left, claim.figure.expression, outcome, self.elsewhere(claim.figure.offset)))
        return found

    def meet(self, tracer: Tracer, block: Block, expression: Expr, start: int) -> None:
        """Remember a value that figures may come from."""
        if start >= len(block.offsets):
            return
        offset = block.offsets[start]
        line = self.document.place(offset)[0]
        tracer.meet(known_value(expression, in_words(expression), line, offset, block.section, block.group))

    def figure(self, figure: Figure, tracer: Tracer) -> Statement:
        """A figure with where it comes from, if that can be told."""
        origin = tracer.origin(figure, figure.block.section, figure.block.group)
        found = self.at_figure(figure, "ok" if origin else "undecided", in_words(figure.expression))
        reason = origin.words if origin else "nothing near it in the document gives this figure"
        return replace(found, written=in_words(figure.expression), reason=reason)

    def at_figure(self, figure: Figure, verdict: Verdict, read_as: str) -> Statement:
        """A statement in the place of a figure."""
        block = figure.block
        begin, stop = figure.offset, block.offsets[figure.end - 1] + 1
        line, column = self.document.place(begin)
        end_line, end_column = self.document.place(stop - 1)
        return Statement(
            self.document.path, line, column, end_line, end_column + 1, self.document.text[begin:stop], "",
            verdict, "follows", read_as, cell=block.notebook_cell,
        )  # fmt: skip

    def chains(self) -> list[Chain]:
        """The chains of every block, and those that table rows spell."""
        found: list[Chain] = []
        before: Block | None = None
        for block in self.document.blocks:
            if block.kind in ("code", "output"):
                found += chains_of_code(block, self.symbols)
            elif before is not None and continues(before, block):
                found += continued(before, block, self.symbols)
            else:
                found += chains_in(block, self.symbols)
            before = block
        return found + rows_as_chains(self.document.blocks, self.symbols)

    def much_smaller(self) -> Iterator[tuple[str, str]]:
        """The pairs of letters of which the document says that one is much smaller."""
        for step in self.steps:
            left, right = step.left.expression, step.right.expression
            if step.relation in ("<<", ">>") and isinstance(left, Name) and isinstance(right, Name):
                yield (left.id, right.id) if step.relation == "<<" else (right.id, left.id)

    def keep(self, chain: Chain) -> None:
        """The steps of a chain; an arrow begins a new one."""
        offsets = chain.block.offsets
        for index, relation in enumerate(chain.relations):
            if relation.text in _SEPARATORS:
                continue
            self.steps.append(Step(chain, index, offsets[chain.members[index].start], chain.block.section))

    def define(self, name: str, expression: object, offset: int, section: int) -> None:
        """Remember what a name means."""
        line = self.document.place(offset)[0]
        self.known.add(Definition(name, expression, offset, line, section))  # type: ignore[arg-type]

    def statement(self, step: Step) -> Statement | None:
        """A step with its verdict, or None where there is nothing to be checked."""
        judgement = self.judged(step)
        outcome = judgement.outcome
        if self.strict and outcome.verdict in ("rounds", "truncates") and step.relation == "=":
            reason = "= stands where the sides agree only as printed: write ≈"
            judgement = replace(judgement, outcome=replace(outcome, verdict="depends", reason=reason))
        if outcome.verdict == "not understood" and not self.is_mathematics(step):
            return None
        found = self.placed(step, judgement)
        if outcome.verdict in FLAGS and judgement.sides is not None:
            left, right = judgement.sides
            found = replace(found, explanations=self.explanations(left, right, step, outcome))
        return found

    def explanations(self, left: Expr, right: Expr, step: Step, outcome: Outcome) -> tuple[Explanation, ...]:
        """The mistakes that explain a flag, for as many flags as anyone reads."""
        self.explained += 1
        if self.explained > MOST_EXPLAINED:
            return ()
        with at_most(MOST_A_STEP):
            return explain(left, right, outcome, self.elsewhere(step.offset))

    def beside_catalogue(self) -> Iterator[Statement]:
        """Formulas that the document compares with an entry of the catalogue."""
        for named in named_in(self.document):
            step = step_meant(named, self.steps, self.document)
            if step is not None:
                judgement, instead = beside_catalogue(named, step)
                found = self.placed(step, judgement)
                if judgement.outcome.verdict in FLAGS and judgement.sides is not None:
                    instead += explain(*judgement.sides, judgement.outcome, ())
                yield replace(found, explanations=instead)

    def judged(self, step: Step) -> Judgement:
        """The verdict on a step; whatever goes wrong with one, the others are still checked."""
        if self.work > MOST_WORK:
            reason = "the steps before it took all the work that a document may ask for"
            return Judgement(Outcome("undecided", reason=reason))
        try:
            with at_most(MOST_A_STEP) as effort:
                found = self.beside_words(step) or self.threshold(step) or judge(Case(step, self.known, self.assumed))
            self.work += effort.spent
            return found
        except Exception as error:  # noqa: BLE001 - a document from outside must not stop on one line
            return Judgement(Outcome("undecided", reason=f"could not be worked out: {type(error).__name__}"))

    def line_of(self, offset: int) -> int:
        """The line of an offset in the file."""
        return self.document.place(offset)[0]

    def threshold(self, step: Step) -> Judgement | None:
        """A least or greatest number, against the condition that it follows from."""
        if step.relation not in (">=", ">", "<=", "<") or not isinstance(step.left.expression, Name):
            return None
        for condition in conditions_for(step, self.steps, self.figures, self.line_of):
            found = threshold(step, condition, self.known)
            if found is not None:
                return found
        return None

    def beside_words(self, step: Step) -> Judgement | None:
        """What the words of a fraction, or the lack of any, say against a step."""
        left, right = step.left.expression, step.right.expression
        if left is None or right is None:
            return None
        outcome = wrong_constant(step, self.constants) or named_nowhere(step, self.used)
        if outcome is not None:
            return Judgement(outcome, "follows", f"{plain(left)} {step.relation} {plain(right)}")
        if (found := wrong_formula(step, self.totals)) is not None:
            outcome, total = found
            words = f"{plain(left)} {step.relation} {plain(right)}; the bytes counted before are {plain(total)}"
            divisor = below(right)
            return Judgement(outcome, "follows", words, (total, divisor[1]) if divisor else None)
        return None

    def is_mathematics(self, step: Step) -> bool:
        """Whether what could not be read was meant as a formula, and not as a figure of speech."""
        block = step.chain.block
        text = block.text[step.left.start : step.right.end]
        dialect = block.dialect_at(step.chain.relations[step.index].start)
        if dialect == "math":
            return True
        return bool(_FIGURE.search(text)) and not is_program(block)

    def elsewhere(self, offset: int) -> list[tuple[str, Fraction]]:
        """Values that the document gives near a place, for one of them may have been taken by mistake."""
        near = self.tracer.near(offset, 60)
        found = {k.value: f"{k.words} (line {k.line})" for k in reversed(near) if k.offset != offset}
        return [(words, value) for value, words in reversed(found.items())]

    def placed(self, step: Step, judgement: Judgement) -> Statement:
        """The statement with its place in the file."""
        block, outcome = step.chain.block, judgement.outcome
        start, end = step.left.start, step.right.end
        begin, stop = block.offsets[start], block.offsets[max(end - 1, start)] + 1
        line, column = self.document.place(begin)
        end_line, end_column = self.document.place(max(stop - 1, begin))
        return Statement(
            self.document.path, line, column, end_line, end_column + 1, self.document.text[begin:stop],
            step.relation, outcome.verdict, judgement.layer, judgement.read_as, outcome.written,
            outcome.expected, outcome.reason or outcome.reading, cell=block.notebook_cell,
        )  # fmt: skip


def _overlaps(one: Statement, others: list[Statement]) -> bool:
    """Whether a statement shares a place with another: one mistake is reported once."""
    begin, stop = (one.line, one.column), (one.end_line, one.end_column)
    return any(begin < (s.end_line, s.end_column) and (s.line, s.column) < stop for s in others)
