"use strict";
// A page whose inputs are controls: what a reader sets is read, the program run, and every number that
// follows written anew. What is set stands in the address. Without this script the page is complete.

(() => {
  const stored = document.getElementById("program");
  if (stored === null) return;
  const program = { ...Workings.shared, ...JSON.parse(stored.textContent) }; // pages of a site share some
  Workings.tables = program.tables;
  const { fraction, nearest, order, read, stops, written } = Workings;
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

  // --- writing what follows -------------------------------------------------------------------------

  const places = new Map(); // by the number of a display: where it stands, and what Python wrote there
  for (const element of document.querySelectorAll("[data-live]")) {
    const number = Number(element.dataset.live);
    const place = { element, kind: program.displays[number].kind };
    if (place.kind === "in_numbers") {
      place.steps = element.querySelector(".steps");
      const { text, tex } = place.steps.firstElementChild.dataset; // what stands left of the first line, as it is copied
      place.before = { text: text.match(/^[^=≈<>]*/)[0], tex: tex.match(/^[^&]*/)[0] };
      place.python = element.dataset.python;
      const { letters } = program.nodes[program.displays[number].node];
      place.worked = Object.values(letters).some((source) => program.sources[source][0] === "whole");
    }
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
    else if (place.kind !== "in_numbers") element.title = plainly(saidOf(found));
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
  function numbers({ steps, before }, display, found) {
    const first = steps.firstElementChild;
    for (const old of [...steps.children].slice(1)) old.remove();
    const left = first.querySelector(".left");
    if (found.fails) {
      const said = make("div", { class: "step failing" }, make("div", { class: "formula" }, ...nodes(saidOf(found))));
      said.dataset.text = found.fails;
      said.dataset.tex = `${display.symbolic ? "" : before.tex}&\\text{${found.applies ? "no value" : "does not apply"} here}`;
      if (!display.symbolic) {
        first.querySelector(".formula").replaceChildren();
        for (const kind of ["text", "tex"]) delete first.dataset[kind];
      }
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
      for (const kind of ["text", "tex"]) first.dataset[kind] = before[kind] + lines[0].dataset[kind];
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

  /** Put into every formula in numbers what Python is asked for it at what is set. */
  function calls() {
    const over = {};
    for (const [key, { text }] of set) over[key] = text;
    for (const { element, python, worked } of [...places.values()].flat()) {
      if (!python) continue;
      const aside = worked && set.size ? "# a setting that the page works out is given as it is at the page's own values\n" : "";
      element.dataset.python = aside + Workings.callAt(python, over);
    }
  }
  addEventListener("click", ({ target }) => { if (target.closest(".copy")) calls(); }, true); // before it is copied

  let settled;

  /** Work the page out at what is set, and write what has changed: the time of the script, in ms. */
  function update() {
    const started = performance.now();
    const given = {};
    for (const [key, { value }] of set) given[short(key)] = value;
    const before = last ?? shownAt({});
    last = shownAt(given);
    failing = new Set(new Map(last.filter((found) => found?.fails).map((found) => [found.fails, found])).values());
    last.forEach((found, place) => {
      if (alike(found, before[place])) return;
      for (const one of places.get(place)) write(one, program.displays[place], found);
    });
    tell();
    clearTimeout(settled);
    settled = setTimeout(() => dispatchEvent(new Event("resize")), 200); // what scrolls now is reached by keys
    return performance.now() - started;
  }

  // --- the controls -----------------------------------------------------------------------------

  const SECTIONS = { letters: "Letters", hardware: "Hardware", training: "Training", layout: "Layout", model: "Model" };
  const FEW = 8; // inputs that need no folding
  const fields = new Map();
  const wrongs = new Map(); // what stands in fields and cannot be used, by key
  let strange = []; // what of the address changes nothing, a sentence each
  let failing = new Set(); // displays without a value, each reason once
  const WORDS = "Words marked † were written at the page's own values; only numbers follow.";
  const status = make("p", { class: "status", role: "status" });
  const changed = make("div", { class: "set" });

  /** Put texts to inputs. Says beside their fields what is wrong, and then changes nothing. */
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
    for (const [key, text] of settings) complain(key, text, wrong.get(key));
    return wrong;
  }

  /** Put texts to inputs, and with them what is mended by them elsewhere. */
  function take(settings) {
    const wrong = put(settings);
    if (wrong.size) tell();
    else {
      for (const [key, text] of [...wrongs]) put([[key, text]]);
      soon();
    }
  }

  /** The page's own values again, in every field. */
  function restore() {
    set.clear();
    strange = [];
    for (const key of fields.keys()) complain(key);
  }

  /** The first rule of the input that is not kept to: [key, sentence], or nothing. */
  function broken() {
    const given = { ...own };
    for (const [key, { value }] of set) given[short(key)] = value;
    const missed = Workings.broken(program, given);
    return missed && [missed[0], `${missed[0]}: ${missed[1]}.`];
  }

  /** A sentence of Python's with the words of the controls in place of their keys. */
  const inWords = (sentence) => sentence.replace(/\b[a-z]+\.[a-z_]\w*/g, (key) => inputs.get(key)?.meaning ?? key);

  function complain(key, text, sentence = "") {
    const { said, text: field } = fields.get(key);
    said.textContent = inWords(sentence);
    if (sentence === "") {
      wrongs.delete(key);
      field.removeAttribute("aria-invalid");
    } else {
      wrongs.set(key, text);
      field.setAttribute("aria-invalid", "true");
    }
  }

  /** Show in every field what is set. */
  function refresh() {
    for (const [key, field] of fields) {
      const input = inputs.get(key);
      const value = set.get(key)?.value ?? input.own;
      const text = wrongs.get(key) ?? set.get(key)?.text ?? input.text;
      if (document.activeElement !== field.text) field.text.value = text;
      if (!wrongs.has(key)) field.text.dataset.value = text;
      if (field.at?.value !== value) {
        field.at = { value, stop: nearest(field.stops, value) };
        field.slider.setAttribute("aria-valuetext", written(input, value));
      }
      field.slider.value = field.at.stop;
      field.row.classList.toggle("changed", set.has(key));
    }
    presets.value = presetOf();
  }

  /** Words with formulas among them, as nodes and as plain text. */
  const nodes = (said) => said.map((part) => (typeof part === "string" ? part : math(Workings.mathml(part.formula, { units: true, inline: true }), false)));
  const saidOf = (found) => found.said ?? [inWords(found.fails)];
  const plainly = (said) => said.map((part) => (typeof part === "string" ? part : Workings.plain(part.formula))).join("");

  const label = (key) => make("span", { title: key }, inputs.get(key).meaning);
  const listed = (parts, between) => parts.flatMap((part, place) => (place ? [between, ...part] : part));

  /** Say above the text what is set, what cannot be, and what that means for the words. */
  function tell() {
    const lines = [];
    if (set.size) {
      const parts = [...set].map(([key, { text }]) => [label(key), ` = ${text} (the page's own: ${inputs.get(key).text})`]);
      lines.push(make("p", {}, "Worked at ", ...listed(parts, "; "), "."));
      lines.push(make("p", {}, WORDS));
    }
    for (const [key, text] of wrongs) {
      lines.push(make("p", { class: "wrong" }, label(key), `: “${text.trim().slice(0, 60)}” cannot be used, so that the numbers are not what is asked for: they stay as they were.`));
    }
    for (const sentence of strange) lines.push(make("p", { class: "wrong" }, sentence));
    changed.replaceChildren(...lines);
    changed.hidden = reset.disabled = lines.length === 0;
    const { classList } = document.documentElement;
    classList.toggle("unread", wrongs.size > 0);
    if (classList.contains("set-otherwise") !== set.size > 0) {
      classList.toggle("set-otherwise");
      for (const one of document.querySelectorAll(".written")) one.title = set.size ? "Written at the page's own values" : "";
    }
    say();
  }

  let spoken = "";

  /** Say beside the controls the first thing that is to be known. */
  function say() {
    const [first] = failing;
    const more = failing.size > 1 ? ` (And ${failing.size - 1} more.)` : "";
    const said = wrongs.size ? ["What is typed cannot be used: the numbers stay as they were."]
      : first ? [...saidOf(first), more] : [set.size ? `Numbers follow. ${WORDS}` : ""];
    const now = plainly(said);
    status.classList.toggle("fails", wrongs.size > 0 || first !== undefined);
    if (now === spoken) return;
    spoken = now;
    status.replaceChildren(...nodes(said));
    if (first && !wrongs.size) status.append(" ", ...where(first));
  }

  /** A link to the equation, table or figure where this stands. */
  function where(found) {
    const [{ element }] = places.get(last.indexOf(found));
    const holder = element.closest("main [id]");
    const called = holder?.querySelector(".number")?.textContent ?? "Where";
    return holder ? [make("a", { href: `#${holder.id}` }, called.replace(/\.$/, ""))] : [];
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
    const query = location.hash.split("?")[1];
    if (query === undefined) {
      if (set.size) address(); // a link of the page keeps what is set
      return;
    }
    restore();
    const asked = new Map();
    for (const [key, text] of new URLSearchParams(query)) {
      if (asked.has(key)) strange.push(`The address sets ${key} twice: the first counts.`);
      else if (inputs.has(key)) asked.set(key, text);
      else strange.push(`The address sets “${key.slice(0, 60)}”, which is no input of this page: it changes nothing.`);
    }
    if (asked.size && put([...asked]).size) for (const one of asked) put([one]);
    for (const one of [...wrongs]) put([one]); // one may need another
    refresh();
    update();
    for (const key of [...set.keys(), ...wrongs.keys()]) fields.get(key).row.closest(".group").open = true;
  }

  // --- building the panel -------------------------------------------------------------------------

  function control(input) {
    const id = `input-${input.key.replace(/[^a-z0-9]/gi, "-")}`;
    const list = stops(input);
    const text = make("input", { id, type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-said` });
    const slider = make("input", { type: "range", min: "0", max: `${list.length - 1}`, step: "1", "aria-label": `${input.meaning}, slider` });
    const said = make("p", { id: `${id}-said`, class: "said", role: "alert" });
    const label = make("label", { for: id }, input.meaning, " ", make("code", {}, input.key.replace(/^letters\./, "")));
    const row = make("div", { class: "input", "data-own": `the page's own: ${input.text}` }, label, text, slider, said);
    text.addEventListener("input", () => take([[input.key, text.value]]));
    text.addEventListener("change", () => { if (text.getAttribute("aria-invalid") !== "true") soon(); });
    slider.addEventListener("input", () => {
      const value = written(input, list[Number(slider.value)]);
      take([[input.key, value]]);
      text.value = value;
    });
    fields.set(input.key, { text, slider, said, row, stops: list });
    return row;
  }

  const reset = make("button", { type: "button" }, "The page's own values");
  reset.addEventListener("click", () => { restore(); soon(); });
  const link = make("button", { type: "button", "data-copy": "address" }, "Copy link");
  link.addEventListener("click", address); // before it is copied
  const presets = make("select", { "aria-label": "Hardware preset" }, make("option", { value: "" }, "Hardware: the page's own"));
  for (const { id, name } of program.presets) presets.append(make("option", { value: id }, name));
  presets.addEventListener("change", () => {
    const chosen = program.presets.find(({ id }) => id === presets.value);
    const settings = chosen ? Object.entries(chosen.values) : [...inputs].filter(([key]) => key.startsWith("hardware.")).map(([key, { text }]) => [key, text]);
    take(settings);
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
    make("div", { class: "presets" }, ...(program.presets.length ? [presets] : []), reset, link), ...groups);
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
    restore();
    const wrong = put(Object.entries(settings));
    refresh();
    const time = update();
    share();
    return { time, wrong: Object.fromEntries(wrong), failing: [...failing].map(({ fails }) => fails) };
  };
})();
