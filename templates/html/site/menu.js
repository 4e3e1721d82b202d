"use strict";
// On a narrow screen the ways of the site and its letters stand in a menu, so that the bar keeps to one line.
(() => {
  const bar = document.querySelector(".bar");
  const button = bar.querySelector(".menu");
  const open = (yes) => {
    bar.classList.toggle("open", yes);
    button.setAttribute("aria-expanded", String(yes));
  };
  bar.classList.add("folds"); // without this script the ways stand below each other
  button.hidden = false;
  button.addEventListener("click", () => open(!bar.classList.contains("open")));
  addEventListener("click", (event) => { if (!event.target.closest(".menu, #menu")) open(false); });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !bar.classList.contains("open")) return;
    if (event.target.closest("#menu")) button.focus();
    open(false);
  });
  bar.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !event.relatedTarget.closest(".menu, #menu")) open(false);
  });
})();
