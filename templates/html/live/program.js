"use strict";
// The program of a page, run: from the inputs to every value that the page shows. Knows nothing of the page.

(() => {
  const { DoesNotApply, DoesNotEvaluate, NoValue, evaluate, fraction, fractionText, kept, middle, order, outcome, result } = Workings;
  const ONE = { n: 1n, d: 1n };

  /** What a number rests on has changed that nothing here follows: it stays as it is printed. */
  class Stays extends NoValue {}
  const STAYS = new Stays();

  const same = (a, b) => order(a, b) === 0;
  const short = (key) => key.slice(key.indexOf(".") + 1);
  const has = (known, names) => names.every((name) => Object.hasOwn(known, name));
  const of = (known, names) => names.map((name) => known[name]);
  const counts = (where, names, known) => has(known, names)
    && (where === "" || (Object.hasOwn(known, where) && known[where].n > 0n));

  /** The figures that follow from those of an input, put to them. */
  function follow(program, known) {
    for (const figure of program.follow) {
      const { name, form, letters, where, without, whole } = figure;
      if (Object.hasOwn(known, name) || without.some((other) => Object.hasOwn(known, other))) continue;
      if (!counts(where, letters, known)) continue;
      const value = kept(figure, of(known, letters), () => middle(evaluate(form, known)));
      if (!whole || value.d === 1n) known[name] = value;
    }
    return known;
  }

  /** The first rule that an input does not keep to: [key, sentence], or nothing. */
  function broken(program, known) {
    for (const rule of program.rules) {
      const { key, holds, letters, expected, where, without } = rule;
      if (Object.hasOwn(known, without) || !counts(where, letters, known)) continue;
      if (kept(rule, of(known, letters), () => Workings.givenHolds(holds, known))) continue;
      const words = expected.map((part, place) => (place % 2 ? fractionText(middle(evaluate(part, known))) : part));
      return [key, `found ${fractionText(known[short(key)])}, expected ${words.join("")}`];
    }
    return null;
  }

  /** The text of Python's format g with so many digits. */
  function general(value, digits = 6) {
    if (value === 0) return "0";
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    if (exponent >= -4 && exponent < digits) return `${Number(value.toPrecision(digits))}`;
    return `${Number(mantissa)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }

  /** A rational as the double nearest to it. */
  function double({ n, d }) {
    if (n === 0n) return 0;
    const shift = BigInt(Math.max(0, 66 + Workings.bitLength(d) - Workings.bitLength(n)));
    const above = Workings.absolute(n) << shift;
    const found = above / d;
    const kept = above % d === 0n ? found : found | 1n; // what is cut off decides no tie
    return (n < 0n ? -1 : 1) * Number(kept) / 2 ** Number(shift);
  }

  /** One run of a program, at inputs by their letters; each value is worked out when it is asked for. */
  class Run {
    constructor(program, inputs) {
      this.program = program;
      this.own = {};
      for (const [name, text] of Object.entries(program.given)) this.own[name] = fraction(text);
      this.inputs = { ...this.own, ...inputs };
      this.figures = [];
      this.values = [];
      this.sources = [];
    }

    changed(name) {
      return !same(this.inputs[name], this.own[name]);
    }

    /** The figures of a place. Throws where its input breaks a rule. */
    place(number) {
      if (this.figures[number] === undefined) {
        const { over, without } = this.program.places[number];
        const known = { ...this.inputs };
        for (const name of without) delete known[name];
        for (const [name, source] of Object.entries(over)) known[name] = this.source(source);
        const missed = broken(this.program, known);
        this.figures[number] = missed ? new DoesNotEvaluate(`${missed[0]}: ${missed[1]}`) : follow(this.program, known);
      }
      return result(this.figures[number]);
    }

    source(number) {
      this.sources[number] ??= this.read(this.program.sources[number]);
      return this.sources[number];
    }

    read(source) {
      if (typeof source === "string") return fraction(source);
      const [kind, first, second] = source;
      if (kind === "key") {
        const found = this.place(first)[second];
        if (found === undefined) throw new DoesNotEvaluate(`${second} has no value here`);
        return found;
      }
      if (kind === "whole") return this.whole(first, second);
      if (second.some((name) => this.changed(name))) throw STAYS; // counted, of what has changed
      return fraction(first);
    }

    /** A setting that is worked out. */
    whole(node, text) {
      const value = middle(this.node(node).value);
      if (value.d === 1n) return value;
      throw new DoesNotEvaluate(`${text}: found ${general(double(value))}, expected a whole number`);
    }

    /** A value of the program: {value, values}, the latter of its letters. */
    node(number) {
      return result(this.outcome(number));
    }

    /** The same, or why there is none. */
    outcome(number) {
      this.values[number] ??= outcome(() => this.worked(this.program.nodes[number]));
      return this.values[number];
    }

    worked(node) {
      if ((node.while ?? []).some((name) => this.changed(name))) throw STAYS;
      if (node.figure !== undefined) {
        const value = this.source(node.figure);
        return kept(node, [value], () => ({ value, values: {} }));
      }
      if (node.form !== undefined) {
        const values = {};
        node.of.forEach((of, place) => { values[`q_${place}`] = middle(this.node(of).value); });
        return kept(node, Object.values(values), () => ({ value: evaluate(node.form, values), values }));
      }
      const letters = {};
      for (const [name, source] of Object.entries(node.letters)) letters[name] = this.source(source);
      return this.entry(this.program.entries[node.entry], letters);
    }

    /** A derivation at values of its letters. */
    entry(entry, letters) {
      const values = {};
      for (const name of entry.letters) values[name] = letters[name];
      for (const [name, [kind, used, bound]] of Object.entries(entry.uses)) {
        if (kind === "given") {
          values[name] = this.source(used);
          continue;
        }
        const inner = {};
        for (const [letter, argument] of Object.entries(bound)) {
          inner[letter] = argument[0] === "given" && Array.isArray(argument)
            ? this.source(argument[1]) : evaluate(argument, letters);
        }
        values[name] = this.entry(this.program.entries[used], inner).value;
      }
      return kept(entry, Object.values(values), () => {
        if (entry.given !== undefined) Workings.checkConditions(entry.given, values);
        return { value: evaluate(entry.form, values), values };
      });
    }

    /** What is shown: {shown}, {words}, {worked}, {bars}; {fails}, a sentence; or {stays}. */
    display(display) {
      try {
        return this[display.kind](display, this.program.styles[display.style]);
      } catch (error) {
        if (error instanceof DoesNotApply && typeof display.otherwise === "string") return { words: display.otherwise };
        if (error instanceof Stays) return { stays: true };
        if (!(error instanceof NoValue)) throw error;
        return { fails: error.message, said: error.said, applies: !(error instanceof DoesNotApply) };
      }
    }

    amount(display, style) {
      const { unit } = display;
      const value = middle(this.node(display.node).value);
      const limit = display.limit === undefined ? null : this.limit(display.limit);
      const shown = () => (limit === null ? Workings.show(value, unit, style) : Workings.showBeside(value, limit, unit, style));
      return kept(display, [value, limit], () => ({ shown: shown() }));
    }

    test({ node, relation, limit }) {
      return { words: Workings.compare(middle(this.node(node).value), relation, this.limit(limit)) ? "yes" : "no" };
    }

    /** A limit: a value of the program by its number, or a fraction as text. */
    limit(limit) {
      return typeof limit === "number" ? middle(this.node(limit).value) : fraction(limit);
    }

    setting({ node, text }) {
      return { words: Workings.show(this.whole(node, text), "1", this.program.styles[0]).number };
    }

    entered(display, style) {
      const value = this.source(display.value);
      return kept(display, [value], () => ({ shown: Workings.show(value, display.unit, style) }));
    }

    in_numbers(display, own) {
      const { node, letters, unit, user } = display;
      const found = this.node(node);
      const style = user === undefined ? own : this.styleOf(user, middle(found.value), unit, own);
      return kept(display, [found, style.digits], () => {
        const { value, values } = found;
        const { form } = this.program.entries[this.program.nodes[node].entry];
        const inputs = letters.map(([name, own]) => [name, middle(values[name]), own]);
        return { worked: Workings.work(form, inputs, value, unit, style), whole: middle(value).d === 1n };
      });
    }

    /** The style in which the line that uses a result shows it. Throws what that line does. */
    styleOf([line, letter], value, unit, own) {
      const user = this.program.displays[line];
      const { inputs } = this.in_numbers(user, this.program.styles[user.style]).worked;
      const [, { number, exact }] = inputs.find(([name]) => name === letter);
      for (let extra = 0; ; extra += 1) {
        const style = { ...own, digits: own.digits + extra, decimals: null };
        const shown = Workings.show(value, unit, style);
        if (extra === Workings.tables.figures.MORE_DIGITS || (shown.number === number && shown.exact === exact)) return style;
      }
    }

    /** A name that may hold numbers. */
    named(pieces) {
      return pieces.map((piece) => {
        return typeof piece === "string" ? piece : Workings.shownText(this.amount(piece, this.program.styles[piece.style]).shown);
      }).join("");
    }

    bars({ bars, unit, limit, named, alternative }, style) {
      const scale = Workings.unit(unit).scale;
      const measured = bars.map(([name, parts]) => [this.named(name), parts.map(([part, node]) => [part, middle(this.node(node).value)])]);
      const found = measured.map(([name, parts]) => ({
        name,
        total: parts.reduce((sum, [, value]) => Workings.rational(sum.n * value.d + value.n * sum.d, sum.d * value.d), { n: 0n, d: 1n }),
        parts,
      }));
      const negative = found.flatMap(({ parts }) => parts).some(([, value]) => value.n < 0n);
      if (negative) throw new DoesNotEvaluate("a part of a bar is below 0");
      const mark = limit === undefined ? null : this.limit(limit);
      const longest = [...found.map(({ total }) => total), ...(mark ? [mark] : [])].reduce((a, b) => (order(a, b) >= 0 ? a : b));
      const end = axisEnd(Workings.rational(longest.n * scale.d, longest.d * scale.n));
      const full = Workings.rational(end.n * scale.n, end.d * scale.d);
      const share = (value) => double(Workings.rational(value.n * full.d, value.d * full.n));
      const say = (value) => Workings.shownText(Workings.show(value, unit, style));
      const drawn = found.map(({ name, total, parts }) => ({
        name,
        total: say(total),
        parts: parts.map(([part, value]) => ({ name: part, share: share(value), shown: say(value) })),
      }));
      const ticks = this.program.bars.ticks;
      const axis = Array.from({ length: ticks + 1 }, (_, i) => [i / ticks, tick(Workings.rational(end.n * BigInt(i), end.d * BigInt(ticks)))]);
      return { bars: { bars: drawn, axis, unit, mark: mark && share(mark), limit: mark && !named && typeof limit === "number" ? say(mark) : null, alternative: alternative || inWords(drawn) } };
    }
  }

  /** The next of 1, 1.5, 2, … times a power of ten at or above the longest bar. */
  function axisEnd(longest) {
    if (longest.n === 0n) return ONE;
    let power = ONE;
    while (order({ n: power.n * 10n, d: power.d }, longest) <= 0) power = Workings.rational(power.n * 10n, power.d);
    while (order(power, longest) > 0) power = Workings.rational(power.n, power.d * 10n);
    for (const [n, d] of [[1n, 1n], [3n, 2n], [2n, 1n], [5n, 2n], [4n, 1n], [5n, 1n], [6n, 1n], [8n, 1n], [10n, 1n]]) {
      const end = Workings.rational(power.n * n, power.d * d);
      if (order(end, longest) >= 0) return end;
    }
    return ONE;
  }

  function tick(value) {
    const number = double(value);
    const text = general(number, number < 10 ** 6 ? 6 : 4);
    return text.includes("e") ? text : text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  }

  function inWords(bars) {
    const described = bars.map(({ name, parts, total }) => {
      const said = parts.map((part) => `${part.name} ${part.shown}`).join(", ");
      return `${name}: ${said}${parts.length > 1 ? `, together ${total}` : ""}`;
    });
    return `Horizontal bars. ${described.join("; ")}.`;
  }

  Object.assign(Workings, { Run, broken, double, follow });
})();
