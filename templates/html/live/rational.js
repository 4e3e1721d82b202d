"use strict";
// Exact numbers. A rational is {n, d}: whole numbers, d above 0; what leaves the engine is reduced.
//
// Workings.tables holds what Python exports (units, limits); page.js sets it before anything is worked out.
const Workings = { tables: null };

(() => {
  /** Why something has no value here. No Error: nothing went wrong, and a trace of calls is slow to take. */
  class NoValue {
    constructor(message) {
      this.message = message;
    }
  }

  /** A missing letter, a division by zero, a range too long, an undecided order. */
  class DoesNotEvaluate extends NoValue {}

  const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
  const SMALL = 64; // bits of a denominator up to which reducing costs more than it saves

  const absolute = (a) => (a < 0n ? -a : a);

  /** The greatest common divisor; most steps are taken in machine numbers, which is ten times faster. */
  function gcd(a, b) {
    a = absolute(a);
    b = absolute(b);
    while (b > SAFE) [a, b] = [b, a % b];
    if (b === 0n) return a;
    let x = Number(b);
    let y = Number(a % b);
    while (y !== 0) [x, y] = [y, x % y];
    return BigInt(x);
  }

  function reduced(a) {
    if (a.d === 1n) return a;
    const common = gcd(a.n, a.d);
    return common === 1n ? a : { n: a.n / common, d: a.d / common };
  }

  /** Reduced only where the denominator has grown long: a value is reduced once, at its end. */
  const shortened = (a) => (BigInt.asUintN(SMALL, a.d) === a.d ? a : reduced(a));

  function rational(n, d = 1n) {
    return reduced(d < 0n ? { n: -n, d: -d } : { n, d });
  }

  const read = new Map();

  /** "3/2" as Python writes a Fraction; each text is read once. */
  function fraction(text) {
    let found = read.get(text);
    if (found === undefined) {
      const [above, below] = text.split("/");
      found = rational(BigInt(above), BigInt(below ?? "1"));
      read.set(text, found);
    }
    return found;
  }

  const fractionText = ({ n, d }) => (d === 1n ? `${n}` : `${n}/${d}`);

  /** 1, 0 or -1 as a is more than b, equal or less. */
  function order(a, b) {
    const left = a.n * b.d;
    const right = b.n * a.d;
    return left > right ? 1 : left < right ? -1 : 0;
  }

  const floor = (n, d) => (n >= 0n ? n / d : -((d - 1n - n) / d)); // BigInt division rounds towards zero
  const ceil = (n, d) => -floor(-n, d);

  /** How many binary digits a whole number has, without its sign. */
  function bitLength(a) {
    const digits = absolute(a).toString(16);
    return digits === "0" ? 0 : digits.length * 4 - Math.clz32(parseInt(digits[0], 16)) + 28;
  }

  /** The whole part of a square root. */
  function isqrt(a) {
    if (a < 2n) return a;
    let guess = 1n << BigInt((bitLength(a) + 1) >> 1); // not below the root, so the steps come down to it
    for (;;) {
      const next = (guess + a / guess) >> 1n;
      if (next >= guess) return guess;
      guess = next;
    }
  }

  const powers = [1n];

  /** 10 to a whole power from 0, each multiplied out once. */
  function pow10(exponent) {
    if (exponent > 500) return 10n ** BigInt(exponent);
    while (powers.length <= exponent) powers.push(powers[powers.length - 1] * 10n);
    return powers[exponent];
  }

  Object.assign(Workings, {
    DoesNotEvaluate, NoValue, absolute, bitLength, ceil, floor, fraction, fractionText, isqrt, order, pow10,
    rational, reduced, shortened,
  });
})();
