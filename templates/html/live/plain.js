"use strict";
// What is copied of a line: as plain text that the grammar reads back, and as LaTeX, both as Python's
// formula/plain.py and formula/readings/latex.py write them.

(() => {
  const { numberText, restOf, strength, withoutOnes } = Workings;
  const { LOOSE, SUM, PRODUCT, POWER, ATOM, tightness } = strength;

  // Plain text ----------------------------------------------------------------------------------------

  /** `place`: how tight the node must be to stand bare; `args`: a comma would split it. */
  function write(node, units, place, args) {
    if (tightness(node) < place) return `(${write(node, units, LOOSE, false)})`;
    const part = (inside, needed) => write(inside, units, needed, args);
    if (typeof node === "string") return node;
    switch (node[0]) {
      case "#": {
        const text = args ? numberText(node).replaceAll(",", "") : numberText(node);
        return node[2] && units ? `${text}[${node[2]}]` : text;
      }
      case "neg":
        return `-${part(node[1], PRODUCT)}`;
      case "+": {
        // A leading minus may stand bare in front of a sum; a sum in a sum may not.
        const terms = restOf(node).map(([sign, term]) => ` ${sign} ${part(term, PRODUCT)}`);
        return part(node[1], node[1][0] === "neg" ? SUM : PRODUCT) + terms.join("");
      }
      case "*":
        return part(node[1], POWER) + restOf(node).map(([sign, factor]) => `${sign}${part(factor, POWER)}`).join("");
      case "^":
        return `${part(node[1], ATOM)}^${part(node[2], ATOM)}`;
      case "sum": {
        const [body, low, high] = [node[1], node[3], node[4]].map((inside) => write(inside, units, LOOSE, true));
        return `sum(${body}, (${node[2]}, ${low}, ${high}))`;
      }
      default:
        return `${node[0]}(${node.slice(1).map((arg) => write(arg, units, LOOSE, true)).join(", ")})`;
    }
  }

  /** A formula as plain text; `units: false` leaves out those of literals. */
  function plain(formula, { units = true } = {}) {
    const side = (node) => write(units ? node : withoutOnes(node), units, LOOSE, false);
    if (formula[0] !== "rel") return side(formula);
    return side(formula[1]) + restOf(formula).map(([sign, part]) => ` ${sign} ${side(part)}`).join("");
  }

  // LaTeX ---------------------------------------------------------------------------------------------

  const table = (name) => Workings.tables.signs[name];
  const known = (name, text) => (Object.hasOwn(table(name), text) ? table(name)[text] : text);
  const WRITERS = {
    letter: letterLatex,
    number: numberLatex,
    row: rowLatex,
    fenced: fencedLatex,
    sign: ({ text }) => known("TEX_SIGNS", text),
    gap: ({ width }) => known("TEX_GAPS", width),
    words: ({ text }) => `\\text{${text}}`,
    fraction: ({ above, below }) => `\\frac{${latex(above)}}{${latex(below)}}`,
    raised: ({ base, exponent }) => {
      const text = latex(base);
      return `${base.is === "letter" && base.index ? `{${text}}` : text}^{${latex(exponent)}}`;
    },
    root: ({ inside }) => `\\sqrt{${latex(inside)}}`,
    sum: ({ low, high }) => `\\sum_{${latex(low)}}^{${latex(high)}}`,
    function: ({ name, index, below }) => {
      const under = below === null ? index : `{${latex(below)}}`;
      return under ? `\\${name}_${under}` : `\\${name}`;
    },
    over: ({ sign, above }) => `\\overset{${latex(above)}}{${latex(sign)}}`,
  };

  /** Boxes as LaTeX. */
  function latex(box) {
    return WRITERS[box.is](box);
  }

  function letterLatex({ base, index }) {
    const greek = Object.hasOwn(table("GREEK"), base);
    const head = greek ? `\\${base}` : base.length === 1 ? base : `\\text{${base}}`;
    if (!index) return head;
    return `${head}_{${index.length === 1 ? index : `\\text{${index}}`}}`;
  }

  function numberLatex({ digits, exponent, unit }) {
    const power = exponent === null ? "" : ` \\cdot 10^{${exponent}}`;
    return `${digits.replaceAll(",", "{,}")}${power}${unit ? `\\,\\text{${unit}}` : ""}`;
  }

  function rowLatex({ parts }) {
    return parts.reduce((out, part, place) => {
      return place === 0 ? latex(part) : out + space(parts[place - 1], part) + latex(part);
    }, "");
  }

  /** A space of the source text: TeX needs it behind a command, and people around signs. */
  function space(left, right) {
    if (left.is === "sign" && (left.place === "before" || left.place === "tight")) return "";
    if (right.is === "sign" && (right.place === "after" || right.place === "tight")) return "";
    const round = right.is === "fenced" && right.left === "(";
    const tight = round && !["sign", "gap", "sum"].includes(left.is);
    return tight || right.is === "gap" ? "" : " ";
  }

  function fencedLatex({ left, inside, right, tall }) {
    const [opened, closed] = [known("TEX_FENCES", left), known("TEX_FENCES", right)];
    if (tall) return `\\left${opened} ${latex(inside)} \\right${closed}`;
    const gap = opened.startsWith("\\") ? " " : "";
    return `${opened}${gap}${latex(inside)}${gap}${closed}`;
  }

  Object.assign(Workings, { boxLatex: latex, plain });
})();
