"use strict";
// Numbers as they are printed: rounded half away from zero, grouped, with a unit and its prefix.

(() => {
  const { absolute, floor, fraction, order, pow10, rational } = Workings;
  const ONE = "1"; // the dimension of a count
  const units = new Map();

  /** A unit by its text: {text, scale, dimension}, from the table that Python exports. */
  function unit(text) {
    if (!units.has(text)) {
      const [scale, dimension] = Workings.tables.units[text];
      units.set(text, { text, scale: fraction(scale), dimension });
    }
    return units.get(text);
  }

  /** The unit that a style writes a dimension in, or its base unit. */
  function unitFor(dimension, style) {
    if (dimension === ONE) return unit("1");
    const chosen = style.units.find((text) => unit(text).dimension === dimension);
    if (chosen !== undefined) return unit(chosen);
    return { text: dimension.replaceAll("currency", "USD"), scale: { n: 1n, d: 1n }, dimension };
  }

  /** n/d to so many decimals (negative: tens, hundreds…), half away from zero, as a whole number of them. */
  function roundAt({ n, d }, decimals) {
    const above = decimals >= 0 ? absolute(n) * pow10(decimals) : absolute(n);
    const below = decimals >= 0 ? d : d * pow10(-decimals);
    const found = (2n * above + below) / (2n * below);
    return n < 0n ? -found : found;
  }

  /** A whole number of 10^-decimals as a rational, not reduced. */
  function decimal(number, decimals) {
    return decimals >= 0 ? { n: number, d: pow10(decimals) } : { n: number * pow10(-decimals), d: 1n };
  }

  /** The power of ten of the leading digit. */
  function exponent10({ n, d }) {
    const above = absolute(n);
    const guess = `${above}`.length - `${d}`.length;
    const reaches = guess >= 0 ? above >= d * pow10(guess) : above * pow10(-guess) >= d;
    return reaches ? guess : guess - 1;
  }

  /** Rounded to significant figures, and the decimals that needs. */
  function roundSignificant(amount, digits) {
    if (amount.n === 0n) return [{ n: 0n, d: 1n }, 0];
    const exponent = exponent10(amount);
    const decimals = digits - 1 - exponent;
    const rounded = decimal(roundAt(amount, decimals), decimals);
    return [rounded, exponent10(rounded) > exponent ? decimals - 1 : decimals]; // 999.96 is 1,000
  }

  /** Digits with thousands commas. */
  function grouped(digits) {
    let found = digits.slice(-3);
    for (let end = digits.length - 3; end > 0; end -= 3) found = `${digits.slice(Math.max(0, end - 3), end)},${found}`;
    return found;
  }

  /** Fixed decimals with thousands commas. */
  function fixed(amount, decimals) {
    const scaled = roundAt(amount, decimals);
    const digits = `${absolute(scaled)}`.padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    const part = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
    return `${scaled < 0n ? "-" : ""}${grouped(whole)}${part}`;
  }

  /** Plain digits, or 1.44e16 where plain digits would be mostly zeros. */
  function decimalText(amount, decimals, digits) {
    const { PLAIN_FROM, PLAIN_UP_TO } = Workings.tables.figures;
    const exponent = amount.n === 0n ? 0 : exponent10(amount);
    if (exponent >= PLAIN_FROM && exponent < PLAIN_UP_TO) return fixed(amount, Math.max(decimals, 0));
    const { n, d } = amount;
    const mantissa = exponent >= 0 ? { n, d: d * pow10(exponent) } : { n: n * pow10(-exponent), d };
    return `${fixed(mantissa, digits - 1)}e${exponent}`;
  }

  const withoutTrailingZeros = (text) => text.replace(/(\.\d*?)0*(?=e|$)/, (_, part) => (part === "." ? "" : part));

  /** A value (a rational in base units) in a unit: {number, unit, value, exact}, `value` what the digits say. */
  function show(value, unitOrText, style) {
    const { WHOLE_DIGITS, PLAIN_UP_TO } = Workings.tables.figures;
    const { text, scale, dimension } = typeof unitOrText === "string" ? unit(unitOrText) : unitOrText;
    const amount = { n: value.n * scale.d, d: value.d * scale.n };
    const count = dimension === ONE;
    if (count && amount.n % amount.d === 0n && absolute(amount.n) < amount.d * pow10(WHOLE_DIGITS)) {
      const whole = amount.n / amount.d;
      return { number: `${whole < 0n ? "-" : ""}${grouped(`${absolute(whole)}`)}`, unit: text, value, exact: true };
    }
    let [rounded, decimals] = roundSignificant(amount, style.digits);
    if (absolute(amount.n) < amount.d * pow10(PLAIN_UP_TO)) { // from there on a power of ten
      const places = style.decimals ?? (count && decimals < 1 ? 1 : null);
      if (places !== null) [rounded, decimals] = [decimal(roundAt(amount, places), places), places];
    }
    const exact = order(rounded, amount) === 0;
    let number = decimalText(rounded, decimals, style.digits);
    if (exact && style.decimals === null) number = withoutTrailingZeros(number);
    const name = text === "byte" && rounded.n !== rounded.d ? "bytes" : text;
    return { number, unit: name, value: rational(rounded.n * scale.n, rounded.d * scale.d), exact };
  }

  /** The same with as many digits as it takes to stand on its own side of a limit. */
  function showBeside(value, limit, unitOrText, style) {
    let shown;
    for (let extra = 0; extra < Workings.tables.figures.MORE_BESIDE; extra += 1) {
      const decimals = style.decimals === null ? null : style.decimals + extra;
      shown = show(value, unitOrText, { ...style, digits: style.digits + extra, decimals });
      if (order(shown.value, limit) === order(value, limit)) break;
    }
    return shown;
  }

  /** A shown number as running text: 1.44 × 10^16 GB. */
  function shownText({ number, unit: name }) {
    const [mantissa, exponent] = number.split("e");
    const text = exponent === undefined ? mantissa : `${mantissa} × 10^${exponent}`;
    return name === "1" ? text : `${text} ${name}`;
  }

  Object.assign(Workings, { show, showBeside, shownText, unit, unitFor });
})();
