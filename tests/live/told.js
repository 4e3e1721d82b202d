"use strict";
// What the page's functions make of cases that Python made, as text to compare.

/** A binary bound from the text of the rational that it is. */
function boundOf(text) {
  const { n, d } = Workings.fraction(text);
  return { m: n, e: 1 - Workings.bitLength(d) };
}

function valueOf(json) {
  if (typeof json === "string") return Workings.fraction(json);
  return { low: boundOf(json.interval[0]), high: boundOf(json.interval[1]) };
}

function jsonOf(value) {
  const ends = Workings.ends(value).map(Workings.fractionText);
  return Workings.isInterval(value) ? { interval: [...ends, Workings.fractionText(Workings.middle(value))] } : ends[0];
}

const valuesOf = (json) => Object.fromEntries(Object.entries(json).map(([name, value]) => [name, valueOf(value)]));

function shownJson(shown) {
  const { number, unit, value, exact } = shown;
  return [number, unit, Workings.fractionText(value), exact, Workings.shownText(shown)];
}

const TOLD = {
  evaluate: ([tree, values]) => jsonOf(Workings.evaluate(tree, valuesOf(values))),
  stops: (input) => Workings.stops({ ...input, own: Workings.fraction(input.value) }).map(Workings.fractionText),
  holds: ([given, values]) => Workings.givenHolds(given, valuesOf(values)),
  show: ([value, unit, style]) => shownJson(Workings.show(Workings.fraction(value), unit, style)),
  beside: ([value, limit, unit, style]) => {
    return shownJson(Workings.showBeside(Workings.fraction(value), Workings.fraction(limit), unit, style));
  },
  unitFor: ([dimension, style]) => Workings.unitFor(dimension, style).text,
  work: ([form, letters, result, unit, style]) => {
    const inputs = letters.map(([name, value, own]) => [name, Workings.fraction(value), own]);
    const found = Workings.work(form, inputs, valueOf(result), unit, style);
    return [shownJson(found.shown), found.inputs.map(([n, s]) => [n, shownJson(s)]), found.substituted, found.exactInputs];
  },
  mathml: ([tree, options]) => Workings.mathml(tree, options),
  line: ([tree, options]) => Workings.lineMathml(Workings.typeset(tree, options)),
  plain: ([tree, { units }]) => Workings.plain(tree, { units }),
  latex: ([tree, options]) => Workings.boxLatex(Workings.typeset(tree, options)),
  letter: (name) => Workings.letterMathml(name),
  number: ([text, unit]) => Workings.numberMathml(text, unit),
  kept: (calls) => {
    const part = {};
    let worked = 0;
    return calls.map((values) => {
      const found = Workings.outcome(() => Workings.kept(part, values.map(valueOf), () => {
        worked += 1;
        if (values.length === 0) throw new Workings.DoesNotEvaluate("of nothing");
        return values.join(" ");
      }));
      return [found.message ?? found, worked];
    });
  },
  conditions: ([conditions, values]) => Workings.checkConditions(conditions, valuesOf(values)) ?? "holds",
};

/** The outcome of each case: a text, or the sentence of its error. */
function told(kind, cases) {
  return cases.map((one) => {
    try {
      return TOLD[kind](one);
    } catch (error) {
      const ours = error instanceof Workings.DoesNotEvaluate || error instanceof Workings.DoesNotApply;
      return ours ? { error: error.message } : { crash: `${error.stack}` };
    }
  });
}
