"use strict";
// Boxes as MathML Core, as Python's formula/readings/mathml.py writes them. Text is escaped here, so that
// the strings may be set as markup.

(() => {
  const { letter, number, typeset } = Workings;
  const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const TIGHT = ' lspace="0" rspace="0"'; // a browser would set such signs with room on both sides

  const escape = (text) => text.replace(/[&<>"']/g, (found) => ESCAPED[found]);
  const words = (text) => escape(text).replaceAll(" ", "\u00a0"); // a space at an end would be dropped
  const space = (width) => `<mspace width="${Workings.tables.signs.GAPS[width]}"/>`;

  const WRITERS = {
    letter: writeLetter,
    number: writeNumber,
    sign: writeSign,
    function: writeFunction,
    fenced: writeFenced,
    gap: ({ width }) => space(width),
    words: ({ text }) => `<mtext>${words(text)}</mtext>`,
    row: ({ parts }) => `<mrow>${parts.map(boxMathml).join("")}</mrow>`,
    fraction: ({ above, below }) => `<mfrac>${boxMathml(above)}${boxMathml(below)}</mfrac>`,
    raised: ({ base, exponent }) => `<msup>${boxMathml(base)}${boxMathml(exponent)}</msup>`,
    root: ({ inside }) => `<msqrt>${boxMathml(inside)}</msqrt>`,
    sum: ({ low, high }) => `<munderover><mo>∑</mo>${boxMathml(low)}${boxMathml(high)}</munderover>`,
    over: ({ sign, above }) => `<mover>${writeSign(sign)}${boxMathml(above)}</mover>`,
  };

  /** Boxes as MathML. */
  function boxMathml(box) {
    return WRITERS[box.is](box);
  }

  /** A letter slants by itself where it is alone; capital Greek ones stand upright, as in TeX. */
  function writeLetter({ base, index }) {
    const { GREEK } = Workings.tables.signs;
    const greek = Object.hasOwn(GREEK, base);
    const upright = greek && /^[A-Z]/.test(base) ? ' mathvariant="normal"' : "";
    const head = `<mi${upright}>${escape(greek ? GREEK[base] : base)}</mi>`;
    if (!index) return head;
    const tag = /^[0-9]+$/.test(index) ? "mn" : /^[A-Za-z]+$/.test(index) ? "mi" : "mtext";
    return `<msub>${head}<${tag}>${escape(index)}</${tag}></msub>`;
  }

  function writeNumber({ digits, exponent, unit }) {
    let parts = `<mn>${escape(digits)}</mn>`;
    if (exponent !== null) {
      const shown = `<mn>${Math.abs(exponent)}</mn>`;
      const power = exponent >= 0 ? shown : `<mrow><mo>−</mo>${shown}</mrow>`;
      parts += `<mo>·</mo><msup><mn>10</mn>${power}</msup>`;
    }
    if (unit) parts += `${space("thin")}<mtext>${words(unit)}</mtext>`;
    return exponent === null && !unit ? parts : `<mrow>${parts}</mrow>`;
  }

  /** An operator; its room is the browser's unless it stands tight or before what it belongs to. */
  function writeSign({ text, place }) {
    if (place === "before") return `<mo form="prefix">${escape(text)}</mo>`;
    if (place === "alone") return `<mi>${escape(text)}</mi>`;
    return `<mo${place === "tight" ? TIGHT : ""}>${escape(text)}</mo>`;
  }

  function writeFenced({ left, inside, right, tall }) {
    const stretch = tall ? "" : ' stretchy="false"';
    const [opened, closed] = [`<mo form="prefix"${stretch}>`, `<mo form="postfix"${stretch}>`];
    return `<mrow>${opened}${escape(left)}</mo>${boxMathml(inside)}${closed}${escape(right)}</mo></mrow>`;
  }

  function writeFunction({ name, index, below }) {
    const head = `<mi>${escape(name)}</mi>`;
    if (below !== null) return `<munder>${head}${boxMathml(below)}</munder>`;
    return index ? `<msub>${head}<mn>${escape(index)}</mn></msub>` : head;
  }

  /** What stands inside the `<math>` of a line: a row for each piece, before which it may break. */
  function lineMathml(box) {
    const pieces = [[]];
    for (const part of flat(box)) {
      if (part.is === "over" || (part.is === "sign" && part.place === "between")) {
        if (pieces[pieces.length - 1].length > 0) pieces.push([]);
        pieces[pieces.length - 1].push(leading(part));
      } else {
        pieces[pieces.length - 1].push(boxMathml(part));
      }
    }
    return pieces.map((piece) => `<mrow>${piece.join("")}</mrow>`).join("");
  }

  const flat = (box) => (box.is === "row" ? box.parts.flatMap(flat) : [box]);

  /** A sign that begins a row; a browser would take it for one in front of a part. */
  const leading = (box) => (box.is === "over" ? boxMathml(box) : `<mo form="infix">${escape(box.text)}</mo>`);

  /** What stands inside `<math>`: of a formula, of a letter, of a printed number. */
  const mathml = (formula, options) => boxMathml(typeset(formula, options));
  const letterMathml = (name) => boxMathml(letter(name));
  const numberMathml = (text, unit) => boxMathml(number(text, unit));

  Object.assign(Workings, { boxMathml, letterMathml, lineMathml, mathml, numberMathml });
})();
