"use strict";
// What was worked out before: a rule, a figure, a derivation, a display at the same values gives the same again.

(() => {
  const MANY = 24; // outcomes that are kept of each: those of the page's own values, and of the last few changes
  const all = new WeakMap();

  /** Rationals by their value; anything else, such as an interval, by being the same object. */
  const alike = (a, b) => a === b || (a?.n !== undefined && a.n === b?.n && a.d === b.d);

  /** What comes of it: its result, or the NoValue that says why there is none. */
  function outcome(work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof Workings.NoValue) return error;
      throw error;
    }
  }

  /** A result, thrown where it is none. */
  function result(found) {
    if (found instanceof Workings.NoValue) throw found;
    return found;
  }

  /** What comes of a part of the program at these values, worked out unless it was at them lately. Throws a NoValue. */
  function kept(part, values, work) {
    let known = all.get(part);
    if (known === undefined) all.set(part, known = []);
    let place = known.findIndex((one) => values.every((value, at) => alike(value, one.values[at])));
    if (place < 0) place = known.push({ values, found: outcome(work) }) - 1;
    const [one] = place > 0 ? known.splice(place, 1) : known;
    if (place > 0) known.unshift(one);
    if (known.length > MANY) known.pop();
    return result(one.found);
  }

  Object.assign(Workings, { kept, outcome, result });
})();
