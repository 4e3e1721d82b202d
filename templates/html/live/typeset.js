"use strict";
// A formula as boxes on a page, as Python's formula/readings/typeset.py sets it: which parts stand in
// parentheses, what is stacked as a fraction, where a sign stands between factors.

(() => {
  const { fraction, pow10, absolute } = Workings;
  const LOOSE = 0; // how tightly a node holds together: one looser than its place needs parentheses
  const SUM = 1;
  const PRODUCT = 2;
  const POWER = 3;
  const ATOM = 4;
  const TIGHTNESS = { "+": SUM, "neg": SUM, "*": PRODUCT, "^": POWER };

  const isName = (node) => typeof node === "string";
  const isLiteral = (node) => node[0] === "#" && !isName(node);
  const kind = (node) => (isName(node) ? "name" : node[0]);
  const tightness = (node) => (isName(node) ? ATOM : TIGHTNESS[node[0]] ?? ATOM);

  /** The signs and parts behind the first of a sum, product or chain of relations. */
  function restOf(node) {
    const found = [];
    for (let place = 2; place < node.length; place += 2) found.push([node[place], node[place + 1]]);
    return found;
  }

  // Boxes: {is, …} with the fields of Python's classes ------------------------------------------------

  const sign = (text, place = "between") => ({ is: "sign", text, place });
  const gap = { is: "gap", width: "thin" };

  /** Boxes side by side, those of rows among them too; one alone is itself. */
  function row(...parts) {
    const flat = parts.flatMap((part) => (part.is === "row" ? part.parts : [part]));
    return flat.length === 1 ? flat[0] : { is: "row", parts: flat };
  }

  function fenced(left, inside, right) {
    return { is: "fenced", left, inside, right, tall: tall(inside) };
  }

  const parenthesised = (box) => fenced("(", box, ")");

  /** Whether parentheses around a box must grow. */
  function tall(box) {
    if (box.is === "fraction" || box.is === "sum") return true;
    if (box.is === "fenced") return box.tall || tall(box.inside);
    if (box.is === "row") return box.parts.some(tall);
    if (box.is === "raised") return tall(box.base) || tall(box.exponent);
    return box.is === "root" && tall(box.inside);
  }

  /** `N_fsdp` is N with an index, and `X_a_b` has the index `a,b`. */
  function letter(name) {
    const [base, ...index] = name.split("_");
    return { is: "letter", base, index: index.join(",") };
  }

  /** A printed number: `1.8e11` has a power of ten; 34 are bytes, 1 is a byte. */
  function number(text, unit = null) {
    const [digits, exponent] = text.toLowerCase().split("e");
    const named = unit === "byte" && text !== "1" ? "bytes" : unit;
    const shown = named === null || named === "1" ? "" : named;
    return { is: "number", digits, exponent: exponent ? Number(exponent) : null, unit: shown };
  }

  const relation = (text) => sign(Workings.tables.signs.RELATION[text]);

  /** A literal as written, or the shortest exact decimal of its value. */
  function numberText([, value, , text]) {
    if (text) return text;
    const { n, d } = fraction(value);
    let places = 0;
    while ((n * pow10(places)) % d !== 0n) places += 1;
    const digits = `${absolute((n * pow10(places)) / d)}`.padStart(places + 1, "0");
    const whole = digits.slice(0, digits.length - places);
    return `${n < 0n ? "-" : ""}${whole}${places > 0 ? `.${digits.slice(-places)}` : ""}`;
  }

  const oneOfAUnit = (node) => isLiteral(node) && node[1] === "1" && node[2] !== null && node[2] !== "1";

  /** The formula without factors such as `1[FLOP]`, which say nothing where units are not shown. */
  function withoutOnes(node) {
    if (isName(node) || isLiteral(node)) return node;
    const [head, ...parts] = node.map((part, place) => (place === 0 ? part : withoutOnes(part)));
    if (head !== "*") return [head, ...parts];
    const kept = restOf([head, ...parts]).filter(([, factor]) => !oneOfAUnit(factor));
    const first = kept.length > 0 && kept[0][0] === "*" && oneOfAUnit(parts[0]) ? kept.shift()[1] : parts[0];
    return kept.length > 0 ? [head, first, ...kept.flat()] : first;
  }

  // Setting -------------------------------------------------------------------------------------------

  /** `place`: how tight the node must be to stand bare; `small`: inside a fraction; `units`: shown. */
  function set(node, units, place = LOOSE, small = false) {
    if (tightness(node) < place) return parenthesised(set(node, units, LOOSE, small));
    switch (kind(node)) {
      case "name":
        return letter(node);
      case "#":
        return number(numberText(node), units ? node[2] : null);
      case "neg":
        return row(sign("−", "before"), set(node[1], units, PRODUCT, small));
      case "+":
        return setSum(node, units, small);
      case "*":
        return setProduct(node, units, small);
      case "^":
        return { is: "raised", base: setBase(node[1], units, small), exponent: set(node[2], units, LOOSE, true) };
      case "sum":
        return setSeries(node, units, small);
      default:
        return setCall(node, units, small);
    }
  }

  function setSum(node, units, small) {
    const parts = [set(node[1], units, kind(node[1]) === "neg" ? SUM : PRODUCT, small)];
    for (const [joined, term] of restOf(node)) {
      parts.push(sign(joined === "+" ? "+" : "−"), set(term, units, PRODUCT, small));
    }
    return row(...parts);
  }

  function setSeries([, body, index, lower, upper], units, small) {
    const low = row(letter(index), sign("=", "tight"), set(lower, units, LOOSE, true));
    const bounds = { is: "sum", low, high: set(upper, units, LOOSE, true) };
    return row(bounds, set(body, units, PRODUCT, small));
  }

  /** The base of a power: in parentheses unless a letter, a function or a bare number. */
  function setBase(node, units, small) {
    const box = set(node, units, ATOM, small);
    const call = !isName(node) && !isLiteral(node) && node[0] !== "sum" && tightness(node) === ATOM;
    const bare = isName(node) || call || (box.is === "number" && digitsOnly(box));
    return bare || (box.is === "fenced" && box.left === "(") ? box : parenthesised(box);
  }

  const digitsOnly = ({ digits, exponent, unit }) => /^[0-9]+$/.test(digits) && exponent === null && unit === "";

  /** Factors left to right; everything before a `/` becomes its numerator. */
  function setProduct(node, units, small) {
    const rest = restOf(node);
    let done = [node[1]];
    let front = null; // what has been folded into a fraction so far
    rest.forEach(([joined, factor], place) => {
      if (joined === "*") {
        done.push(factor);
        return;
      }
      // `a/b c` on the line could be read as a/(b c): only a last division stays there.
      const last = rest.slice(place + 1).every(([other]) => other === "/");
      front = setFraction(front, done, factor, units, small && last);
      done = [];
    });
    return juxtaposed(front, done, units, small);
  }

  /** `done / below`, stacked on the page and on the line inside another fraction. */
  function setFraction(front, done, below, units, small) {
    // `a/1.8 · 10^11` would divide by 1.8 only.
    const scientific = isLiteral(below) && numberText(below).toLowerCase().includes("e");
    if (small && !scientific && simple(below) && done.every(simple)) {
      return row(juxtaposed(front, done, units, true), sign("/", "tight"), set(below, units, POWER, true));
    }
    const alone = front === null && done.length === 1;
    const above = alone ? set(done[0], units, LOOSE, true) : juxtaposed(front, done, units, true);
    return { is: "fraction", above, below: set(below, units, LOOSE, true) };
  }

  /** Short enough to divide on the line: a letter, a number, or a product of such. */
  function simple(node) {
    if (isName(node) || isLiteral(node)) return true;
    if (node[0] === "^") return simple(node[1]) && simple(node[2]);
    if (node[0] === "+") return node.length === 4 && simple(node[1]) && simple(node[3]);
    return node[0] === "*" && simple(node[1]) && restOf(node).every(([joined, part]) => joined === "*" && simple(part));
  }

  /** Factors side by side, with a sign wherever two would run together as one number. */
  function juxtaposed(front, factors, units, small) {
    const parts = front === null ? [] : [front];
    const dotted = units && factors.some(isLiteral);
    factors.forEach((factor, position) => {
      let box = setFactor(factor, units, factors.length > 1 || parts.length > 0 ? POWER : PRODUCT, small);
      if (kind(factor) === "sum" && position < factors.length - 1) box = parenthesised(box);
      if (parts.length > 0) {
        const times = dotted || (front !== null && position === 0 && units);
        parts.push(...(times ? [sign("×")] : between(parts[parts.length - 1], box)));
      }
      parts.push(box);
    });
    return row(...parts);
  }

  /** A factor; one that prints as a stacked fraction is held together by its bar. */
  function setFactor(node, units, place, small) {
    const stacked = kind(node) === "*" && node[node.length - 2] === "/" && !small;
    return set(node, units, stacked ? LOOSE : place, small);
  }

  /** What stands between two factors: a dot between digits, a gap beside words and fractions. */
  function between(left, right) {
    const first = right.is === "row" ? right.parts[0] : right;
    const last = left.is === "row" ? left.parts[left.parts.length - 1] : left;
    if (startsWithDigits(first) || (endsWithDigits(last) && startsStackedDigits(first))) return [sign("·")];
    if (first.is === "fenced" && first.left === "(") return [];
    const endsInWord = last.is === "letter" && last.index.length > 1;
    return short(first) && !endsInWord ? [] : [gap];
  }

  /** A single letter, with or without an index or an exponent: it may stand beside another. */
  function short(box) {
    if (box.is === "raised") return box.base.is === "letter" && box.base.index === "" && short(box.base);
    return box.is === "letter" && box.base.length === 1;
  }

  const startsWithDigits = (box) => (box.is === "raised" ? startsWithDigits(box.base) : box.is === "number");
  const endsWithDigits = (box) => box.is === "number" && box.exponent === null && box.unit === "";

  /** `2 ½` stacked reads as two and a half. */
  function startsStackedDigits(box) {
    if (box.is !== "fraction") return false;
    return startsWithDigits(box.above.is === "row" ? box.above.parts[0] : box.above);
  }

  /** max(…), ceilings, floors, roots and logarithms. */
  function setCall([name, ...args], units, small) {
    const inside = args.map((arg) => set(arg, units, LOOSE, small));
    const fences = Workings.tables.signs.FENCES[name];
    if (name === "sqrt") return { is: "root", inside: inside[0] };
    if (fences) return fenced(fences[0], inside[0], fences[1]);
    if (name === "log2") return row({ is: "function", name: "log", index: "2", below: null }, parenthesised(inside[0]));
    const listed = row(inside[0], ...inside.slice(1).flatMap((arg) => [sign(",", "after"), arg]));
    return row({ is: "function", name, index: "", below: null }, parenthesised(listed));
  }

  /** A formula as boxes; `units` shows those of literals, `inline` writes short fractions on the line. */
  function typeset(formula, { units = false, inline = false } = {}) {
    const side = (node) => set(units ? node : withoutOnes(node), units, LOOSE, inline);
    if (kind(formula) !== "rel") return side(formula);
    const parts = [side(formula[1])];
    for (const [joined, part] of restOf(formula)) parts.push(relation(joined), side(part));
    return { is: "row", parts };
  }

  const strength = { LOOSE, SUM, PRODUCT, POWER, ATOM, tightness };
  Object.assign(Workings, { letter, number, numberText, relation, restOf, strength, typeset, withoutOnes });
})();
