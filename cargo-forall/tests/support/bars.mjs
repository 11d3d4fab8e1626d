// Looks at the bars of numbers in a report: `node bars.mjs REPORT.html`.
import assert from "node:assert/strict";
import { open } from "./document.mjs";

const { byId, data } = open(process.argv[2]);
const charts = name => byId.properties.all(element => element.tag === "section" && element.attributes["aria-label"] === name)[0];
const bars = name => charts(name).all(element => element.tag === "button");
const names = name => bars(name).map(bar => bar.children[0].textContent);

// Halves of whole numbers are in ranges. Floats of all sizes are in ranges that grow, and what is no number comes after them.
for (const name of ["half", "ratio"]) {
  const lows = names(name).filter(range => range.includes(" to ")).map(range => Number(range.split(" to ")[0]));
  assert.ok(lows.length >= 5 && lows.every((low, at) => at === 0 || low > lows[at - 1]), `${name}: ${names(name)}`);
  const all = data.properties[0].tests.filter(test => name in test.f).reduce((sum, test) => sum + test.w, 0);
  const drawn = bars(name).map(bar => Number(bar.attributes["aria-label"].match(/: (\d+) of/)[1])).reduce((a, b) => a + b);
  assert.equal(drawn, all, name);
}
assert.ok(names("ratio").slice(-3).some(name => ["NaN", "inf", "-inf"].includes(name)), names("ratio").join(", "));
assert.ok(names("ratio").every(name => name.length < 25), names("ratio").join(", "));

// A range shows the examples that are in it.
const article = byId.properties.all(element => element.tag === "article")[0];
const [status] = article.all(element => element.attributes.role === "status");
bars("ratio")[2].fire("click");
const [from, to] = names("ratio")[2].split(" to ").map(Number);
const shown = data.properties[0].tests.filter(({ f: { ratio } }) => typeof ratio === "number" && ratio >= from * 1.01 && ratio < to * 0.99).length;
const said = Number(status.textContent.split(" ")[0]);
assert.ok(said >= shown && said < data.properties[0].tests.length, `${status.textContent}, ${shown} for ${names("ratio")[2]}`);

// What differs from the last run is in a table.
const [table] = article.all(element => element.attributes.class === "comparison");
assert.ok(table.textContent.includes("sizes of inputs") && table.textContent.includes(" on average"), table.textContent);
