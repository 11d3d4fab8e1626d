// Puts everything into the page: the index, with search, filters and sorting, and a card for each property.
if (data.campaign) document.getElementById("properties").append(new Runs(data.campaign, "campaign").render());
document.title = data.title;
document.getElementById("title").textContent = data.title;
document.getElementById("summary").textContent = data.summary;
const contents = document.getElementById("contents"), cards = [];
for (const [at, property] of data.properties.entries()) {
  const section = new (data.campaign ? Found : Section)(property, at);
  const told = [property.extent, property.time && seconds(property.time)].filter(text => text).join(" · ");
  const [path, name] = split(property.name);
  const link = make("a", { href: `#property-${at}`, title: property.name }, make("span", { class: "path" }, path), name);
  const entry = make("li", { class: property.verdict }, make("span", { class: "dot", "aria-hidden": "true" }), make("span", {}, link, make("span", { class: "soft" }, `${property.word} · ${told}`)));
  const article = section.render();
  // A folded card opens when the index leads to it.
  link.addEventListener("click", () => { for (const card of article.children) if (card.tagName === "DETAILS") card.open = true; });
  cards.push({ property, entry, article, at, text: `${property.word} ${property.name}`.toLowerCase() });
  contents.append(entry);
  document.getElementById("properties").append(article);
}
if (cards.length > 1) {
  if (cards.length > MANY) document.getElementById("properties").setAttribute("class", "many");
  document.getElementById("controls").append(...controls(cards));
}

// The contents and order of the index.
function controls(cards) {
  let words = [], shows = () => true;
  const show = () => {
    for (const { property, text, entry, article } of cards) entry.hidden = article.hidden = !(shows(property) && words.every(word => text.includes(word)));
  };
  const search = make("input", { type: "search", placeholder: "search", "aria-label": "search for properties by verdict and name" });
  search.addEventListener("input", () => { words = search.value.toLowerCase().split(" "); show(); });

  const passed = ({ verdict }) => verdict === "passed" || verdict === "exhausted";
  const kinds = [["all", () => true], ["failed", property => !passed(property)], ["passed", passed], ["warnings", property => (property.warnings || []).length > 0]]
    .map(([name, holds]) => ({ name, holds, count: cards.filter(({ property }) => holds(property)).length })).filter(({ count }) => count);
  const buttons = kinds.map(({ name, holds, count }) => {
    const button = make("button", { class: "chip", type: "button", "aria-pressed": String(name === "all") }, `${name} ${count}`);
    button.addEventListener("click", () => {
      shows = holds;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show();
    });
    return button;
  });

  // By a number, the largest first.
  const orders = { "failures first": null, "name": null, "slowest first": property => property.time || 0, "most discarded first": discards, "most duplicates first": duplicates };
  const order = make("select", { "aria-label": "sort the properties" }, ...Object.keys(orders).map(name => make("option", {}, name)));
  order.addEventListener("change", () => {
    const by = orders[order.value];
    const sorted = [...cards].sort((a, b) => by ? by(b.property) - by(a.property) : order.value === "name" ? a.text.localeCompare(b.text) : a.at - b.at);
    contents.append(...sorted.map(({ entry }) => entry));
    document.getElementById("properties").append(...sorted.map(({ article }) => article));
  });
  return [search, make("div", { class: "chips", role: "group", "aria-label": "filter by verdict" }, ...(buttons.length > 2 ? buttons : [])), ...(data.campaign ? [] : [order])];
}
