"use strict";
// The filter of the symbols: rows stay whose letter begins as is typed, or whose words say it.
(() => {
  const field = document.querySelector(".filter");
  if (field === null) return;
  const box = field.querySelector("input");
  const count = field.querySelector("[role=status]");
  const rows = [...document.querySelectorAll(".symbols > div")].map((row) => ({
    row, letters: row.dataset.letters.split(" "), words: row.querySelector("dd").dataset.words.toLowerCase(),
  }));
  const says = ({ letters, words }, part) =>
    letters.some((letter) => letter.split("_")[0] === part || (part.length > 1 && letter.startsWith(part)))
    || (part.length > 1 && words.includes(part.toLowerCase()));
  const show = () => {
    const parts = box.value.trim().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const one of rows) {
      one.row.hidden = !parts.every((part) => says(one, part));
      left += one.row.hidden ? 0 : 1;
    }
    count.textContent = parts.length ? `${left} of ${rows.length} symbols` : "";
  };
  const reveal = () => {
    if (!document.getElementById(decodeURIComponent(location.hash.slice(1)))?.hidden) return;
    box.value = "";
    show();
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  };
  field.hidden = false;
  box.addEventListener("input", show);
  addEventListener("hashchange", reveal);
  if (box.value) show(); // a browser that comes back to the page keeps what was typed
})();
