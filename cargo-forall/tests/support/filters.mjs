// Clicks every bar of a report of which every test is an example, and looks at what is listed then: `node filters.mjs REPORT.html`.
import assert from "node:assert/strict";
import { open } from "./document.mjs";

const { byId, data } = open(process.argv[2]);
const articles = byId.properties.all(element => element.tag === "article");
let clicked = 0;
for (const [at, article] of articles.entries()) {
  const { name, tests } = data.properties[at];
  const [status] = article.all(element => element.attributes.role === "status");
  const all = status.textContent;
  for (const bar of article.all(element => element.tag === "button" && element.attributes.class === "bar")) {
    const label = bar.attributes["aria-label"], [, counted] = label.match(/: (\d+) of/).map(Number);
    bar.fire("click");
    const shown = parseInt(status.textContent, 10);
    assert.ok(counted === 0 || shown > 0 && shown <= tests.length, `${name}, ${label} shows ${status.textContent}`);
    assert.equal(bar.attributes["aria-pressed"], "true", label);
    bar.fire("click");
    assert.equal(status.textContent, all, label);
    clicked++;
  }
}

// One of the charts, by its title, of the only property.
const chart = title => articles[0].all(element => element.tag === "section" && element.attributes["aria-label"] === title);
const bars = title => chart(title)[0].all(element => element.tag === "button").map(button => button.children[0].textContent);
const shows = (title, name) => {
  const [bar] = chart(title)[0].all(element => element.tag === "button" && element.children[0].textContent === name);
  bar.fire("click");
  const [status] = articles[0].all(element => element.attributes.role === "status");
  const shown = parseInt(status.textContent, 10);
  bar.fire("click");
  return shown;
};
const { tests } = data.properties[0], count = holds => tests.filter(holds).length;

// What users call `status` is not what came of the test. A value with a comma is one value, and a row of a table one row.
assert.equal(shows("status", "odd"), count(test => test.f.status === "odd"));
assert.equal(shows("outcomes", "passed"), tests.length);
assert.equal(shows("list", "a"), count(test => test.f.list === "a"));
assert.deepEqual([...bars("pairs")].sort(), ["(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"]);
assert.equal(shows("pairs", "(0, 1)"), count(test => String(test.f.pairs).includes("(0, 1)")));
// Numbers that were collected are no neighbours of labels, and in ranges where they are many.
assert.deepEqual([...bars("labels")].sort(), ["every one", "list", "sometimes"]);
assert.ok(bars("collected").length <= 15 && bars("collected").some(name => name.includes(" to ")), bars("collected").join(", "));
// A label may be named like a feature, in the same tests or in others.
assert.ok(shows("labels", "list") > 0 && shows("labels", "list") < tests.length);
assert.equal(shows("labels", "list"), count(test => test.l.includes("list")));
assert.deepEqual([...bars("list")].sort(), ["a", "a, b"]);
assert.equal(shows("labels", "sometimes") + shows("sometimes", "yes"), tests.length);
// So may a table and a cover: each has a chart of its own, also where tests say only one of the two.
assert.deepEqual([...bars("status")].sort(), ["odd", "passed"]);
assert.deepEqual([...bars("status (table)")].sort(), ["0", "1", "2"]);
assert.deepEqual([...bars("size (cover)")].sort(), ["no", "yes"]);
assert.deepEqual([...bars("sometimes")], ["yes"]);
assert.deepEqual([...bars("sometimes (table)")], ["odd"]);
assert.equal(shows("sometimes (table)", "odd") + shows("sometimes", "yes"), tests.length);
console.log(`${clicked} bars`);
