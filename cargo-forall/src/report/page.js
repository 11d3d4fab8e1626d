// The page: reads the data, draws a section for each property. Every string is inserted as text, never as markup.
const PAGE = 50;
// The number of properties above which only this many examples are shown at first, so that a large page opens fast.
const FEW = 10, MANY = 20;
// The number of depths that are told apart; the last one stands for all below.
const DEPTHS = 8;
// Drawing dimensions in pixels: row height, character width, margin.
const ROW = 26, CHARACTER = 8.5, MARGIN = 12;
const data = JSON.parse(document.getElementById("data").textContent);

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const child of children) element.append(child);
  return element;
}
// The parts of a property that change when a bar is clicked.
class Section {
  constructor(property, at) {
    this.property = property;
    this.at = at;
    this.filters = new Map();   // from the chart to the bar that was clicked
    this.words = "";
    this.shown = data.properties.length > MANY ? FEW : PAGE;
    this.buttons = [];
    this.noun = "examples";     // what is counted, and listed
    this.columns = ["result", "values", "features"];
    this.list = make("tbody");
    this.count = make("p", { class: "soft", role: "status" });
  }

  // The tests that all filters let through.
  tests() {
    const words = this.words.toLowerCase();
    return this.property.tests.filter(test =>
      [...this.filters].every(([chart, bar]) => chart.of(test).some(bar.has))
      && (!words || test.r.toLowerCase().includes(words)));
  }

  toggle(chart, bar) {
    this.filters.get(chart) === bar ? this.filters.delete(chart) : this.filters.set(chart, bar);
    this.shown = PAGE;
    this.draw();
  }

  draw() {
    for (const { button, chart, bar } of this.buttons) button.setAttribute("aria-pressed", String(this.filters.get(chart) === bar));
    const tests = this.tests();
    this.list.replaceChildren(...tests.slice(0, this.shown).map(test => make("tr", {},
      make("td", { class: test.s === "discarded" ? "gave_up" : test.s }, test.m ? `${test.s}, shrunk` : test.s),
      make("td", {}, make("code", {}, test.r || "(no input)")),
      make("td", {}, [...test.l, ...Object.entries(test.f).map(([name, value]) => `${name}: ${value}`)].join(", ")))));
    const filters = [...this.filters].map(([{ title }, bar]) => `${title} = ${bar.name}`).join(", ");
    this.count.textContent = `${tests.length} of ${this.property.tests.length} ${this.noun}` + (filters ? ` with ${filters}` : "");
    this.more.hidden = tests.length <= this.shown;
  }

  // A bar chart: `counts` is the number of tests per value out of `whole`; `of` returns the values of a test; `more` values are omitted.
  chart(title, counts, whole, of, more = 0) {
    const all = bars(counts), rest = make("div"), chart = { title, of };
    // The longest bar fills the width; the percentage beside it shows the scale.
    const most = Math.max(1, ...all.map(bar => bar.count));
    const figure = make("section", { role: "group", "aria-label": title, style: names(all.map(bar => bar.name)) }, make("h3", {}, title));
    for (const [at, bar] of all.entries()) {
      if (at === MOST) break;
      const fill = make("i", { style: `width:${(100 * bar.count / most).toFixed(2)}%` });
      const button = make("button", {
        class: "bar", type: "button", "aria-pressed": "false",
        "aria-label": `${title}, ${bar.name} ${percent(bar.count, whole)}: ${bar.count} of ${whole}. Show these ${this.noun}`,
      }, make("span", {}, bar.name), make("span", {}, fill), " ", make("span", {}, percent(bar.count, whole)));
      button.addEventListener("click", () => this.toggle(chart, bar));
      this.buttons.push({ button, chart, bar });
      (at < ROWS ? figure : rest).append(button);
    }
    if (all.length > ROWS) figure.append(make("details", {}, make("summary", {}, `${Math.min(all.length, MOST) - ROWS} more`), rest));
    const left = Math.max(0, all.length - MOST) + more;
    if (left) figure.append(make("p", { class: "soft" }, `and ${several(left, "less frequent value")}`));
    return figure;
  }

  charts() {
    const { tests, outcomes, counted, labels, tables = [] } = this.property, box = make("div", { class: "charts" });
    box.append(this.chart("outcomes", new Map(outcomes), sum(outcomes.map(([, number]) => number)), test => [test.s]));
    if (labels) {
      // Values of `collect!` are labels as well; numeric ones get their own chart.
      const numbers = labels.values.filter(([value]) => Number.isFinite(numeric(value))), collected = numbers.length > 1 ? numbers : [];
      const words = labels.values.filter(value => !collected.includes(value));
      if (words.length) box.append(this.chart("labels", new Map(words), labels.whole, test => test.l, collected.length ? 0 : labels.more));
      if (collected.length) box.append(this.chart("collected", new Map(collected), labels.whole, test => test.l, labels.more));
    }
    const features = new Set();
    for (const test of tests) for (const name of Object.keys(test.f)) features.add(name);
    for (const name of features) {
      const { values, whole } = Object.hasOwn(counted, name) ? counted[name] : this.weighed(name, tables.includes(name));
      const known = values.map(([value]) => value);
      const of = test => !Object.hasOwn(test.f, name) ? [] : tables.includes(name) ? rows(test.f[name], known) : [test.f[name]];
      box.append(this.chart(name, new Map(values), whole, of));
    }
    box.append(...this.constructors());
    return box;
  }

  // The constructors of recursive enums by depth: each cell is a share of its depth.
  constructors() {
    const { constructors = [] } = this.property;
    return constructors.map(({ type, rows }) => {
      const whole = rows[0][1].map((_, depth) => sum(rows.map(([, counts]) => counts[depth])));
      const head = whole.map((_, depth) => make("th", { scope: "col" }, depth === DEPTHS - 1 ? `${depth}+` : String(depth)));
      const cell = (count, depth) => make("td", { style: `background:color-mix(in srgb, var(--bar) ${whole[depth] ? Math.round(40 * count / whole[depth]) : 0}%, transparent)` },
        count ? percent(count, whole[depth]) : "–");
      return make("section", { class: "by-depth", role: "group", "aria-label": `constructors of ${type} by depth` }, make("h3", {}, `constructors of ${type} by depth`),
        make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": `table of ${type}` }, make("table", { class: "depths" },
          make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "depth"), ...head)),
          make("tbody", {}, ...rows.map(([name, counts]) => make("tr", {}, make("th", { scope: "row" }, name), ...counts.map(cell)))))));
    });
  }

  // Estimates the counts of a feature that was not counted, from the weights of the examples. Discarded tests have only a size.
  weighed(name, isTable) {
    const counts = new Map(), { tests } = this.property;
    for (const test of tests) {
      if (!Object.hasOwn(test.f, name)) continue;
      for (const value of isTable ? String(test.f[name]).split(", ") : [test.f[name]]) counts.set(value, (counts.get(value) || 0) + test.w);
    }
    return { values: [...counts], whole: sum(tests.filter(test => Object.hasOwn(test.f, name) || test.s !== "discarded").map(test => test.w)) };
  }

  // The number of distinct inputs over the number of tests.
  distinct() {
    const tests = this.property.tests.filter(test => test.s !== "discarded" && !test.m);
    if (tests.length < 2 || tests.every(test => test.n)) return "";
    let seen = 0;
    const points = [[0, 0], ...tests.map((test, at) => [at + 1, seen += test.n ? 1 : 0])];
    return line(`distinct inputs: ${seen} of ${tests.length}`, points, { across: "valid examples", up: "distinct inputs" },
      `${seen} of ${tests.length} valid examples are distinct inputs; the line is straight if all are`);
  }

  // The number of branches reached over the number of tests, in instrumented runs only.
  coverage() {
    const points = [];
    let ran = 0;
    for (const test of this.property.tests) {
      if ("c" in test) points.push([ran + 1, test.c]);
      ran += test.w;
    }
    if (points.length < 2) return "";
    const [, last] = points.at(-1), [first] = points.find(([, count]) => count === last);
    return line(`branches reached: ${last} of ${this.property.places}`, points, { across: "tests", up: "branches" },
      `the tests reached ${last} of ${this.property.places} branches; no new one after test ${first}`);
  }

  // The shrink steps, each with the candidates rejected before it.
  shrinking() {
    const steps = this.property.steps;
    if (!steps.length) return "";
    const input = step => make("code", {}, step.values || "(no input)");
    const list = make("ol", { class: "tree" });
    let taken = 0;
    for (const step of steps) {
      if (step.left_out) { taken += step.left_out; list.append(make("li", { class: "soft" }, `… ${several(step.left_out, "more step")} …`)); continue; }
      const item = make("li", {});
      if (step.run !== null) { taken += 1; item.append(make("span", { class: "failed" }, "× fails "), input(step), make("span", { class: "soft" }, ` run ${step.run}, ${step.pass}`)); }
      else item.append("no simpler input was found to fail");
      if (step.tried.length) item.append(make("details", {}, make("summary", {}, `${several(step.tried.length, "rejected candidate")} before it`),
        make("ul", {}, ...step.tried.map(other => make("li", {}, make("span", { class: other.outcome === "passed" ? "passed" : "gave_up" }, `${other.outcome === "passed" ? "√" : "–"} ${other.outcome} `),
          input(other), make("span", { class: "soft" }, ` run ${other.run}, ${other.pass}`))))));
      list.append(item);
    }
    return make("details", { class: "shrinking" }, make("summary", {}, `shrinking: ${taken} ${taken === 1 ? "step" : "steps"}`), list);
  }

  // A parallel run of a machine: a column for each branch, a box for each command from its call to its return. Time runs downwards, with
  // the same rows as in the report.
  drawing() {
    const { prefix, branches } = this.property.drawing || { prefix: [], branches: [] };
    if (!branches.length) return "";
    const response = command => `: ${command.response === null ? "…" : command.response}`, text = command => `${command.command} ${response(command)}`;
    const top = MARGIN + ROW * prefix.length, boxes = [];
    prefix.forEach((command, at) => boxes.push(draw("text", { x: MARGIN, y: MARGIN + ROW * (at + 0.7) }, text(command))));
    let left = MARGIN, height = top;
    branches.forEach((commands, branch) => {
      const width = CHARACTER * Math.max(9, ...commands.map(command => text(command).length)) + MARGIN;
      boxes.push(draw("text", { x: left, y: top + ROW * 0.7, class: "head" }, `branch ${branch + 1}`));
      for (const command of commands) {
        const { from, to } = command, at = row => top + ROW * (1 + row), end = at(to) + ROW - 4;
        boxes.push(draw("rect", { x: left, y: at(from), width, height: end - at(from), rx: 4, "data-from": from, "data-to": to }));
        if (from === to) boxes.push(draw("text", { x: left + 6, y: at(from) + ROW * 0.65 }, text(command)));
        else boxes.push(draw("text", { x: left + 6, y: at(from) + ROW * 0.65 }, command.command), draw("text", { x: left + 6, y: at(to) + ROW * 0.65 }, response(command)));
        height = Math.max(height, end);
      }
      left += width + MARGIN;
    });
    const words = [...(prefix.length ? ["first " + prefix.map(text).join(", ")] : []), ...branches.map((commands, branch) => `branch ${branch + 1}: ${commands.map(text).join(", ")}`)];
    const svg = draw("svg", { class: "drawing", viewBox: `0 0 ${left} ${height + MARGIN}`, width: left, height: height + MARGIN, role: "img", "aria-label": `the run that failed; ${words.join("; ")}` }, ...boxes);
    return make("section", { role: "group", "aria-label": "interleaving" }, make("h3", {}, "interleaving of the branches"), make("div", { class: "wide", tabindex: "0", "aria-label": "scrollable drawing" }, svg));
  }

  // The source lines that the tests and the corpus did not reach, in instrumented runs only.
  sources() {
    const { sources } = this.property;
    if (!sources) return "";
    const box = make("section", { class: "sources", role: "group", "aria-label": "source lines" }, make("h3", {}, `source lines reached: ${sources.reached} of ${sources.all}`));
    const signs = { none: "×", part: "~", all: " ", "": " " };
    for (const { name, reached, all, lines } of sources.files) {
      const title = `${name}: ${reached} of ${all}`, code = make("pre", { tabindex: "0", "aria-label": `source of ${name}` });
      if (!lines.length) { box.append(make("p", { class: "soft" }, title)); continue; }
      let before = lines[0][0] - 1;
      for (const [at, reach, text] of lines) {
        if (at !== before + 1) code.append("     …\n");
        const row = `${String(at).padStart(5)} ${signs[reach]} ${text}\n`;
        code.append(reach ? make("span", { class: reach }, row) : row);
        before = at;
      }
      box.append(make("details", {}, make("summary", {}, title), make("p", { class: "soft" }, "× not reached, ~ reached in part"), code));
    }
    if (sources.inputs.length) box.append(make("details", {}, make("summary", {}, `${several(sources.inputs.length, "input")} of the corpus that reach more than the tests`),
      make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "input"), make("th", { scope: "col" }, "new lines"))),
        make("tbody", {}, ...sources.inputs.map(([text, more]) => make("tr", {}, make("td", {}, make("code", {}, text || "(no input)")), make("td", {}, String(more))))))));
    return box;
  }

  // The time by activity; the parts add up to the total.
  timing() {
    const { times, tests } = this.property, all = sum(times.map(([, time]) => time));
    if (!all) return "";
    const box = make("section", { class: "times", role: "group", "aria-label": "time", style: names(times.map(([name]) => name)) }, make("h3", {}, `time: ${seconds(all)}`));
    for (const [name, time, slowest] of times)
      box.append(make("p", { class: "bar", ...(slowest && { title: `the slowest took ${seconds(slowest)}` }) }, make("span", {}, name),
        make("span", {}, make("i", { style: `width:${(100 * time / all).toFixed(2)}%` })), make("span", {}, percent(time, all))));
    const timed = tests.filter(test => test.e + test.g > 0);
    if (timed.length) {
      const slow = timed.reduce((a, b) => a.e + a.g > b.e + b.g ? a : b);
      box.append(make("p", { class: "soft" }, `the slowest of the examples took ${seconds((slow.e + slow.g) / 1e6)}: ${slow.r.slice(0, 200)}`));
    }
    return box;
  }

  // Differences from the previous run are marked and expanded, except times, which depend on the machine's load.
  comparison() {
    const { before, differences } = this.property;
    if (!before) return "";
    const changed = differences.some(([what, , , differs]) => differs && !what.startsWith("time"));
    const row = ([what, then, now, differs]) => make("tr", {}, make("th", { scope: "row" }, what), make("td", {}, then), make("td", {}, differs ? make("mark", {}, now) : now));
    return make("details", { class: "comparison", ...(changed && { open: "" }) }, make("summary", {}, before), make("table", {},
      make("thead", {}, make("tr", {}, ...["figure", "previous run", "this run"].map(name => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...differences.map(row))));
  }

  // All of them, or those that the filters let through.
  listed() {
    this.more = make("button", { class: "more", type: "button" }, `more ${this.noun}`);
    this.more.addEventListener("click", () => { this.shown += PAGE; this.draw(); });
    const search = make("input", { type: "search", placeholder: "search in values", "aria-label": `search in the values of ${this.noun}` });
    search.addEventListener("input", () => { this.words = search.value; this.shown = PAGE; this.draw(); });
    return [make("h3", {}, this.noun), search, this.count,
      make("table", { class: "examples" }, make("caption", {}, `Click a bar above to filter the ${this.noun}.`),
        make("thead", {}, make("tr", {}, ...this.columns.map(name => make("th", { scope: "col" }, name)))), this.list), this.more];
  }

  // Unique, duplicate, discarded and failing tests in one bar.
  outcomes() {
    const parts = mix(this.property), all = sum(parts.map(([, number]) => number));
    if (!all) return "";
    const text = parts.map(([name, number]) => `${number} ${name}`).join(", ");
    return make("span", { class: "mix", role: "img", "aria-label": `tests: ${text}`, title: text }, ...parts.map(([name, number]) => make("i", { class: name, style: `width:${(100 * number / all).toFixed(2)}%` })));
  }

  // The minimal input as the largest thing of the card, with the failure below it.
  counterexample() {
    const found = this.property.counterexample;
    if (!found) return "";
    const { code, message, location, replay } = found;
    return make("section", { class: "counterexample", role: "group", "aria-label": `counterexample of ${this.property.name}` },
      make("pre", { tabindex: "0", "aria-label": "counterexample as code" }, code || "(no input)"),
      make("p", { class: "message" }, message, ...(location ? [make("span", { class: "soft" }, ` at ${location}`)] : [])),
      make("p", {}, ...(code ? [copy("Copy code", code)] : []), copy("Copy replay command", replay)));
  }

  // The line of the source that failed is marked.
  report() {
    const { text, counterexample } = this.property;
    if (!text) return "";
    const report = make("pre", { tabindex: "0", "aria-label": "report, with the source and the values of the counterexample" });
    for (const line of text.split("\n")) report.append(line.startsWith("      | ") ? make("mark", {}, line + "\n") : line + "\n");
    return counterexample ? make("details", {}, make("summary", {}, "report"), report) : report;
  }

  searched() {
    const { depths } = this.property;
    if (!depths.length) return "";
    return make("section", { role: "group", "aria-label": "depths" }, make("h3", {}, "searched depths"), make("table", {},
      make("thead", {}, make("tr", {}, ...["depth", "evaluations", "inputs covered", "complete"].map(name => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...depths.map(depth => make("tr", {}, ...depth.map(text => make("td", {}, text)))))));
  }

  // A card: a line that is always shown, and below it what happened. Folded if the property passed without a warning.
  render() {
    const p = this.property, id = `property-${this.at}`, [path, name] = split(p.name);
    const head = make("summary", {}, make("h2", { id: `${id}-name` }, make("span", { class: p.verdict }, p.word), " ", make("span", { class: "path" }, path), name),
      this.outcomes(), make("span", { class: "soft" }, [p.extent, p.time && seconds(p.time)].filter(text => text).join(" · ")));
    const card = make("details", { class: "card", ...((p.text || p.warnings.length) && { open: "" }) }, head);
    for (const warning of p.warnings) card.append(make("p", { class: "gave_up" }, `warning: ${warning}`));
    card.append(this.counterexample(), this.report(), this.drawing(), this.shrinking(), this.comparison());
    for (const cover of p.covers) card.append(make("p", {}, cover));
    card.append(this.searched());
    if (p.notice) card.append(make("p", { class: "notice" }, p.notice));
    if (p.tests.length) {
      const generated = [make("p", { class: "soft" }, p.sampled), this.charts(), this.distinct(), this.coverage(), this.sources(), this.timing(), ...this.listed()];
      // A failure comes before the distribution of the inputs.
      card.append(...(p.text ? [make("details", { class: "generated" }, make("summary", {}, "generated inputs"), ...generated)] : generated));
      this.draw();
    }
    card.append(make("p", { class: "soft" }, [p.place, p.runner, p.seed && `seed ${p.seed}`, p.stopped && `stopped because ${p.stopped}`].filter(text => text).join(" · ")));
    return make("article", { id, "aria-label": `${p.word} ${p.name}` }, card);
  }
}

// The module path of a name, and the rest.
function split(name) {
  const at = name.lastIndexOf("::") + 2;
  return at > 1 ? [name.slice(0, at), name.slice(at)] : ["", name];
}

// The tests of a property by what became of them. How many are duplicates is estimated from the examples.
function mix({ tests = [], outcomes = [] }) {
  const of = Object.fromEntries(outcomes), valid = tests.filter(test => test.s !== "discarded" && !test.m);
  const weight = sum(valid.map(test => test.w)), fresh = sum(valid.filter(test => test.n).map(test => test.w));
  const passed = of.passed || 0, duplicate = weight ? Math.round(passed * (1 - fresh / weight)) : 0;
  return [["unique", passed - duplicate], ["duplicate", duplicate], ["discarded", of.discarded || 0], ["failing", of.failed || 0]].filter(([, number]) => number);
}
const share = (property, kind) => { const parts = mix(property), all = sum(parts.map(([, number]) => number)); return all ? (Object.fromEntries(parts)[kind] || 0) / all : 0; };
const discards = property => share(property, "discarded"), duplicates = property => share(property, "duplicate");

// A button that copies a string and confirms it.
function copy(name, text) {
  const button = make("button", { class: "copy", type: "button" }, name);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without permission, the text can still be copied by hand.
      prompt(name, text);
    }
    setTimeout(() => { button.textContent = name; }, 1500);
  });
  return button;
}
