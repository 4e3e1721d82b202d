"use strict";
// The search box of every page, with the list of what is found: one row of it is chosen, by keys or by pointer.
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
    const { near, called, entries, others } = index.find(question);
    const formulas = near ? entries.slice(0, MOST) : entries.filter((one) => one.share >= LEAST / 2).slice(0, 3);
    const pages = others.filter((one) => one.share >= LEAST).slice(0, OTHERS);
    const groups = [group(near ? "Formulas" : "Formulas that are perhaps near", formulas), group("Other pages", pages)];
    if (pages.length && (called || !near || pages[0].share > 1.2 * formulas[0].share)) groups.reverse();
    list.replaceChildren(...groups.flat());
    const count = formulas.length + pages.length;
    if (!count) list.append(make("p", { class: "none" }, "Nothing here is about that. Try fewer words, or the chapters."));
    status.textContent = count ? `${count} results` : "No results";
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    choose(count ? 0 : -1);
    list.scrollTop = 0;
  };

  form.hidden = false;
  box.addEventListener("focus", loaded, { once: true });
  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { shut(); return; }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) show();
      else {
        choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
        options()[chosen]?.scrollIntoView({ block: "nearest" });
      }
    }
  });
  list.addEventListener("pointermove", (event) => {
    if (!event.movementX && !event.movementY) return; // the list moved under a pointer that rests
    const under = options().indexOf(event.target.closest("[role=option]"));
    if (under >= 0 && under !== chosen) choose(under);
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
})();
