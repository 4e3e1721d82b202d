"use strict";
// Letters of another notation: chosen above a page, kept from page to page, and in the address, so that a link
// shows its reader the same letters.
(() => {
  const bar = document.querySelector(".letters");
  const select = bar.querySelector("select");
  const data = document.getElementById("notations");
  if (data === null) return; // no formula of this page has other letters
  const letters = JSON.parse(data.textContent);
  const stored = { get: () => { try { return localStorage.getItem("notation") || ""; } catch { return ""; } },
    set: (name) => { try { localStorage.setItem("notation", name); } catch { /* kept for this page only */ } } };

  // --- a page in other letters -------------------------------------------------------------------

  const originals = new Map();
  const made = (text, was) => {
    const math = new DOMParser().parseFromString(`<math xmlns="http://www.w3.org/1998/Math/MathML">${text}</math>`, "application/xml");
    const node = document.importNode(math.documentElement.firstChild, true);
    node.setAttribute("data-was", was.textContent); // by this its meaning is looked up
    return node;
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
        const fresh = made(other, node);
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
    bar.classList.toggle("changed", Boolean(table));
  };

  // --- which letters -----------------------------------------------------------------------------

  const KEY = "letters";
  const known = (name) => [...select.options].some((one) => one.value === name);
  const share = () => {
    const query = new URLSearchParams(location.search);
    if (select.value) query.set(KEY, select.value);
    else query.delete(KEY);
    const search = query.toString();
    history.replaceState(null, "", `${location.pathname}${search ? `?${search}` : ""}${location.hash}`);
  };
  const wanted = new URLSearchParams(location.search).get(KEY);
  if (wanted !== null && !known(wanted)) {
    const said = document.createElement("p");
    said.className = "set";
    said.textContent = `The address asks for the letters “${wanted.slice(0, 60)}”, which this site does not have: the page stands in its own.`;
    main.prepend(said);
  } else if (wanted !== null) stored.set(wanted);
  for (const option of select.options) if (option.value && !letters[option.value]) option.textContent += " (here no others)";
  bar.hidden = false;
  select.value = wanted === null && known(stored.get()) ? stored.get() : known(wanted ?? "") ? wanted ?? "" : "";
  select.addEventListener("change", () => { stored.set(select.value); write(select.value); share(); });
  if (select.value) write(select.value);
  if ((wanted ?? "") !== select.value) share();
})();
