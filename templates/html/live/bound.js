"use strict";
// The ends of intervals: binary numbers m * 2^e of PRECISION bits, every operation rounded down or up as
// is asked, as mpmath rounds them in Python. A logarithm or power is summed as a series of whole numbers
// with bits to spare, and moved outwards by more than what that cuts off.

(() => {
  const { absolute, bitLength, floor, rational, isqrt } = Workings;
  const GUARD = 30; // bits that a series is worked out with beyond those kept
  const ERROR = 4096n; // units of the last of those bits that cutting off each term stays below

  const precision = () => Workings.tables.figures.PRECISION;

  const shift = (m, by) => (by >= 0 ? m << BigInt(by) : m >> BigInt(-by)); // >> rounds down

  /** A bound of so many bits, not above (or, with `up`, not below) m * 2^e. */
  function rounded(m, e, up, bits = precision()) {
    const over = bitLength(m) - bits;
    if (over <= 0) return { m, e };
    return { m: up ? -shift(-m, -over) : shift(m, -over), e: e + over };
  }

  function aligned(a, b) {
    const e = Math.min(a.e, b.e);
    return [shift(a.m, a.e - e), shift(b.m, b.e - e), e];
  }

  function plusBound(a, b, up) {
    const [x, y, e] = aligned(a, b);
    return rounded(x + y, e, up);
  }

  function below(a, b) {
    const [x, y] = aligned(a, b);
    return x < y;
  }

  /** a / b with b above 0. */
  function overBound(a, b, up, bits = precision()) {
    const more = Math.max(0, bits + 2 + bitLength(b.m) - bitLength(a.m));
    const m = shift(a.m, more);
    return rounded(up ? -floor(-m, b.m) : floor(m, b.m), a.e - more - b.e, up, bits);
  }

  function rootBound(a, up) {
    let more = Math.max(0, 2 * (precision() + 2) - bitLength(a.m));
    if ((a.e - more) % 2 !== 0) more += 1;
    const m = shift(a.m, more);
    const whole = isqrt(m);
    return rounded(up && whole * whole !== m ? whole + 1n : whole, (a.e - more) / 2, up);
  }

  /** A bound as the rational that it is. */
  const exact = ({ m, e }) => (e >= 0 ? rational(m << BigInt(e)) : rational(m, 1n << BigInt(-e)));

  // Logarithm and exponential: whole numbers of units 2^-bits, summed as series ----------------------

  /** 2 artanh(a/b) = log((b + a)/(b - a)) in units of 2^-bits, of |a/b| below 1/2. */
  function artanh2(a, b, bits) {
    const z = (a << BigInt(bits + 1)) / b;
    const square = (a * a << BigInt(bits)) / (b * b);
    let total = 0n;
    for (let term = z, k = 1n; term !== 0n; term = (term * square) >> BigInt(bits), k += 2n) {
      if (term === -1n) break; // where rounding down stays for ever
      total += term / k;
    }
    return total;
  }

  const logsOf2 = new Map();

  function log2Fixed(bits) {
    if (!logsOf2.has(bits)) logsOf2.set(bits, artanh2(1n, 3n, bits));
    return logsOf2.get(bits);
  }

  /** The natural logarithm of a bound above 0. */
  function logBound({ m, e }, up, kept) {
    let power = e + bitLength(m);
    let one = 1n << BigInt(bitLength(m)); // m / one is from 1/2 to 1; nearer to 1 from 3/4 on
    if (4n * m < 3n * one) [one, power] = [one >> 1n, power - 1];
    if (m === one && power === 0) return { m: 0n, e: 0 };
    const near = power === 0 ? bitLength(one) - bitLength(absolute(m - one)) : 0; // what is small needs more
    const bits = kept + GUARD + near;
    const sum = artanh2(m - one, m + one, bits) + (power === 0 ? 0n : BigInt(power) * log2Fixed(bits));
    const error = ERROR * BigInt(1 + Math.abs(power));
    return rounded(up ? sum + error : sum - error, -bits, up, kept);
  }

  /** e to the power of a bound. */
  function expBound({ m, e }, up) {
    if (m === 0n) return { m: 1n, e: 0 };
    const bits = precision() + GUARD + Math.max(0, bitLength(m) + e);
    const scaled = shift(m, e + bits);
    const twos = floor(scaled, log2Fixed(bits)); // e^x = 2^twos * e^rest, rest from 0 to log 2
    const rest = scaled - twos * log2Fixed(bits);
    let sum = 0n;
    for (let term = 1n << BigInt(bits), k = 1n; term !== 0n; k += 1n) {
      sum += term;
      term = ((term * rest) >> BigInt(bits)) / k;
    }
    const error = ERROR * (1n + absolute(twos));
    return rounded(up ? sum + error : sum - error, Number(twos) - bits, up);
  }

  Workings.bound = { aligned, below, exact, exp: expBound, log: logBound, over: overBound, plus: plusBound, precision,
    root: rootBound, rounded, shift };
})();
