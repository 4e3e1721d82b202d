"use strict";
// A page whose inputs are controls: what a reader sets is read, the program run, and every number that
// follows written anew. What is set stands in the address. Without this script the page is complete.

(() => {
  const stored = document.getElementById("program");
  if (stored === null) return;
  const program = { ...Workings.shared, ...JSON.parse(stored.textContent) }; // pages of a site share some
  Workings.tables = program.tables;
  const { fraction, order, rational } = Workings;
  const short = (key) => key.slice(key.indexOf(".") + 1);
  const inputs = new Map(program.inputs.map((input) => [input.key, { ...input, own: fraction(input.value) }]));
  const own = {};
  for (const [name, text] of Object.entries(program.given)) own[name] = fraction(text);
  const set = new Map(); // what differs from the page's own values: key to {text, value}

  const make = (name, attributes = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };

  // --- reading what is typed ----------------------------------------------------------------------

  const TYPED = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:_\d{3})+(?:\.\d+)?|\d{1,60}(?:\.\d{1,60})?|\.\d{1,60})([eE][+-]?\d{1,3})?(?![\d_,.])/;
  const SUFFIXES = { k: 1, K: 1, M: 2, G: 3, B: 3, T: 4 };

  const units = program.tables.units;
  const TIMES = { d: "day", second: "s", minute: "min", hour: "h", seconds: "s", minutes: "min", hours: "h", weeks: "week", months: "month", years: "year" };

  /** A unit as people type it, of a dimension: its scale, or nothing. */
  function scaleOf(text, dimension) {
    const [above, below, more] = text.split("/").map((name) => (Object.hasOwn(TIMES, name) ? TIMES[name] : name));
    if (more !== undefined || ![above, below].every((name) => name === undefined || Object.hasOwn(units, name))) return null;
    const top = units[above];
    if (below === undefined) return top[1] === dimension ? fraction(top[0]) : null;
    const foot = units[below];
    if (`${top[1]}/${foot[1]}` !== dimension) return null;
    const [a, b] = [fraction(top[0]), fraction(foot[0])];
    return rational(a.n * b.d, a.d * b.n);
  }

  /** What a text says of an input: {value}, or {wrong}, a sentence. */
  function read(input, text) {
    const found = text.trim().slice(0, 60);
    const kind = input.whole ? `a whole number${input.least ? " from 1" : ""}` : `a quantity in ${input.dimension.replace("currency", "USD")}`;
    const wrong = { wrong: `Found ${found === "" ? "nothing" : `“${found}”`}, expected ${kind}, such as ${input.example}.` };
    const match = TYPED.exec(found);
    if (match === null) return wrong;
    let value = decimal(match[1].replace(/[,_]/g, ""), Number((match[2] ?? "e0").slice(1)));
    const rest = found.slice(match[0].length).trim();
    if (rest !== "" && input.dimension === "1" && Object.hasOwn(SUFFIXES, rest)) {
      if (!input.thousand) return { wrong: `Found “${found}”, expected the number written out: ${rest} may stand for a power of 1,000 or of 1,024.` };
      value = rational(value.n * BigInt(input.thousand) ** BigInt(SUFFIXES[rest]), value.d);
    } else if (rest !== "" || input.dimension !== "1") {
      const scale = rest === "" ? null : scaleOf(rest, input.dimension);
      if (scale === null) return wrong;
      value = rational(value.n * scale.n, value.d * scale.d);
    }
    const nothing = value.n === 0n && input.least > 0;
    const large = input.whole && value.n > 10n ** 15n;
    const beyond = input.most !== null && value.n > value.d * BigInt(input.most);
    return nothing || large || beyond || (input.whole && value.d !== 1n) ? wrong : { value };
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

  // --- writing what follows -------------------------------------------------------------------------

  const places = new Map(); // by the number of a display: where it stands, and what Python wrote there
  for (const element of document.querySelectorAll("[data-live]")) {
    const number = Number(element.dataset.live);
    const place = { element, kind: program.displays[number].kind };
    if (place.kind === "in_numbers") place.steps = element.querySelector(".steps");
    if (place.kind === "bars") place.svg = element.querySelector("svg");
    if (!places.has(number)) places.set(number, []);
    places.get(number).push(place);
  }
  let last = null; // what stands at each display: before a change what Python wrote, at the page's own values

  /** MathML of checked parts, as nodes. */
  function math(inside, display) {
    const template = document.createElement("template");
    template.innerHTML = `<math${display ? ' display="block"' : ""}>${inside}</math>`;
    return template.content.firstChild;
  }

  function number(shown) {
    if (shown.number.includes("e")) return math(Workings.numberMathml(shown.number, shown.unit), false);
    const text = shown.unit === "1" ? shown.number : `${shown.number}\u00a0${shown.unit}`;
    return make("span", { class: "value" }, text);
  }

  /** The lines of a formula in numbers: sign, formula, and the text that is copied. */
  function linesOf({ worked, symbolic, head }) {
    const { shown, substituted, exactInputs } = worked;
    const value = Workings.literal(shown);
    const same = JSON.stringify(substituted.slice(0, 3)) === JSON.stringify(value.slice(0, 3));
    const lines = [[exactInputs ? "=" : "≈", substituted], [shown.exact ? "=" : "≈", value]];
    if (same) lines.shift();
    if (!symbolic && head !== "=") lines[0][0] = head;
    return lines;
  }

  function step(sign, formula) {
    const line = { is: "row", parts: [Workings.relation(sign), Workings.typeset(formula, { units: true })] };
    const shown = math(Workings.lineMathml(line), true);
    const made = make("div", { class: "step" }, make("div", { class: "formula" }, shown));
    made.dataset.text = `${sign} ${Workings.plain(formula)}`;
    made.dataset.tex = `&${Workings.boxLatex(line)}`;
    return made;
  }

  function write(place, display, found) {
    const { element } = place;
    element.classList.toggle("stays", found.stays === true);
    element.classList.toggle("fails", found.fails !== undefined);
    if (found.fails === undefined) element.removeAttribute("title");
    else if (place.kind !== "in_numbers") element.title = found.fails;
    if (found.stays) element.title = "As printed: for the page's own values";
    if (place.kind === "in_numbers") return numbers(place, display, found);
    if (place.kind === "bars") {
      if (found.bars) Workings.drawBars(place.svg, found.bars, program.bars);
      return undefined;
    }
    if (found.shown) element.replaceChildren(number(found.shown));
    else if (found.words !== undefined) element.textContent = found.words;
    else if (found.fails) element.textContent = found.applies ? "[no value]" : "[does not apply]";
    return undefined;
  }

  /** The lines below the letters; a first line without letters keeps what stands left of it. */
  function numbers({ steps }, display, found) {
    const first = steps.firstElementChild;
    for (const old of [...steps.children].slice(1)) old.remove();
    const left = first.querySelector(".left");
    if (found.fails) {
      const said = make("div", { class: "step failing" }, make("div", { class: "formula" }, found.fails));
      if (!display.symbolic) first.querySelector(".formula").replaceChildren();
      steps.append(said);
      return;
    }
    if (!found.worked) return;
    const title = steps.parentElement.querySelector(".title").lastChild;
    if (display.between && title.nodeType === Node.TEXT_NODE) { // why it need not be whole stands where it is not
      const bare = title.data.replace(` (${display.between})`, "");
      title.data = found.whole ? bare : bare.replace(/:(\s*)$/, ` (${display.between}):$1`);
    }
    const lines = linesOf({ worked: found.worked, symbolic: display.symbolic, head: display.head }).map((line) => step(...line));
    if (!display.symbolic) {
      first.querySelector(".formula").replaceWith(lines[0].querySelector(".formula"));
      first.className = lines[0].className;
      first.dataset.text = first.dataset.text.match(/^[^=≈<>]*/)[0] + lines[0].dataset.text; // after its left side
      first.dataset.tex = first.dataset.tex.match(/^[^&]*/)[0] + lines[0].dataset.tex;
      lines.shift();
    }
    if (left !== null) first.prepend(left);
    steps.append(...lines);
  }

  /** Whether two displays read the same, part for part. */
  function alike(a, b) {
    if (a === b || a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => alike(a[name], b[name]));
  }

  /** What every display shows at what is set. */
  function shownAt(given) {
    const run = new Workings.Run(program, given);
    return program.displays.map((display, place) => (places.has(place) ? run.display(display) : null));
  }

  let settled;

  /** Work the page out at what is set, and write what has changed: the time of the script, in ms. */
  function update() {
    const started = performance.now();
    const given = {};
    for (const [key, { value }] of set) given[short(key)] = value;
    const before = last ?? shownAt({});
    last = shownAt(given);
    const failing = new Set(last.flatMap((found) => found?.fails ?? []));
    last.forEach((found, place) => {
      if (alike(found, before[place])) return;
      for (const one of places.get(place)) write(one, program.displays[place], found);
    });
    say(failing);
    clearTimeout(settled);
    settled = setTimeout(() => dispatchEvent(new Event("resize")), 200); // what scrolls now is reached by keys
    return performance.now() - started;
  }

  // --- the controls -----------------------------------------------------------------------------

  const SECTIONS = { letters: "Letters", hardware: "Hardware", training: "Training", layout: "Layout", model: "Model" };
  const FEW = 8; // inputs that need no folding
  const fields = new Map();
  const status = make("p", { class: "status", role: "status" });
  const changed = make("p", { class: "set" });

  /** The stops of a slider: sensible values on a log axis, the page's own among them. */
  function stops(input) {
    const { own: value, dimension } = input;
    const found = [];
    const put = (n, d) => found.push(rational(BigInt(n), BigInt(d)));
    if (input.most === 1 && input.whole) [[0, 1], [1, 1]].forEach(([n, d]) => put(n, d));
    else if (input.most === 1) for (let n = 0; n <= 100; n += 1) put(n, 100);
    else if (dimension === "byte" && input.unit === "byte") [[0, 1], [1, 2], [1, 1], [2, 1], [4, 1], [8, 1]].forEach(([n, d]) => put(n, d));
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
      && (input.unit === "byte" || input.most === 1 || (one.n * value.d <= value.n * one.d * 64n && one.n * value.d * 64n >= value.n * one.d)));
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

  /** Put a text to an input. Says beside its field what is wrong, and then changes nothing. */
  function put(settings) {
    const before = new Map(set);
    const wrong = new Map();
    for (const [key, text] of settings) {
      const input = inputs.get(key);
      const found = read(input, text);
      if (found.wrong) wrong.set(key, found.wrong);
      else if (order(found.value, input.own) === 0) set.delete(key);
      else set.set(key, { text, value: found.value });
    }
    const missed = wrong.size ? null : broken();
    if (missed) wrong.set(settings.some(([key]) => key === missed[0]) ? missed[0] : settings[0][0], missed[1]);
    if (wrong.size) {
      set.clear();
      for (const [key, found] of before) set.set(key, found);
    }
    for (const [key] of settings) complain(key, wrong.get(key) ?? "");
    return wrong;
  }

  /** The first rule of the input that is not kept to: [key, sentence], or nothing. */
  function broken() {
    const given = { ...own };
    for (const [key, { value }] of set) given[short(key)] = value;
    const missed = Workings.broken(program, given);
    return missed && [missed[0], `${missed[0]}: ${missed[1]}.`];
  }

  function complain(key, sentence) {
    const field = fields.get(key);
    field.said.textContent = sentence;
    field.text.toggleAttribute("aria-invalid", sentence !== "");
    if (sentence !== "") field.text.setAttribute("aria-invalid", "true");
  }

  /** Show in every field what is set. */
  function refresh() {
    for (const [key, field] of fields) {
      const input = inputs.get(key);
      const value = set.get(key)?.value ?? input.own;
      const text = set.get(key)?.text ?? input.text;
      if (document.activeElement !== field.text) field.text.value = text;
      if (field.text.getAttribute("aria-invalid") !== "true") field.text.dataset.value = text;
      if (field.at?.value !== value) {
        field.at = { value, stop: nearest(field.stops, value) };
        field.slider.setAttribute("aria-valuetext", written(input, value));
      }
      field.slider.value = field.at.stop;
      field.row.classList.toggle("changed", set.has(key));
    }
    const said = [...set].map(([key, { text }]) => `${key} = ${text} (the page's own: ${inputs.get(key).text})`);
    changed.textContent = said.length ? `Worked at ${said.join("; ")}.` : "";
    changed.hidden = said.length === 0;
    document.documentElement.classList.toggle("set-otherwise", said.length > 0);
    reset.disabled = said.length === 0;
    presets.value = presetOf();
  }

  function say(failing) {
    const [first] = failing;
    const more = failing.size > 1 ? ` (and ${failing.size - 1} more)` : "";
    status.textContent = first === undefined
      ? (set.size ? "Numbers follow; words, and figures of published texts, stay as printed." : "")
      : `${first}${more}`;
    status.classList.toggle("fails", first !== undefined);
  }

  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; refresh(); update(); share(); });
  }

  // --- the address ------------------------------------------------------------------------------

  let pending;

  /** Put what is set into the address, once it has stayed for a moment: browsers refuse many changes a second. */
  function share() {
    clearTimeout(pending);
    pending = setTimeout(address, 150);
  }

  const anchor = () => location.hash.replace(/^#/, "").split("?")[0];

  function address() {
    const query = new URLSearchParams([...set].map(([key, { text }]) => [key, text])).toString();
    const wanted = query || location.hash.includes("?") ? `#${anchor()}${query ? `?${query}` : ""}` : location.hash;
    if (wanted !== location.hash) history.replaceState(null, "", wanted === "#" ? location.pathname + location.search : wanted);
  }

  /** What the address sets; what it cannot is said and left out. */
  function follow() {
    const [place, query] = location.hash.replace(/^#/, "").split("?");
    if (query === undefined) {
      if (set.size) address(); // a link of the page keeps what is set
      return;
    }
    const asked = [...new URLSearchParams(query)].filter(([key]) => inputs.has(key));
    set.clear();
    if (asked.length && put(asked).size) asked.forEach((one) => put([one]));
    refresh();
    update();
    document.getElementById(decodeURIComponent(place))?.scrollIntoView();
  }

  // --- building the panel -------------------------------------------------------------------------

  function control(input) {
    const id = `input-${input.key.replace(/[^a-z0-9]/gi, "-")}`;
    const list = stops(input);
    const text = make("input", { id, type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-said` });
    const slider = make("input", { type: "range", min: "0", max: `${list.length - 1}`, step: "1", "aria-label": `${input.meaning}, slider` });
    const said = make("p", { id: `${id}-said`, class: "said", role: "alert" });
    const label = make("label", { for: id }, input.meaning, " ", make("code", {}, input.key.replace(/^letters\./, "")));
    const row = make("div", { class: "input" }, label, text, slider, said);
    text.addEventListener("input", () => { if (put([[input.key, text.value]]).size === 0) soon(); });
    text.addEventListener("change", () => { if (text.getAttribute("aria-invalid") !== "true") soon(); });
    slider.addEventListener("input", () => {
      const value = written(input, list[Number(slider.value)]);
      if (put([[input.key, value]]).size === 0) { text.value = value; soon(); }
    });
    fields.set(input.key, { text, slider, said, row, stops: list });
    return row;
  }

  const reset = make("button", { type: "button" }, "The page's own values");
  reset.addEventListener("click", () => {
    set.clear();
    for (const key of fields.keys()) complain(key, "");
    soon();
  });
  const presets = make("select", { "aria-label": "Hardware preset" }, make("option", { value: "" }, "Hardware: the page's own"));
  for (const { id, name } of program.presets) presets.append(make("option", { value: id }, name));
  presets.addEventListener("change", () => {
    const chosen = program.presets.find(({ id }) => id === presets.value);
    const settings = chosen ? Object.entries(chosen.values) : [...inputs].filter(([key]) => key.startsWith("hardware.")).map(([key, { text }]) => [key, text]);
    if (put(settings).size === 0) soon();
  });
  const asked = program.presets.map(({ id, values }) => {
    return { id, values: Object.entries(values).map(([key, text]) => [key, read(inputs.get(key), text).value]) };
  });
  const presetOf = () => asked.find(({ values }) => values.every(([key, value]) => {
    return order(value, set.get(key)?.value ?? inputs.get(key).own) === 0;
  }))?.id ?? "";

  const groups = Object.entries(SECTIONS).map(([section, name]) => {
    const rows = [...inputs.values()].filter(({ key }) => key.startsWith(`${section}.`)).map(control);
    if (!rows.length) return "";
    const group = make("details", { class: "group" }, make("summary", {}, name), ...rows);
    group.open = section === "hardware" || section === "letters" || inputs.size <= FEW;
    return group;
  });
  const bar = make("details", { class: "panel" }, make("summary", {}, "Change the inputs"), status,
    make("div", { class: "presets" }, ...(program.presets.length ? [presets] : []), reset), ...groups);
  const panel = make("aside", { class: "inputs", "aria-label": "Inputs of this page" }, bar);
  const wide = matchMedia("(min-width: 80rem)");
  // A page may say below which heading its inputs are to stand; there they are open from the start.
  const home = document.getElementById(document.querySelector("main").dataset.inputs ?? "");
  const fold = () => { bar.open = wide.matches || home !== null; };
  wide.addEventListener("change", fold);
  fold();
  (home ?? document.querySelector("main")).after(panel);
  document.querySelector("main").prepend(changed);
  refresh();
  follow();
  addEventListener("hashchange", follow);
  (window.requestIdleCallback ?? setTimeout)(() => { last ??= shownAt({}); }); // so that the first change is as quick as any

  /** For who scripts the page: put settings at once. */
  Workings.set = (settings) => {
    set.clear();
    const wrong = put(Object.entries(settings));
    refresh();
    const time = update();
    share();
    return { time, wrong: Object.fromEntries(wrong) };
  };
})();
