// The page of a campaign: who ran what, and for each property what was found, and when.

// What the workers did: each run is a row, and its worker, its machine and so on are charts to filter by.
class Runs extends Section {
  constructor(campaign, at) {
    super(campaign, at);
    this.noun = "runs";
    this.columns = ["", "what was done", "by whom"];
  }

  render() {
    const { where, notes, time } = this.property;
    const section = make("article", { id: "campaign", "aria-label": "Who ran what" }, make("h2", { id: "campaign-name" }, "Who ran what"), make("p", { class: "soft" }, where));
    for (const note of notes) section.append(make("p", { class: "gave_up" }, note));
    section.append(shares("where the time went", time, seconds));
    if (!this.property.tests.length) return section;
    section.append(make("p", { class: "soft" }, this.property.sampled), this.charts(), ...this.listed());
    this.draw();
    return section;
  }
}

// A bar for each of some things, that cannot be clicked: its share of all.
function shares(title, things, text) {
  const all = things.reduce((sum, [, number]) => sum + number, 0), few = things.slice(0, ROWS);
  if (!all) return "";
  const box = make("section", { class: "times", "aria-label": title, style: names(few.map(([name]) => name)) }, make("h3", {}, title));
  for (const [name, number] of few)
    box.append(make("p", { class: "bar", title: name }, make("span", {}, name), make("span", {}, make("i", { style: `width:${(100 * number / all).toFixed(2)}%` })), make("span", {}, text(number))));
  if (things.length > ROWS) box.append(make("p", { class: "soft" }, `and ${things.length - ROWS} more`));
  return box;
}

// What was found of one property.
class Found extends Section {
  render() {
    const p = this.property, id = `property-${this.at}`;
    const section = make("article", { id, "aria-label": `${p.word} ${p.name}` }, make("h2", { id: `${id}-name` }, make("span", { class: p.verdict }, p.word), ` ${p.name}`), make("p", { class: "soft" }, p.extent));
    for (const note of p.notes) section.append(make("p", {}, note));
    for (const { title, points, last_new } of p.curves) {
      const lasted = points[points.length - 1][0], words = `from the beginning of the first search to ${seconds(lasted)} after it; the last new one came after ${seconds(last_new)}`;
      section.append(line(title, points, { across: "seconds", up: title.split(":")[0] }, `${title}, ${words}`), make("p", { class: "soft" }, words));
    }
    for (const failure of p.failures) section.append(
      make("pre", { tabindex: "0", "aria-label": `counterexample ${failure.id}` }, failure.text),
      make("p", { class: "soft" }, `${failure.said} · `, make("code", {}, failure.replay)));
    if (p.more_failures) section.append(make("p", { class: "soft" }, `and ${p.more_failures} more counterexamples`));
    return section;
  }
}
