// Opens a report in Chromium and uses it as a person does: with keys, in the light and in the dark, by its labels.
// `node browser.mjs REPORT.html PROFILE-FOLDER`
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { start } from "./chromium.mjs";

const [, , report, profile] = process.argv;
const { events, send, evaluate, press, open, wrong, run } = start(profile);

async function use() {
  await open(pathToFileURL(report).href);

  // It is there, nothing else was loaded, and nothing went wrong.
  const took = await evaluate(`performance.getEntriesByType("navigation")[0].domComplete`);
  const requests = events.filter(event => event.method === "Network.requestWillBeSent").map(event => event.params.request.url);
  assert.deepEqual(requests.filter(url => !url.startsWith("file:") && !url.startsWith("data:")), []);
  assert.deepEqual(wrong(), []);

  // Every chart and drawing takes its place on the screen; some bars do when they are asked for.
  await evaluate(`document.querySelectorAll("details").forEach(e => e.open = true)`);
  const boxes = await evaluate(`[...document.querySelectorAll("svg, button.bar, p.bar")].map(e => [e.tagName, e.getAttribute("aria-label") || e.textContent, e.getBoundingClientRect().width * e.getBoundingClientRect().height])`);
  assert.ok(boxes.length > 3);
  for (const [tag, label, area] of boxes) assert.ok(area > 20, `${tag} ${label} takes ${area} pixels`);
  const empty = await evaluate(`[...document.querySelectorAll(".bar i")].filter(e => e.getBoundingClientRect().width < 1).length`);
  assert.equal(empty, 0, "bars without a width");

  // Of each chart one bar is as long as there is room for.
  const longest = await evaluate(`[...document.querySelectorAll(".charts > section")].map(chart => [chart.getAttribute("aria-label"),
    Math.max(...[...chart.querySelectorAll(".bar i")].map(e => e.getBoundingClientRect().width / e.parentElement.getBoundingClientRect().width))])`);
  for (const [chart, share] of longest) assert.ok(share > 0.99, `the longest bar of ${chart} takes ${share} of the room`);

  // On wide screens and on narrow ones no name is cut off or covered, bars are to be seen, and nothing but what scrolls by itself is wider than the page.
  for (const width of [1400, 1200, 400]) {
    await send("Emulation.setDeviceMetricsOverride", { width, height: 1000, deviceScaleFactor: 1, mobile: false });
    const cut = await evaluate(`[...document.querySelectorAll(".bar > span:first-child, nav li > span, h2, td, th")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(e => e.textContent)`);
    assert.deepEqual(cut, [], `cut off at ${width} pixels`);
    const narrow = await evaluate(`[...document.querySelectorAll(".bar i")].filter(e => e.parentElement.getBoundingClientRect().width < 60).length`);
    assert.equal(narrow, 0, `bars without room at ${width} pixels`);
    assert.ok(await evaluate(`document.documentElement.scrollWidth <= innerWidth`), `the page is wider than ${width} pixels`);
    // The index and the first card are side by side, or apart.
    const apart = await evaluate(`(() => { const [nav, card] = ["nav", ".card"].map(name => document.querySelector(name)?.getBoundingClientRect()); return !nav || !card || card.left >= nav.right || card.top - nav.bottom >= 12; })()`);
    assert.ok(apart, `the index touches the first card at ${width} pixels`);
  }
  await send("Emulation.clearDeviceMetricsOverride");

  // Lines have axes: named, with round numbers from zero on that stand apart from each other.
  const axes = await evaluate(`[...document.querySelectorAll("svg.line")].map(svg => ({ names: [...svg.querySelectorAll(".name")].map(e => e.textContent),
    ...Object.fromEntries(["across", "up"].map(axis => [axis, [...svg.querySelectorAll(".tick." + axis)].map(e => { const box = e.getBoundingClientRect(); return [Number(e.textContent), box.left, box.right, box.top, box.bottom]; })])) }))`);
  for (const { names, across, up } of axes) {
    assert.ok(names.length === 2 && names.every(name => name.length > 3), `axes are named ${names}`);
    for (const ticks of [across, up]) {
      assert.ok(ticks.length >= 2 && ticks.length <= 9 && ticks[0][0] === 0, `ticks at ${ticks.map(tick => tick[0])}`);
      assert.ok(ticks.every(([value], at) => at === 0 || value > ticks[at - 1][0]));
    }
    assert.ok(across.every(([, left], at) => at === 0 || left > across[at - 1][2]), "numbers at the axis are written over each other");
    assert.ok(up.every(([, , , , bottom], at) => at === 0 || bottom < up[at - 1][3] + 1), "numbers at the axis are written over each other");
  }

  // The parts of the time make up the whole.
  const times = await evaluate(`[...document.querySelectorAll("section[aria-label=time]")].map(e => [...e.querySelectorAll("p.bar span:last-child")].map(e => parseFloat(e.textContent)))`);
  for (const parts of times) assert.ok(Math.abs(parts.reduce((a, b) => a + b) - 100) < 0.6, `parts of the time: ${parts}`);

  // A box of a drawing stands in the rows that the report has for its command.
  const drawn = await evaluate(`[...document.querySelectorAll("svg.drawing")].map(svg => ({ report: svg.closest("article").querySelector("pre[aria-label^=report]").textContent,
    boxes: [...svg.querySelectorAll("rect")].map(e => [Number(e.dataset.from), Number(e.dataset.to), e.nextElementSibling.textContent, e.getBoundingClientRect().top]) }))`);
  for (const { report, boxes } of drawn) {
    const lines = report.split("\n"), fork = lines.findLastIndex(line => line.includes("╭")), rows = lines.slice(fork + 1);
    for (const [from, to, text] of boxes) {
      assert.ok(rows[from].includes((from === to ? "╶ " : "╷ ") + text), `${text} begins in row ${from} of\n${report}`);
      assert.ok(from === to || rows[to].includes("╵ "), `${text} ends in row ${to} of\n${report}`);
    }
    assert.ok([...boxes].sort((a, b) => a[0] - b[0]).every((box, at, all) => at === 0 || box[3] >= all[at - 1][3]), "time goes down");
  }

  // With the keyboard alone: to a bar, which filters when Enter is pressed, and lets go when it is pressed again.
  const focus = `document.activeElement.getAttribute("aria-label") || ""`;
  const status = `document.activeElement.closest("article") && document.activeElement.closest("article").querySelector("[role=status]").textContent`;
  let steps = 0;
  while (!(await evaluate(focus)).includes("Show these ")) {
    assert.ok(steps++ < 300, "no bar is reached with Tab");
    await press("Tab");
  }
  const all = await evaluate(status);
  await press("Enter", "\r");
  assert.match(await evaluate(status), / (examples|runs) with /);
  assert.equal(await evaluate(`document.activeElement.getAttribute("aria-pressed")`), "true");
  await press("Enter", "\r");
  assert.equal(await evaluate(status), all);
  assert.notEqual(await evaluate(`getComputedStyle(document.activeElement).outlineStyle`), "none", "the focus can be seen");

  // What a screen reader says: whatever can be used or is a picture has a name.
  const { nodes } = await send("Accessibility.getFullAXTree");
  const role = node => node.role && node.role.value;
  const named = nodes.filter(node => !node.ignored && ["button", "image", "link", "searchbox", "region", "table", "article"].includes(role(node)));
  assert.ok(named.some(node => role(node) === "button") && named.some(node => role(node) === "image"));
  for (const node of named) assert.ok(role(node) === "table" || node.name && node.name.value, `a ${role(node)} has no name`);

  // In the light and in the dark, text can be read: WCAG's contrast of 4.5.
  const backgrounds = new Set();
  for (const value of ["light", "dark"]) {
    await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    const colours = await evaluate(`(() => { const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(", 0)") && c !== "transparent") return c; } };
      return [...document.querySelectorAll("h2 span, .soft, p, pre, mark, td, th, summary, button.bar span, a, svg text")].map(e => [e.textContent.slice(0, 40), getComputedStyle(e)[e.tagName === "text" ? "fill" : "color"], behind(e)]); })()`);
    const light = colour => colour.match(/[\d.]+/g).slice(0, 3).map(part => part / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    for (const [text, front, back] of colours) {
      const [low, high] = [light(front), light(back)].sort((a, b) => a - b), contrast = (high + 0.05) / (low + 0.05);
      assert.ok(contrast >= 4.5, `${value}: "${text}" has a contrast of ${contrast.toFixed(1)} (${front} on ${back})`);
    }
    backgrounds.add(await evaluate(`getComputedStyle(document.body).backgroundColor`));
  }
  assert.equal(backgrounds.size, 2, "the dark looks like the light");
  return `${boxes.length} bars and drawings, complete after ${Math.round(took)} ms`;
}

run(use);
