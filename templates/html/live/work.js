"use strict";
// A formula at values: symbolic = substituted = value, with enough digits to check it by hand; and the
// sentence that says which of its conditions does not hold.

(() => {
  const { DoesNotEvaluate, absolute, evaluate, fractionText, holds, isInterval, middle, order, pow10, rational } =
    Workings;

  /**
   * A condition of a derivation is violated: it has no value here; `instead` names what has one. `said` is
   * the sentence for who reads a page: words and formulas, without the names of entries and keys.
   */
  class DoesNotApply extends Workings.NoValue {
    constructor(message, instead, said) {
      super(message);
      this.instead = instead;
      this.said = said;
    }
  }

  /** The tree with values in place of letters. */
  function substituted(node, values) {
    if (typeof node === "string") return Object.hasOwn(values, node) ? values[node] : node;
    if (node[0] === "#") return node;
    if (node[0] === "sum") {
      const [, body, index, lower, upper] = node;
      const { [index]: _, ...inside } = values;
      return ["sum", substituted(body, inside), index, substituted(lower, values), substituted(upper, values)];
    }
    const signed = node[0] === "+" || node[0] === "*" || node[0] === "rel"; // parts at odd places
    return node.map((part, place) => (place === 0 || (signed && place % 2 === 0) ? part : substituted(part, values)));
  }

  /** A shown value as a literal of a formula. */
  function literal({ number, unit, value }) {
    const { scale } = Workings.unit(unit);
    const amount = rational(value.n * scale.d, value.d * scale.n);
    return ["#", fractionText(amount), unit === "1" ? null : unit, number];
  }

  /** Whether the line as printed, recomputed, rounds to the printed result. */
  function gives(form, inputs, shown, unit, style) {
    try {
      const values = Object.fromEntries(inputs.map(([letter, input]) => [letter, input.value]));
      return order(Workings.show(middle(evaluate(form, values)), unit, style).value, shown.value) === 0;
    } catch (error) {
      if (error instanceof DoesNotEvaluate) return false;
      throw error;
    }
  }

  /**
   * The worked line of a formula whose result is already worked out. `letters` are [letter, rational,
   * unit] in the order of the form; its inputs show as many digits as it takes to give the result.
   */
  function work(form, letters, result, unit, style) {
    const found = Workings.show(middle(result), unit, style);
    const shown = { ...found, exact: found.exact && !isInterval(result) };
    const condition = form[0] === "rel"; // solved nowhere: its line is the value alone
    let inputs = letters.map(([letter, value, own]) => [letter, Workings.show(value, own, { ...style, decimals: null })]);
    for (let extra = 1; extra <= Workings.tables.figures.MORE_DIGITS; extra += 1) {
      // An exact input stays as it is however many digits there are.
      if (condition || inputs.every(([, input]) => input.exact) || gives(form, inputs, shown, unit, style)) break;
      const finer = { ...style, digits: style.digits + extra, decimals: null };
      inputs = inputs.map((input, place) => {
        const [letter, value, own] = letters[place];
        return input[1].exact ? input : [letter, Workings.show(value, own, finer)];
      });
    }
    const literals = Object.fromEntries(inputs.map(([letter, input]) => [letter, literal(input)]));
    return {
      shown,
      inputs,
      substituted: condition ? literal(shown) : substituted(form, literals),
      exactInputs: inputs.every(([, input]) => input.exact),
    };
  }

  function givenHolds(given, values) {
    if (given[0] !== "divides") return holds(given, values);
    const [divisor, multiple] = [evaluate(given[1], values), evaluate(given[2], values)];
    if (isInterval(divisor) || isInterval(multiple)) throw new DoesNotEvaluate(`${given[3]} needs whole numbers`);
    if (divisor.n === 0n) throw new DoesNotEvaluate("division by zero");
    return (multiple.n * divisor.d) % (multiple.d * divisor.n) === 0n;
  }

  /** A value with its unit: in its letter's own, or in that which pages use for its dimension. */
  function inReadersUnit(value, own, dimension) {
    const { figures, violated } = Workings.tables;
    const size = { n: absolute(value.n), d: value.d };
    if (size.n >= size.d * pow10(figures.BEYOND)) return `beyond 10^${figures.BEYOND}`;
    let unit = own === null ? Workings.unitFor(dimension, violated) : Workings.unit(own);
    const smallest = { n: unit.scale.n, d: unit.scale.d * BigInt(figures.SMALLEST_PART) };
    if (order(size, smallest) < 0) unit = Workings.unitFor(dimension, { ...violated, units: [] });
    return Workings.shownText(Workings.show(value, unit, violated));
  }

  /** Throws DoesNotApply for the first condition that the values (by letter) violate. */
  function checkConditions(conditions, values) {
    for (const { id, text, given, letters, settable, otherwise, instead } of conditions) {
      if (givenHolds(given, values)) continue;
      const told = letters.map(([name, own, dimension, means]) => {
        return [name, inReadersUnit(middle(values[name]), own, dimension), means];
      });
      const numbers = told.map(([name, value]) => `${name} = ${value}`).join(", ");
      const here = `here ${numbers}${settable.length > 0 ? `; set ${settable.join(", ")}` : ""}`;
      const meaning = otherwise ? `: ${otherwise}` : "";
      const hint = instead ? `; ${instead} answers here` : "";
      const said = ["Does not apply: it needs ", ...needed(given), " (here ", ...told.flatMap(([name, value, means], place) => {
        return [...(place > 0 ? ["; "] : []), { formula: name }, ` = ${value}, ${means}`];
      }), `)${meaning}.`];
      throw new DoesNotApply(`${id} does not apply: it needs ${text} (${here})${meaning}${hint}`, instead, said);
    }
  }

  /** A condition as a page says it: words, and formulas among them. */
  function needed(given) {
    if (given[0] !== "divides") return [{ formula: given }];
    return [{ formula: given[2] }, Workings.tables.divisible, { formula: given[1] }];
  }

  Object.assign(Workings, { DoesNotApply, checkConditions, givenHolds, literal, substituted, work });
})();
