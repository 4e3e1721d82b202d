"use strict";
// What all pages of the site do: the search box with its list, and letters of another notation.
(() => {
  const root = document.documentElement.dataset.root;
  const MOST = 8, OTHERS = 5, LEAST = 0.3;
  const make = (name, attributes, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };

  // --- the search box ----------------------------------------------------------------------------

  const form = document.querySelector(".search");
  const box = form.querySelector("input");
  const list = document.getElementById("found");
  const status = document.getElementById("how-many");
  let index = null, loading = null, chosen = -1;

  // The index is a script, since pages from the file system may fetch nothing.
  const loaded = () => loading ||= new Promise((done) => {
    const script = make("script", { src: `${root}search.js` });
    script.addEventListener("load", () => { index = new Workings.Index(Workings.index); done(); });
    document.head.append(script);
  });

  const options = () => [...list.querySelectorAll("[role=option]")];
  const choose = (place) => {
    const all = options();
    chosen = all.length ? (place + all.length) % all.length : -1;
    all.forEach((one, at) => one.setAttribute("aria-selected", String(at === chosen)));
    if (chosen < 0) return box.removeAttribute("aria-activedescendant");
    box.setAttribute("aria-activedescendant", all[chosen].id);
    all[chosen].scrollIntoView({ block: "nearest" });
  };
  const shut = () => {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  };

  const option = ({ page }) => {
    const [title, path, where, said] = Workings.index.pages[page];
    return make("a", { role: "option", id: `found-${page}`, href: root + path, tabindex: "-1", "aria-selected": "false" },
      make("span", { class: "what" }, title), make("span", { class: "said" }, said), make("span", { class: "where" }, where));
  };
  const group = (words, found) => {
    if (!found.length) return [];
    return [make("div", { role: "group", "aria-label": words }, make("div", { class: "kind", "aria-hidden": "true" }, words), ...found.map(option))];
  };

  const show = async () => {
    await loaded();
    const question = box.value;
    if (!question.trim()) { status.textContent = ""; return shut(); }
    const { near, entries, others } = index.find(question);
    const formulas = near ? entries.slice(0, MOST) : entries.filter((one) => one.share >= LEAST / 2).slice(0, 3);
    const pages = others.filter((one) => one.share >= LEAST).slice(0, OTHERS);
    const groups = [group(near ? "Formulas" : "Formulas that are perhaps near", formulas), group("Other pages", pages)];
    if (pages.length && (!near || pages[0].share > 1.2 * formulas[0].share)) groups.reverse();
    list.replaceChildren(...groups.flat());
    const count = formulas.length + pages.length;
    if (!count) list.append(make("p", { class: "none" }, "Nothing here is about that. Try fewer words, or the chapters."));
    status.textContent = count ? `${count} results` : "No results";
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    choose(count ? 0 : -1);
  };

  form.hidden = false;
  box.addEventListener("focus", loaded, { once: true });
  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { shut(); return; }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) show();
      else choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (list.hidden || !options().length) await show();
    options()[Math.max(chosen, 0)]?.click();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
  addEventListener("click", (event) => { if (!event.target.closest(".search")) shut(); });
  for (const asked of document.querySelectorAll("[data-ask]")) {
    asked.addEventListener("click", (event) => {
      event.stopPropagation();
      box.value = asked.dataset.ask;
      box.focus();
      show();
    });
  }

  // --- notation ----------------------------------------------------------------------------------

  const stored = { get: () => { try { return localStorage.getItem("notation") || ""; } catch { return ""; } },
    set: (name) => { try { localStorage.setItem("notation", name); } catch { /* kept for this page only */ } } };
  const select = document.querySelector(".letters select");
  const data = document.getElementById("notations");
  const letters = data ? JSON.parse(data.textContent) : {};
  const originals = new Map();
  const made = (text) => {
    const math = new DOMParser().parseFromString(`<math xmlns="http://www.w3.org/1998/Math/MathML">${text}</math>`, "application/xml");
    return document.importNode(math.documentElement.firstChild, true);
  };
  const named = (node) => node.localName === "msub" && node.children.length === 2 && !node.children[0].children.length
    ? `${node.children[0].textContent}_${node.children[1].textContent}` : node.textContent;
  // The entry that a formula is of: the page's, or the one that its item of a list leads to.
  const entryOf = (math) => math.closest("[data-entry]")?.dataset.entry
    ?? math.closest("li")?.querySelector("a[href*='entries/']")?.getAttribute("href").replace(/^.*entries\/|\.html.*$/g, "");
  const written = (scope, table) => {
    for (const math of scope.querySelectorAll("math")) {
      const known = new Map(Object.entries(table[entryOf(math)] || {}));
      if (!known.size) continue;
      for (const node of math.querySelectorAll("msub, mi")) {
        if (!node.isConnected || (node.localName === "mi" && node.parentNode.localName === "msub")) continue;
        const other = known.get(named(node));
        if (!other) continue;
        const fresh = made(other);
        originals.set(fresh, node);
        node.replaceWith(fresh);
      }
    }
  };
  const back = () => {
    for (const [fresh, node] of originals) if (fresh.isConnected) fresh.replaceWith(node);
    originals.clear();
  };
  const main = document.querySelector("main");
  let watch = null;
  const write = (name) => {
    watch?.disconnect();
    back();
    const table = letters[name];
    if (table) {
      written(main, table);
      watch ||= new MutationObserver(() => write(select.value));
      watch.observe(main, { childList: true, subtree: true });
    }
    document.querySelector(".letters").classList.toggle("changed", Boolean(table));
  };
  document.querySelector(".letters").hidden = data === null; // where no formula has other letters
  select.value = [...select.options].some((one) => one.value === stored.get()) ? stored.get() : "";
  select.addEventListener("change", () => { stored.set(select.value); write(select.value); });
  if (select.value) write(select.value);
})();
