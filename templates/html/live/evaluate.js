"use strict";
// The exact reading of a formula: its tree (JSON, as Python's formula/readings/javascript.py writes it) and the
// values of its letters give a rational, or an interval where a logarithm or root is irrational.

(() => {
  const {
    DoesNotEvaluate, absolute, added, bitLength, bounds, ceil, ends, floor, fraction, inverse, isInterval, log2,
    multiplied, negated, order, power, reduced, root, shortened,
  } = Workings;

  const OPERATIONS = new Set(["+", "*", "rel"]);

  /** The parts of a node below it. */
  function children(node) {
    if (typeof node === "string" || node[0] === "#") return [];
    if (OPERATIONS.has(node[0])) return node.filter((_, place) => place % 2 === 1);
    if (node[0] === "sum") return [node[1], node[3], node[4]];
    return node.slice(1);
  }

  const size = (node) => children(node).reduce((total, part) => total + size(part), 1);

  /** Parts joined by signs, from the left. */
  function folded(node, evaluation, join) {
    let found = read(node[1], evaluation);
    for (let place = 2; place < node.length; place += 2) {
      found = join(found, node[place], read(node[place + 1], evaluation));
    }
    return isInterval(found) ? found : shortened(found);
  }

  const READERS = {
    "#": number,
    "+": (node, evaluation) => folded(node, evaluation, (a, sign, b) => plus(a, sign === "+" ? b : minus(b))),
    "*": (node, evaluation) => folded(node, evaluation, (a, sign, b) => times(a, sign === "*" ? b : over(b))),
    "neg": (node, evaluation) => minus(read(node[1], evaluation)),
    "^": (node, evaluation) => power(settled(read(node[1], evaluation)), settled(read(node[2], evaluation))),
    "max": (node, evaluation) => chosen(node, evaluation, 1),
    "min": (node, evaluation) => chosen(node, evaluation, -1),
    "ceil": (node, evaluation) => whole(read(node[1], evaluation), ceil, "ceil"),
    "floor": (node, evaluation) => whole(read(node[1], evaluation), floor, "floor"),
    "log2": (node, evaluation) => log2(settled(read(node[1], evaluation))),
    "sqrt": (node, evaluation) => root(settled(read(node[1], evaluation))),
    "sum": series,
  };

  /** A node's value; rationals on the way are reduced only where that matters. */
  function read(node, evaluation) {
    return typeof node === "string" ? letter(node, evaluation.values) : READERS[node[0]](node, evaluation);
  }

  const literals = new WeakMap();

  function number(node) {
    let found = literals.get(node);
    if (found === undefined) {
      const [, value, unit] = node;
      found = unit ? reduced(times(fraction(value), Workings.unit(unit).scale)) : fraction(value);
      literals.set(node, found);
    }
    return found;
  }

  function letter(name, values) {
    if (!Object.hasOwn(values, name)) throw new DoesNotEvaluate(`no value for the letter ${name}`);
    return values[name];
  }

  const settled = (a) => (isInterval(a) ? a : reduced(a));
  const minus = (a) => (isInterval(a) ? negated(a) : { n: -a.n, d: a.d });

  function plus(a, b) {
    if (isInterval(a) || isInterval(b)) return added(bounds(settled(a)), bounds(settled(b)));
    if (a.d === b.d) return { n: a.n + b.n, d: a.d };
    return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
  }

  function times(a, b) {
    if (isInterval(a) || isInterval(b)) return multiplied(bounds(settled(a)), bounds(settled(b)));
    return { n: a.n * b.n, d: a.d * b.d };
  }

  function over(a) {
    if (isInterval(a)) return inverse(a);
    if (a.n === 0n) throw new DoesNotEvaluate("division by zero");
    return a.n > 0n ? { n: a.d, d: a.n } : { n: -a.d, d: -a.n };
  }

  const digits = () => Workings.tables.figures.DIGITS;

  /** 1, 0 or -1; throws where the bounds overlap. */
  function orderOf(a, b) {
    if (!isInterval(a) && !isInterval(b)) return order(a, b);
    const [left, right] = [bounds(settled(a)), bounds(settled(b))].map(ends);
    if (order(left[0], right[1]) > 0) return 1;
    if (order(left[1], right[0]) < 0) return -1;
    throw new DoesNotEvaluate(`${digits()} digits do not tell the two sides apart`);
  }

  /** The largest (sign 1) or smallest (sign -1) of a function's arguments. */
  function chosen(node, evaluation, sign) {
    const args = node.slice(1).map((part) => read(part, evaluation));
    return args.reduce((a, b) => (orderOf(a, b) * sign >= 0 ? a : b));
  }

  function whole(value, round, name) {
    const [low, high] = ends(value).map(({ n, d }) => round(n, d));
    if (low !== high) throw new DoesNotEvaluate(`${digits()} digits do not decide a ${name}`);
    return { n: low, d: 1n };
  }

  /** A sum over a range, within the limits that Python keeps to. */
  function series(node, evaluation) {
    const [, body, index, lower, upper] = node;
    const [low, high] = [lower, upper].map((part) => settled(read(part, evaluation)));
    if (isInterval(low) || isInterval(high) || low.d !== 1n || high.d !== 1n) {
      throw new DoesNotEvaluate("the range of a sum is not a whole number");
    }
    const { MAX_TERMS, MAX_BITS } = Workings.tables.figures;
    if (high.n >= low.n) evaluation.terms += (high.n - low.n + 1n) * BigInt(size(body));
    if (evaluation.terms > BigInt(MAX_TERMS)) {
      throw new DoesNotEvaluate(`a sum of more than ${MAX_TERMS.toLocaleString("en-US")} terms`);
    }
    const outer = evaluation.values;
    const inside = Object.assign(Object.create(null), outer);
    evaluation.values = inside;
    let total = { n: 0n, d: 1n };
    for (let i = low.n; i <= high.n; i += 1n) {
      inside[index] = { n: i, d: 1n };
      total = settled(plus(total, read(body, evaluation)));
      if (!isInterval(total) && bitLength(total.d) > MAX_BITS) {
        throw new DoesNotEvaluate(`a sum whose denominator has more than ${MAX_BITS} bits`);
      }
    }
    evaluation.values = outer;
    return total;
  }

  /** The exact value in base units, at values of the letters by name. */
  const evaluate = (node, values) => settled(read(node, { values, terms: 0n }));

  const TRUE_OF = {
    "=": (o) => o === 0, "<": (o) => o < 0, ">": (o) => o > 0, "<=": (o) => o <= 0, ">=": (o) => o >= 0,
  };

  /** a < b and so on; throws where the bounds do not tell. */
  function compare(a, relation, b) {
    const found = orderOf(a, b);
    if (!Object.hasOwn(TRUE_OF, relation)) {
      throw new DoesNotEvaluate(`${relation} is not true or false of two numbers`);
    }
    return TRUE_OF[relation](found);
  }

  /** Whether every link of a chain of relations is true; all sides are worked out first. */
  function holds(chain, values) {
    const sides = children(chain).map((side) => evaluate(side, values));
    return sides.slice(1).every((side, place) => compare(sides[place], chain[2 * place + 2], side));
  }

  Object.assign(Workings, { children, compare, evaluate, holds });
})();
