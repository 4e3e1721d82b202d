"use strict";
// Irrational values: intervals whose two bounds are binary numbers m * 2^e of PRECISION bits, every
// operation rounded down at the lower end and up at the upper one, as mpmath's intervals are in Python.
// What is rational stays rational; what an interval cannot decide is an error, never a guess.

(() => {
  const { DoesNotEvaluate, absolute, bitLength, floor, isqrt, order, rational, reduced } = Workings;
  const GUARD = 30; // bits that a series is worked out with beyond those kept
  const ERROR = 4096n; // units of the last of those bits that cutting off each term stays below

  const precision = () => Workings.tables.figures.PRECISION;
  const isInterval = (value) => value.low !== undefined;
  const interval = (low, high) => ({ low, high });

  // Bounds: m * 2^e ---------------------------------------------------------------------------------

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

  function bounds(value) {
    if (isInterval(value)) return value;
    const ends = (n) => interval(rounded(n, 0, false), rounded(n, 0, true));
    return value.d === 1n ? ends(value.n) : divided(ends(value.n), ends(value.d));
  }

  const exact = ({ m, e }) => (e >= 0 ? rational(m << BigInt(e)) : rational(m, 1n << BigInt(-e)));

  /** The two rationals that a value lies between, itself where it is rational. */
  const ends = (value) => (isInterval(value) ? [exact(value.low), exact(value.high)] : [value, value]);

  /** A rational to print: the value itself, or the middle of its interval (half to even, as mpmath). */
  function middle(value) {
    if (!isInterval(value)) return reduced(value);
    const [x, y, e] = aligned(value.low, value.high);
    const over = bitLength(x + y) - precision();
    if (over <= 0) return exact({ m: x + y, e: e - 1 });
    const down = shift(x + y, -over);
    const rest = x + y - shift(down, over);
    const half = 1n << BigInt(over - 1);
    const up = rest > half || (rest === half && (down & 1n) === 1n);
    return exact({ m: up ? down + 1n : down, e: e - 1 + over });
  }

  // Intervals ---------------------------------------------------------------------------------------

  const negated = ({ low, high }) => interval({ m: -high.m, e: high.e }, { m: -low.m, e: low.e });
  const added = (a, b) => interval(plusBound(a.low, b.low, false), plusBound(a.high, b.high, true));

  function multiplied(a, b, bits = precision()) {
    const products = [a.low, a.high].flatMap((x) => [b.low, b.high].map((y) => ({ m: x.m * y.m, e: x.e + y.e })));
    const least = products.reduce((x, y) => (below(y, x) ? y : x));
    const most = products.reduce((x, y) => (below(x, y) ? y : x));
    return interval(rounded(least.m, least.e, false, bits), rounded(most.m, most.e, true, bits));
  }

  /** a / b, of a b that does not hold zero. */
  function divided(a, b, bits = precision()) {
    if (b.low.m < 0n) return divided(negated(a), negated(b), bits);
    const low = overBound(a.low, a.low.m >= 0n ? b.high : b.low, false, bits);
    return interval(low, overBound(a.high, a.high.m >= 0n ? b.low : b.high, true, bits));
  }

  function inverse(a) {
    if (a.low.m <= 0n && a.high.m >= 0n) {
      throw new DoesNotEvaluate(`division by a value that ${digits()} digits do not tell from zero`);
    }
    return divided(bounds({ n: 1n, d: 1n }), a);
  }

  const digits = () => Workings.tables.figures.DIGITS;

  /** An interval to a whole power, of bounds of one sign. */
  function wholePower(a, exponent, bits = precision()) {
    if (exponent < 0) return divided(bounds({ n: 1n, d: 1n }), wholePower(a, -exponent, bits + 20), bits);
    const [low, high] = [a.low, a.high].map(({ m, e }) => ({ m: m ** BigInt(exponent), e: e * exponent }));
    const [least, most] = below(high, low) ? [high, low] : [low, high];
    return interval(rounded(least.m, least.e, false, bits), rounded(most.m, most.e, true, bits));
  }

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

  const log = (a, bits) => interval(logBound(a.low, false, bits), logBound(a.high, true, bits));

  // Powers, roots and logarithms of values -----------------------------------------------------------

  const sign = (value) => order(value, { n: 0n, d: 1n });

  /** The base to the exponent; throws where it is not real, or too long. */
  function power(base, exponent) {
    if (isInterval(base) || isInterval(exponent)) return irrationalPower(base, exponent);
    if (base.n === 0n && exponent.n < 0n) throw new DoesNotEvaluate("division by zero");
    if (exponent.d === 2n) return power(root(base), { n: exponent.n, d: 1n });
    if (exponent.d !== 1n) return base.n === 0n ? base : irrationalPower(base, exponent);
    const bits = BigInt(Math.max(bitLength(base.n), bitLength(base.d)));
    const most = BigInt(Workings.tables.figures.MAX_BITS);
    if (bits * absolute(exponent.n) > most + bits) throw tooLong();
    const [above, under] = exponent.n < 0n ? [base.d, base.n] : [base.n, base.d];
    const times = absolute(exponent.n);
    return rational(above ** times, under ** times);
  }

  /** Whole powers and roots as such, others through the logarithm. */
  function boundsPower(base, exponent) {
    const at = exact(exponent.low);
    if (order(at, exact(exponent.high)) === 0) {
      if (at.d === 1n) return wholePower(base, Number(at.n));
      if (at.n === 1n && at.d === 2n) return rootOf(base);
    }
    const bits = precision() + 20;
    const product = multiplied(log(base, bits), exponent, bits);
    return interval(expBound(product.low, false), expBound(product.high, true));
  }

  const tooLong = () => new DoesNotEvaluate(`a power of more than ${Workings.tables.figures.MAX_BITS} bits`);

  /** A real power between bounds: of a positive base, or of any but zero to a whole number. */
  function irrationalPower(base, exponent) {
    const [low, high] = ends(base);
    const whole = !isInterval(exponent) && exponent.d === 1n;
    if (sign(low) <= 0 && !(whole && sign(high) < 0)) {
      throw new DoesNotEvaluate("a power of a value that is not positive");
    }
    const size = ({ n, d }) => Math.abs(bitLength(n) - bitLength(d)) + 1; // not below |log2|
    const bits = { n: BigInt(Math.max(size(low), size(high))), d: 1n };
    const most = { n: BigInt(Workings.tables.figures.MAX_BITS), d: 1n };
    for (const { n, d } of ends(exponent)) {
      if (order({ n: bits.n * absolute(n), d }, most) > 0) throw tooLong();
    }
    return boundsPower(bounds(base), bounds(exponent));
  }

  /** The square root. */
  function root(value) {
    if (isInterval(value)) {
      if (value.low.m < 0n) {
        throw new DoesNotEvaluate(`${digits()} digits do not tell whether a root is of 0 or more`);
      }
      return rootOf(value);
    }
    if (value.n < 0n) throw new DoesNotEvaluate("square root of a negative value");
    const [above, under] = [isqrt(value.n), isqrt(value.d)];
    if (above * above === value.n && under * under === value.d) return { n: above, d: under };
    return rootOf(bounds(value));
  }

  const rootOf = (a) => interval(rootBound(a.low, false), rootBound(a.high, true));

  /** The logarithm to base 2. */
  function log2(value) {
    if (isInterval(value)) {
      if (value.low.m <= 0n) {
        throw new DoesNotEvaluate(`${digits()} digits do not tell whether a logarithm is of more than 0`);
      }
    } else {
      if (value.n <= 0n) throw new DoesNotEvaluate("logarithm of a value that is not positive");
      const [large, small] = value.n > value.d ? [value.n, value.d] : [value.d, value.n];
      const places = bitLength(large) - 1;
      if (small === 1n && large === 1n << BigInt(places)) {
        return rational(BigInt(value.d === 1n ? places : -places));
      }
    }
    const two = bounds({ n: 2n, d: 1n });
    return divided(log(bounds(value), precision()), log(two, precision()));
  }

  Object.assign(Workings, { added, bounds, ends, inverse, isInterval, log2, middle, multiplied, negated, power, root });
})();
