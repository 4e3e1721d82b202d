"use strict";
// Irrational values: intervals between two bounds, rounded down at the lower and up at the upper one.
// What is rational stays rational; what an interval cannot decide is an error, never a guess.

(() => {
  const { DoesNotEvaluate, absolute, bitLength, bound, order, rational, reduced, isqrt } = Workings;
  const { aligned, below, exact, precision, rounded, shift } = bound;
  const isInterval = (value) => value.low !== undefined;
  const interval = (low, high) => ({ low, high });

  function bounds(value) {
    if (isInterval(value)) return value;
    const ends = (n) => interval(rounded(n, 0, false), rounded(n, 0, true));
    return value.d === 1n ? ends(value.n) : divided(ends(value.n), ends(value.d));
  }

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
  const added = (a, b) => interval(bound.plus(a.low, b.low, false), bound.plus(a.high, b.high, true));

  function multiplied(a, b, bits = precision()) {
    const products = [a.low, a.high].flatMap((x) => [b.low, b.high].map((y) => ({ m: x.m * y.m, e: x.e + y.e })));
    const least = products.reduce((x, y) => (below(y, x) ? y : x));
    const most = products.reduce((x, y) => (below(x, y) ? y : x));
    return interval(rounded(least.m, least.e, false, bits), rounded(most.m, most.e, true, bits));
  }

  /** a / b, of a b that does not hold zero. */
  function divided(a, b, bits = precision()) {
    if (b.low.m < 0n) return divided(negated(a), negated(b), bits);
    const low = bound.over(a.low, a.low.m >= 0n ? b.high : b.low, false, bits);
    return interval(low, bound.over(a.high, a.high.m >= 0n ? b.low : b.high, true, bits));
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

  const log = (a, bits) => interval(bound.log(a.low, false, bits), bound.log(a.high, true, bits));

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
    // of a fraction near 1, such as (1 - k/E)^b, a short value
    if (bits * absolute(exponent.n) > most + bits) return irrationalPower(base, exponent);
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
    return interval(bound.exp(product.low, false), bound.exp(product.high, true));
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

  const rootOf = (a) => interval(bound.root(a.low, false), bound.root(a.high, true));

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
