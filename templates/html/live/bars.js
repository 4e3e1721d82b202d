"use strict";
// A figure of bars, drawn anew: what stands in it is what `bars.svg` puts there, where `geometry.py` says.

(() => {
  const SVG = "http://www.w3.org/2000/svg";

  /** A length with two decimals, a tie to the even one, as Python writes it. */
  function mm(value) {
    const tie = Number.isInteger(value * 8) && !Number.isInteger(value * 4);
    if (!tie) return value.toFixed(2);
    const below = Math.floor(value * 100);
    return ((below % 2 === 0 ? below : below + 1) / 100).toFixed(2);
  }

  const make = (name, attributes, words) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (words !== undefined) made.textContent = words;
    return made;
  };

  const known = new WeakMap();

  /** The parts of a figure as Python drew it: what stands before its axis is drawn anew, what is behind stays. */
  function parts(svg) {
    if (!known.has(svg)) {
      const foot = svg.querySelector("line.line");
      const all = [...svg.children];
      const before = all.slice(0, all.indexOf(foot));
      const behind = all.slice(all.indexOf(foot));
      const legend = behind.filter((one) => one.localName === "rect");
      known.set(svg, {
        foot,
        ticks: before.filter((one) => one.matches("line.grid")).map((line) => line.nextElementSibling),
        rows: before.filter((one) => one.matches("text[text-anchor=end]")).map((label) => {
          const bar = label.nextElementSibling;
          return { label, y: bar.getAttribute("y"), height: bar.getAttribute("height") };
        }),
        colours: new Map(legend.map((one) => [one.nextElementSibling.textContent, one.getAttribute("class")])),
        mark: behind.find((one) => one.matches("line.mark")),
      });
    }
    return known.get(svg);
  }

  /** The pieces of a bar and what stands behind it. */
  function drawn(bar, { label, y, height }, colours, marks, { names, axis, letter, aside, inside }) {
    const found = [];
    const text = label.getAttribute("y");
    const several = bar.parts.filter((part) => part.name !== "").length > 1;
    let x = names;
    for (const part of bar.parts) {
      const width = part.share * axis;
      if (part.name !== "") {
        const place = { class: colours.get(part.name) ?? "c1", x: mm(x), y, width: mm(width), height };
        const rect = make("rect", place);
        rect.append(make("title", {}, `${part.name}: ${part.shown}`));
        found.push(rect);
        if (part.share > inside && several) {
          const middle = { class: "on", x: mm(x + width / 2), y: text, "text-anchor": "middle" };
          found.push(make("text", middle, part.shown));
        }
      }
      x += width;
    }
    for (const at of marks) if (x <= at && at <= x + aside + [...bar.total].length * letter) x = at;
    return [...found, make("text", { x: mm(x + aside), y: text }, bar.total)];
  }

  /** Draw a figure at other values, where `size` says how wide its columns are. */
  function drawBars(svg, figure, size) {
    const { foot, ticks, rows, colours, mark } = parts(svg);
    const marks = mark === undefined ? [] : [size.names + figure.mark * size.axis];
    svg.setAttribute("aria-label", figure.alternative);
    svg.querySelector("title").textContent = figure.alternative;
    figure.axis.forEach(([, text], place) => {
      ticks[place].textContent = place === figure.axis.length - 1 ? `${text} ${figure.unit}` : text;
    });
    figure.bars.forEach((bar, place) => {
      const { label } = rows[place];
      label.textContent = bar.name;
      const next = rows[place + 1]?.label ?? foot;
      while (label.nextElementSibling !== next) label.nextElementSibling.remove();
      label.after(...drawn(bar, rows[place], colours, marks, size));
    });
    if (mark !== undefined) {
      for (const key of ["x1", "x2"]) mark.setAttribute(key, mm(marks[0]));
      mark.previousElementSibling.setAttribute("x", mm(marks[0]));
      if (figure.limit !== null) {
        mark.previousElementSibling.textContent = figure.limit;
        mark.querySelector("title").textContent = figure.limit;
      }
    }
  }

  Object.assign(Workings, { drawBars });
})();
