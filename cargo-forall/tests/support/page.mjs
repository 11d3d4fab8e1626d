// Runs the script of a report in a document that has just what it needs, and clicks through it: `node page.mjs REPORT.html`.
import assert from "node:assert/strict";
import { open } from "./document.mjs";

const { byId, data } = open(process.argv[2]);
const articles = byId.properties.all(element => element.tag === "article");
assert.equal(articles.length, data.properties.length);
assert.equal(byId.contents.all(element => element.tag === "a").length, data.properties.length);
const names = articles.map(article => article.all(element => element.tag === "h2")[0].textContent);

// Every feature of every property has a chart, and its bars make up all tests that have it: those that were counted, or what the
// examples stand for.
for (const [at, property] of data.properties.entries()) {
  if (!property.tests.length) continue;
  const labels = property.labels.values.length ? ["labels"] : [];
  const features = new Set(["outcomes", ...labels, ...property.tests.flatMap(test => Object.keys(test.f))]);
  for (const feature of features) {
    const [chart] = articles[at].all(element => element.tag === "section" && element.attributes["aria-label"] === feature);
    assert.ok(chart, `${property.name} has no chart of ${feature}`);
    const bars = chart.all(element => element.tag === "button");
    assert.ok(bars.length > 0 && bars.every(bar => bar.attributes["aria-label"] && bar.attributes.type === "button"));
    const drawn = bars.map(bar => Number(bar.attributes["aria-label"].match(/: (\d+) of/)[1])).reduce((a, b) => a + b);
    const sum = numbers => numbers.reduce((a, b) => a + b, 0), counted = property.counted[feature];
    const have = feature === "outcomes" ? sum(property.outcomes.map(([, number]) => number)) : feature === "labels" ? sum(property.labels.values.map(([, number]) => number))
      : counted ? sum(counted.values.map(([, number]) => number)) : sum(property.tests.filter(test => feature in test.f).map(test => test.w));
    assert.ok(drawn === have || bars.length === 200, `${property.name}, ${feature}: ${drawn} of ${have}`);
  }
}

// Clicking a bar shows its examples, clicking it again shows all.
const at = names.findIndex(name => name.endsWith("nothing_costs_nothing"));
const article = articles[at], property = data.properties[at];
const [bar] = article.all(element => element.tag === "button" && (element.attributes["aria-label"] || "").startsWith("labels, even "));
const [status] = article.all(element => element.attributes.role === "status");
const rows = () => article.all(element => element.tag === "tbody").at(-1).children;
// A label is drawn as its share of all tests, and not of those that have it.
const [, labelled, whole] = bar.attributes["aria-label"].match(/: (\d+) of (\d+)\./).map(Number);
assert.equal(whole, 50);
assert.ok(labelled > 5 && labelled < 45 && bar.textContent.includes(`${(2 * labelled).toFixed(1)} %`), bar.textContent);
bar.fire("click");
const even = property.tests.filter(test => test.l.includes("even")).length;
assert.equal(status.textContent, `${even} of ${property.tests.length} examples with labels = even`);
assert.equal(bar.attributes["aria-pressed"], "true");
assert.equal(rows().length, Math.min(even, 50));
bar.fire("click");
assert.equal(status.textContent, `${property.tests.length} of ${property.tests.length} examples`);
assert.equal(bar.attributes["aria-pressed"], "false");
const [search] = article.all(element => element.tag === "input");
search.value = property.tests[0].r;
search.fire("input");
assert.ok(rows().length > 0 && rows().every(row => row.textContent.includes(property.tests[0].r)));

// Features are charts: of numbers in ranges from the smallest on, of texts by how many there are.
const chart = name => article.all(element => element.tag === "section" && element.attributes["aria-label"] === name)[0];
const barsOf = name => chart(name).all(element => element.tag === "button").map(button => button.children[0].textContent);
assert.deepEqual([...barsOf("kind")].sort(), ["cheap", "dear"]);
const lows = barsOf("price of ten").map(range => Number(range.split(" to ")[0]));
assert.ok(lows.length > 5 && lows.every((low, at) => at === 0 || low > lows[at - 1]), lows.join(" "));

// The counterexample is there, with its source, and what was tried to make it small.
const failing = articles[names.findIndex(name => name.endsWith("more_pieces_cost_more"))];
const pre = label => failing.all(element => element.tag === "pre" && element.attributes["aria-label"].startsWith(label))[0];
assert.equal(pre("counterexample").textContent, "let pieces: u32 = 99;\nlet each: u32 = 1;");
const source = pre("report");
assert.match(source.textContent, /fn more_pieces_cost_more[^]*\^ assertion failed/);
assert.equal(source.all(element => element.tag === "mark").length, 1);
const [tree] = failing.all(element => element.attributes.class === "shrinking");
assert.match(tree.textContent, /shrinking: 1 step[^]*× fails pieces = 99, each = 1[^]*√ passed pieces = /);

// Everything that is drawn or can be scrolled has a name, and drawings are there where there is something to draw.
const drawn = byId.properties.all(element => element.tag === "svg" || element.attributes.tabindex);
assert.ok(drawn.length > 0 && drawn.every(element => element.attributes["aria-label"]));
for (const [at, property] of data.properties.entries()) {
  const has = label => articles[at].all(element => (element.attributes["aria-label"] || "").startsWith(label)).length > 0;
  assert.equal(has("interleaving"), Boolean(property.drawing && property.drawing.branches.length), `${property.name}: a drawing`);
  assert.equal(has("branches reached"), property.tests.some(test => "c" in test), `${property.name}: coverage`);
}
// The index: words search, chips filter by verdict, and the cards follow the order that is chosen.
const [find, chips, order] = byId.controls.children, entries = byId.contents.children;
const shownNames = () => {
  const of = elements => elements.filter(element => !element.hidden).map(element => element.all(inner => inner.tag === "a" || inner.tag === "h2")[0].textContent);
  const cards = of(byId.properties.children).map(text => text.split(" ").at(-1));
  assert.deepEqual(of(byId.contents.children), cards, "the index and the cards differ");
  return cards;
};
const inOrder = properties => properties.map(property => property.name);
const isGood = ({ verdict }) => verdict === "passed" || verdict === "exhausted";
assert.equal(entries.length, data.properties.length);
assert.deepEqual(shownNames(), inOrder([...data.properties].sort((a, b) => isGood(a) - isGood(b))), "failures first");
find.value = "FAILED pieces";
find.fire("input");
assert.deepEqual(shownNames(), inOrder(data.properties.filter(({ name, word }) => word === "FAILED" && name.includes("pieces"))));
find.value = "no such words";
find.fire("input");
assert.deepEqual(shownNames(), []);
find.value = "";
find.fire("input");
for (const chip of chips.children) {
  const [kind, number] = chip.textContent.split(" ");
  chip.fire("click");
  assert.equal(shownNames().length, Number(number), kind);
  assert.deepEqual(chips.children.filter(other => other.attributes["aria-pressed"] === "true"), [chip]);
}
const [everything] = chips.children, isFailed = chips.children.find(chip => chip.textContent.startsWith("failed"));
isFailed.fire("click");
assert.deepEqual(new Set(shownNames()), new Set(inOrder(data.properties.filter(property => !isGood(property)))));
everything.fire("click");
for (const [name, falls] of [["name", (a, b) => `${a.word} ${a.name}`.toLowerCase() <= `${b.word} ${b.name}`.toLowerCase()], ["slowest first", (a, b) => a.time >= b.time]]) {
  order.value = name;
  order.fire("change");
  const sorted = shownNames().map(name => data.properties.find(property => property.name === name));
  assert.equal(sorted.length, data.properties.length);
  assert.ok(sorted.every((property, at) => at === 0 || falls(sorted[at - 1], property)), `${name}: ${inOrder(sorted)}`);
}

// The buttons of a counterexample copy it, and the command that replays it.
const copied = [];
Object.defineProperty(globalThis, "navigator", { configurable: true, value: { clipboard: { writeText: async text => { copied.push(text); } } } });
for (const button of failing.all(element => element.tag === "button" && element.attributes.class === "copy")) await button.listeners.click();
assert.deepEqual(copied, ["let pieces: u32 = 99;\nlet each: u32 = 1;", "cargo forall replay more_pieces_cost_more"]);

console.log(`${articles.length} properties, ${byId.properties.all(element => element.tag === "button").length} bars`);
