"use strict";
// What a page does with a script that it does not need: copying, meanings on hover, all solutions at once.
(() => {
  const make = (name, words, inside = []) => {
    const made = document.createElement(name);
    made.textContent = words;
    made.append(...inside);
    return made;
  };

  const spoken = make("p", "");
  spoken.className = "away";
  spoken.setAttribute("role", "status");
  document.body.append(spoken);
  const copied = async (text, button) => {
    const words = button.dataset.words ??= button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    spoken.textContent = `${words}: ${button.textContent}`;
    setTimeout(() => { button.textContent = words; spoken.textContent = ""; }, 1500);
  };
  addEventListener("click", ({ target }) => {
    const button = target.closest("[data-copy=address]");
    if (button) copied(location.href, button);
  });

  const forms = {
    LaTeX: (block) => `\\begin{aligned}\n${lines(block, "tex").join(" \\\\\n")}\n\\end{aligned}`,
    "Plain text": (block) => lines(block, "text").join("\n"),
    Python: (block) => block.dataset.python,
  };
  const lines = (block, kind) => [...block.querySelectorAll(".step")].map((step) => step.dataset[kind]).filter(Boolean);

  for (const block of document.querySelectorAll(".equation")) {
    const menu = make("div", "");
    for (const [name, text] of Object.entries(forms)) {
      if (name === "Python" && !block.dataset.python) continue;
      const button = make("button", name);
      button.type = "button";
      button.addEventListener("click", () => copied(text(block), button));
      menu.append(button);
    }
    const number = block.querySelector(".number").textContent;
    const summary = make("summary", "Copy", [make("span", ` equation ${number}`)]);
    summary.lastChild.className = "away";
    const details = make("details", "", [summary, menu]);
    details.className = "copy";
    block.querySelector(".title").after(details);
  }
  const closed = (except) => {
    for (const open of document.querySelectorAll(".copy[open]")) if (open !== except) open.open = false;
  };
  addEventListener("click", (event) => closed(event.target.closest(".copy")));
  addEventListener("keydown", (event) => { if (event.key === "Escape") { closed(null); hide(); } });

  // A letter says what it means: those of its equation come before those of the page.
  const page = JSON.parse(document.getElementById("letters")?.textContent || "{}");
  const shown = make("div", "");
  shown.id = "meaning";
  shown.setAttribute("role", "tooltip");
  shown.hidden = true;
  document.body.append(shown);
  const hide = () => { shown.hidden = true; };
  const meaningOf = (letter) => {
    const scope = letter.closest("[data-letters]");
    const name = letter.dataset.was ?? letter.textContent; // what it is called in the page's own letters
    return (scope && JSON.parse(scope.dataset.letters)[name]) || page[name];
  };
  const show = (event) => {
    const token = event.target.closest?.("mi, mtext");
    const letter = token?.closest("msub") || token;
    const meaning = letter && (meaningOf(letter) || (!letter.dataset.was && meaningOf(token)));
    if (!meaning) return hide();
    shown.textContent = meaning;
    shown.hidden = false;
    const place = letter.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left), innerWidth - shown.offsetWidth - 8);
    const above = place.top - shown.offsetHeight - 6;
    shown.style.left = `${left + scrollX}px`;
    shown.style.top = `${(above < 4 ? place.bottom + 6 : above) + scrollY}px`;
  };
  addEventListener("pointerover", show);
  addEventListener("pointerdown", show);

  // Solutions open together, and for print; what scrolls can be reached by keys, what does not is passed by.
  const folded = [...document.querySelectorAll("details:not(.copy, .notation, .section, .section details)")];
  const unfolding = (what, folds) => {
    if (folds.length < 2) return;
    const all = make("button", `Open all ${what}`);
    all.type = "button";
    all.className = "all";
    all.addEventListener("click", () => {
      const open = [...folds].some((one) => !one.open);
      for (const one of folds) one.open = open;
      all.textContent = `${open ? "Close" : "Open"} all ${what}`;
    });
    document.querySelector("main").prepend(all);
  };
  unfolding("solutions", document.querySelectorAll("details.solution:not(.hint)"));
  unfolding("sections", document.querySelectorAll("details.section"));
  const reveal = () => {
    let wanted = null;
    try {
      wanted = document.getElementById(decodeURIComponent(location.hash.slice(1).split("?")[0])); // behind it stands what is set
    } catch { /* an address that nobody can read leads nowhere */ }
    if (!wanted) return;
    for (let one = wanted; one; one = one.parentElement) if (one.localName === "details") one.open = true;
    wanted.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => { for (const one of folded) one.open = true; });
  const reachable = () => {
    for (const one of document.querySelectorAll(".scroll, .formula")) {
      if (one.scrollWidth > one.clientWidth + 1) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reachable);
  addEventListener("toggle", reachable, true);
  reachable();
})();
