// The page of a campaign: its runs, and for each property its failures and progress.

// The runs of the workers, one per row, with charts to filter by worker, machine and so on.
class Runs extends Section {
  constructor(campaign, at) {
    super(campaign, at);
    this.noun = "runs";
    this.columns = ["outcome", "result", "worker"];
  }

  render() {
    const { where, notes, next, time } = this.property;
    const section = make("article", { id: "campaign", "aria-label": "Runs" }, make("h2", { id: "campaign-name" }, "Runs"), make("p", { class: "soft" }, where));
    for (const note of notes) section.append(make("p", { class: "gave_up" }, note));
    if (next.advice) section.append(make("p", {}, next.advice), shares("expected new behaviours per worker-hour", next.expected, number => number.toLocaleString("en")));
    section.append(shares("time by property", time, seconds));
    if (!this.property.tests.length) return section;
    section.append(make("p", { class: "soft" }, this.property.sampled), this.charts(), ...this.listed());
    this.draw();
    return section;
  }
}

// The bugs of all properties, with their history.
function bugs(failures) {
  const section = make("article", { id: "failures", "aria-label": "Failures" }, make("h2", { id: "failures-name" }, "Failures"));
  for (const { state, property, at, message, place, history } of failures) section.append(
    make("p", {}, make("span", { class: state === "fixed" ? "passed" : "failed" }, state), " ", make("a", { href: `#property-${at}` }, property), `: ${message}`, place ? make("span", { class: "soft" }, ` at ${place}`) : ""),
    make("p", { class: "soft" }, history));
  return section;
}

// Non-interactive bars: each item's share of the total.
function shares(title, things, text) {
  const all = things.reduce((sum, [, number]) => sum + number, 0), few = things.slice(0, ROWS);
  if (!all) return "";
  const box = make("section", { class: "times", role: "group", "aria-label": title, style: names(few.map(([name]) => name)) }, make("h3", {}, title));
  for (const [name, number] of few)
    box.append(make("p", { class: "bar", title: name }, make("span", {}, name), make("span", {}, make("i", { style: `width:${(100 * number / all).toFixed(2)}%` })), make("span", {}, text(number))));
  if (things.length > ROWS) box.append(make("p", { class: "soft" }, `and ${things.length - ROWS} more`));
  return box;
}

// The results of one property.
class Found extends Section {
  render() {
    const p = this.property, id = `property-${this.at}`;
    const section = make("article", { id, "aria-label": `${p.word} ${p.name}` }, make("h2", { id: `${id}-name` }, make("span", { class: p.verdict }, p.word), ` ${p.name}`), make("p", { class: "soft" }, p.extent));
    for (const note of p.notes) section.append(make("p", {}, note));
    for (const { title, points, last_new } of p.curves) {
      const lasted = points[points.length - 1][0], words = `over the first ${seconds(lasted)} of the campaign; the last increase was after ${seconds(last_new)}`;
      section.append(line(title, points, { across: "seconds", up: title.split(":")[0] }, `${title}, ${words}`), make("p", { class: "soft" }, words));
    }
    for (const failure of p.failures) section.append(
      make("pre", { tabindex: "0", "aria-label": `counterexample ${failure.id}` }, failure.text),
      make("p", { class: "soft" }, `${failure.said} · `, make("code", {}, failure.replay)));
    if (p.more_failures) section.append(make("p", { class: "soft" }, `and ${several(p.more_failures, "more counterexample")}`));
    return section;
  }
}
