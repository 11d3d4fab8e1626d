// Building blocks of charts: number formatting, axes, line charts and bar charts.
"use strict";
// The number of ranges; the number of bars shown at first, and at most.
const BINS = 12, ROWS = 15, MOST = 200;
// The size and margins of a chart with axes, in SVG units.
const CHART = { width: 640, height: 220, left: 64, right: 16, top: 12, bottom: 44 };

// An element of a drawing.
function draw(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) element.append(child);
  return element;
}
const several = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(1) + " %" : "–";
const seconds = s => s < 1e-3 ? (s * 1e6).toFixed(1) + " µs" : s < 1 ? (s * 1e3).toFixed(1) + " ms" : s.toFixed(1) + " s";
// The width of the bar labels: that of the longest. The style sheet caps it, so that bars keep some space.
const names = texts => `--name:${Math.max(6, ...texts.map(text => text.length)) + 1}ch`;
const sum = numbers => numbers.reduce((total, number) => total + number, 0);
// A number as a label: large and fractional numbers have three significant digits.
function short(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e6) return String(number);
  const rounded = Number(number.toPrecision(3)), size = Math.abs(rounded);
  return size >= 1e6 || size > 0 && size < 1e-3 ? rounded.toExponential().replace("e+", "e") : String(rounded);
}

// Round numbers from 0 to `most`, about four of them, for the ticks of an axis. Whole ones: tests and branches are counted.
function ticks(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most / 4, 1)));
  const step = Math.max(1, [1, 2, 5, 10].find(step => step * power * 4 >= most) * power);
  const all = [];
  for (let tick = 0; tick <= most; tick += step) all.push(tick);
  return all;
}

// A line through points, with axes: `across` and `up` say what they count.
function line(title, points, { across, up }, label) {
  const { width, height, left, right, top, bottom } = CHART;
  const mostAcross = Math.max(1, ...points.map(([x]) => x)), mostUp = Math.max(1, ...points.map(([, y]) => y));
  const x = value => (left + (width - left - right) * value / mostAcross).toFixed(1);
  const y = value => (height - bottom - (height - top - bottom) * value / mostUp).toFixed(1);
  const parts = [];
  for (const tick of ticks(mostUp)) parts.push(draw("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
    draw("text", { class: "tick up", x: left - 6, y: Number(y(tick)) + 4, "text-anchor": "end" }, short(tick)));
  for (const tick of ticks(mostAcross)) parts.push(draw("line", { class: "axis", x1: x(tick), x2: x(tick), y1: y(0), y2: Number(y(0)) + 5 }),
    draw("text", { class: "tick across", x: x(tick), y: Number(y(0)) + 18, "text-anchor": "middle" }, short(tick)));
  parts.push(draw("line", { class: "axis", x1: left, x2: width - right, y1: y(0), y2: y(0) }), draw("line", { class: "axis", x1: left, x2: left, y1: y(0), y2: y(mostUp) }),
    draw("text", { class: "name", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, across),
    draw("text", { class: "name", x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, up),
    draw("polyline", { points: points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ") }));
  return make("section", { role: "group", "aria-label": title }, make("h3", {}, title),
    draw("svg", { class: "line", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...parts));
}

// The numeric value, if it is one. Large integers come as strings, to stay exact.
const numeric = value => typeof value === "number" ? value : /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : NaN;
// The table rows of a test, which are recorded as one string; rows may contain commas, so known rows are searched for.
const rows = (text, known) => known.filter(row => row === text || `, ${text}, `.includes(`, ${row}, `));

// The bars of a feature, of the number of tests with each value: one for each value, or for each range where there are many numbers.
// A non-numeric value among many numbers gets its own bar.
function bars(counts) {
  const single = value => ({ name: String(value) || "(empty)", count: counts.get(value), has: other => other === value });
  const numbers = [], others = [];
  for (const [value, count] of counts) Number.isFinite(numeric(value)) ? numbers.push({ value, number: numeric(value), count }) : others.push(value);
  const byCount = values => values.sort((a, b) => counts.get(b) - counts.get(a)).map(single);
  if (numbers.length <= BINS && others.length) return byCount([...counts.keys()]);
  const inOrder = numbers.sort((a, b) => a.number - b.number);
  return [...(numbers.length <= BINS ? inOrder.map(({ value }) => single(value)) : ranges(inOrder)), ...byCount(others)];
}

// Ranges of equal width, or powers of ten if nearly all numbers would be in one range.
function ranges(numbers) {
  const low = numbers[0].number, high = numbers.at(-1).number, whole = numbers.every(({ number }) => Number.isInteger(number));
  if (high - low === Infinity) return between(powers(low, high), numbers, whole);
  const width = whole ? Math.ceil((high - low + 1) / BINS) : (high - low) / BINS;
  const even = [];
  for (let at = 0; at < BINS && low + at * width <= high; at++) even.push(low + at * width);
  const bins = between([...even, high], numbers, whole), all = sum(numbers.map(({ count }) => count));
  const crowded = Math.max(...bins.map(bin => bin.count)) > 0.6 * all;
  return crowded && Math.max(high, -low) > 1000 ? between(powers(low, high), numbers, whole) : bins;
}
// Zero, and as many powers of ten on both sides of it as there is space for.
function powers(low, high) {
  const places = most => most >= 1 ? Math.floor(Math.log10(most)) + 1 : 0;
  const step = Math.ceil((places(high) + places(-low)) / (BINS - 2)), edges = low < 0 ? [low] : [];
  for (let power = Math.ceil(places(-low) / step) * step; power >= 0; power -= step) if (-(10 ** power) > low) edges.push(-(10 ** power));
  edges.push(...(low <= 0 && high >= 0 ? [0] : low > 0 ? [low] : []));
  for (let power = 0; 10 ** power < high; power += step) if (10 ** power > low) edges.push(10 ** power);
  return [...edges, high];
}
// From each edge to the next, the last one included.
function between(edges, numbers, whole) {
  const bins = [];
  for (let at = 0; at + 1 < edges.length; at++) {
    const from = edges[at], to = edges[at + 1], last = at + 2 === edges.length;
    const within = number => number >= from && (last ? number <= to : number < to);
    const count = sum(numbers.filter(({ number }) => within(number)).map(({ count }) => count));
    const end = whole && !last ? to - 1 : to;
    const name = whole && from === end ? short(from) : `${short(from)} to ${short(end)}`;
    bins.push({ name, count, has: value => within(numeric(value)) });
  }
  return bins;
}
