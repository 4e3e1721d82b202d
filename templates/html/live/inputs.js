"use strict";
// What a field takes: texts as people type them as exact values, back to texts, and the stops of a slider.

(() => {
  const { fraction, order, rational } = Workings;

  const TYPED = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:_\d{3})+(?:\.\d+)?|\d{1,60}(?:\.\d{1,60})?|\.\d{1,60})([eE][+-]?\d{1,3})?(?![\d_,.])/;
  const SUFFIXES = { k: 1, K: 1, M: 2, G: 3, B: 3, T: 4 };

  const TIMES = { d: "day", second: "s", minute: "min", hour: "h", seconds: "s", minutes: "min", hours: "h", weeks: "week", months: "month", years: "year" };

  /** A unit as people type it, of a dimension: its scale, or nothing. */
  function scaleOf(text, dimension) {
    const { units } = Workings.tables;
    const [above, below, more] = text.split("/").map((name) => (Object.hasOwn(TIMES, name) ? TIMES[name] : name));
    if (more !== undefined || ![above, below].every((name) => name === undefined || Object.hasOwn(units, name))) return null;
    const top = units[above];
    if (below === undefined) return top[1] === dimension ? fraction(top[0]) : null;
    const foot = units[below];
    if (`${top[1]}/${foot[1]}` !== dimension) return null;
    const [a, b] = [fraction(top[0]), fraction(foot[0])];
    return rational(a.n * b.d, a.d * b.n);
  }

  /** What an input takes, in words. */
  function kind(input) {
    if (input.dimension !== "1") return "a number with its unit";
    if (input.most === 1) return input.whole ? "0 or 1" : "a number from 0 to 1";
    return input.whole ? `a whole number from ${input.least} to 10^15` : "a number";
  }

  /** The unit in which a bare number comes nearest to what the page has. */
  function likely(input, value) {
    const base = Workings.unitFor(input.dimension, { units: [] }).text;
    const far = (unit) => {
      const scale = scaleOf(unit, input.dimension);
      if (scale === null || input.own.n === 0n || value.n === 0n) return Infinity;
      const times = Workings.double(rational(value.n * scale.n * input.own.d, value.d * scale.d * input.own.n));
      return Math.max(times, 1 / times);
    };
    return [input.unit, ...input.units, base].reduce((best, unit) => (far(unit) < far(best) ? unit : best));
  }

  /** What a text says of an input: {value}, or {wrong}, a sentence. */
  function read(input, text) {
    const found = text.trim().slice(0, 60);
    const instead = (expected) => ({ wrong: `Found ${found === "" ? "nothing" : `“${found}”`}, expected ${expected}, such as ${input.text}.` });
    const match = TYPED.exec(found);
    if (match === null) return instead(kind(input));
    let value = decimal(match[1].replace(/[,_]/g, ""), Number((match[2] ?? "e0").slice(1)));
    const rest = found.slice(match[0].length).trim();
    if (rest !== "" && input.dimension === "1" && Object.hasOwn(SUFFIXES, rest)) {
      if (!input.thousand) return { wrong: `Found “${found}”, expected the number written out: ${rest} may stand for a power of 1,000 or of 1,024.` };
      value = rational(value.n * BigInt(input.thousand) ** BigInt(SUFFIXES[rest]), value.d);
    } else if (input.dimension !== "1") {
      if (rest === "") return { wrong: `${found} needs a unit: write ${found} ${likely(input, value)}.` };
      const scale = scaleOf(rest, input.dimension);
      if (scale === null) return instead(kind(input));
      value = rational(value.n * scale.n, value.d * scale.d);
    } else if (rest !== "") {
      return instead(kind(input));
    }
    if (value.n === 0n && input.least > 0) return instead(input.whole ? kind(input) : "more than 0");
    const large = input.whole && value.n > 10n ** 15n;
    const beyond = input.most !== null && value.n > value.d * BigInt(input.most);
    return large || beyond || (input.whole && value.d !== 1n) ? instead(kind(input)) : { value };
  }

  function decimal(mantissa, exponent) {
    const [whole, part = ""] = mantissa.split(".");
    const power = exponent - part.length;
    const digits = BigInt(`${whole}${part}` || "0");
    return power >= 0 ? rational(digits * 10n ** BigInt(power), 1n) : rational(digits, 10n ** BigInt(-power));
  }

  /** A value of an input as text: in its unit where that is short, else in base units. */
  function written(input, value) {
    const chosen = input.units.find((unit) => order(value, Workings.unit(unit).scale) >= 0) ?? input.unit;
    return Workings.shownText(Workings.show(value, chosen, { units: [], digits: 30, decimals: null }));
  }

  /** The stops of a slider: sensible values on a log axis, the page's own among them. */
  function stops(input) {
    const { own: value, dimension } = input;
    const found = [];
    const put = (n, d) => found.push(rational(BigInt(n), BigInt(d)));
    if (input.most === 1 && input.whole) [[0, 1], [1, 1]].forEach(([n, d]) => put(n, d));
    else if (input.most === 1) for (let n = 0; n <= 100; n += 1) put(n, 100);
    else if (dimension === "byte" && input.unit === "byte") [[0, 1], [1, 2], [1, 1], [2, 1], [4, 1], [8, 1]].forEach(([n, d]) => put(n, d));
    else if (input.whole && value.n === 0n) for (let n = 0; n <= 8; n += 1) put(n, 1);
    else if (input.whole) {
      const binary = value.n % 16n === 0n || (value.n & (value.n - 1n)) === 0n;
      const most = value.n * 256n;
      if (binary) for (let n = 1n; n <= most; n *= 2n) { put(n, 1); if (n > 1n) put((3n * n) / 2n, 1); }
      else for (let power = 1n; power <= most; power *= 10n) for (let n = 10n; n < 100n; n += n < 40n ? 1n : 2n) if ((n * power) % 10n === 0n) put((n * power) / 10n, 1);
      if (binary) { for (const start of factors(value.n)) for (let n = start; n <= most; n *= 2n) if (n > 0n) put(n, 1); }
    } else {
      const least = rational(value.n, value.d * 50n);
      let power = rational(1n, 10n ** 30n);
      while (order(rational(power.n * 10n, power.d), least) <= 0) power = rational(power.n * 10n, power.d);
      for (let decade = 0; decade < 4; decade += 1, power = rational(power.n * 10n, power.d)) {
        for (let n = 10n; n < 100n; n += n < 20n ? 1n : n < 50n ? 2n : 5n) found.push(rational(power.n * n, power.d * 10n));
      }
    }
    found.push(value);
    const within = found.filter((one) => (input.least ? one.n > 0n : one.n >= 0n)
      && (input.unit === "byte" || input.most === 1 || value.n === 0n || (one.n * value.d <= value.n * one.d * 64n && one.n * value.d * 64n >= value.n * one.d)));
    within.sort(order);
    return within.filter((one, place) => place === 0 || order(one, within[place - 1]) !== 0);
  }

  /** The odd part of a number, from which it grows by doubling. */
  function factors(n) {
    let odd = n;
    while (odd > 0n && odd % 2n === 0n) odd /= 2n;
    return [odd];
  }

  function nearest(list, value) {
    let best = 0;
    list.forEach((one, place) => { if (order(one, value) <= 0) best = place; });
    return best;
  }

  const typed = (texts) => Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`).join(", ");

  /** A call of Python at other inputs: `at` names the page's scenario, or loads it with settings of its own. */
  function callAt(python, over) {
    if (Object.keys(over).length === 0) return python;
    const keys = {};
    const letters = {};
    for (const [key, text] of Object.entries(over)) (key.startsWith("letters.") ? letters : keys)[key.replace(/^letters\./, "")] = text;
    const call = python.replace(/(?<=\bset=\{)[^}]*/, (all) => {
      const own = JSON.parse(`{${all}}`);
      for (const name of Object.keys(own)) if (Object.hasOwn(letters, name)) own[name] = letters[name];
      return typed(own);
    });
    return call.replace(/\bat=(?:workings\.load_scenario\(("[^"]*"), (\{.*?\})\)|("[^"]*"))/, (all, loaded, own, named) => {
      const put = JSON.parse(own ?? "{}");
      for (const key of Object.keys(keys)) delete put[key.slice(key.indexOf(".") + 1)];
      return Object.keys(keys).length ? `at=workings.load_scenario(${loaded ?? named}, {${typed({ ...put, ...keys })}})` : all;
    });
  }

  Object.assign(Workings, { callAt, nearest, read, stops, written });
})();
