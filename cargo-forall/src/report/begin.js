// Puts everything into the page: the index, with search, filters and sorting, and a card for each property.
document.title = data.title;
document.getElementById("title").textContent = data.title;
document.getElementById("summary").textContent = data.summary;
const contents = document.getElementById("contents"), main = document.getElementById("properties");
const passed = ({ verdict }) => verdict === "passed" || verdict === "exhausted";
let cards = [], numbered = 0;

// The card of a property, and its entry in the index.
function card(property) {
  const at = numbered++, section = new (data.campaign ? Found : Section)(property, at);
  const told = [property.extent, property.time && seconds(property.time)].filter(text => text).join(" · ");
  const [path, name] = split(property.name);
  const link = make("a", { href: `#property-${at}`, title: property.name }, make("span", { class: "path" }, path), name);
  const entry = make("li", { class: property.verdict }, make("span", { class: "dot", "aria-hidden": "true" }), make("span", {}, link, make("span", { class: "soft" }, `${property.word} · ${told}`)));
  const article = section.render();
  // A folded card opens when the index leads to it.
  link.addEventListener("click", () => { for (const card of article.children) if (card.tagName === "DETAILS") card.open = true; });
  return { key: property.key, property, entry, article, at, text: `${property.word} ${property.name}`.toLowerCase() };
}

// Replaces the cards of properties that changed, and removes those of properties that are gone.
function update(changed, keys) {
  const gone = cards.filter(({ key }) => !keys.includes(key));
  for (const { entry, article } of gone) { entry.remove(); article.remove(); }
  cards = cards.filter(({ key }) => keys.includes(key));
  for (const property of changed) {
    const old = cards.find(({ key }) => key === property.key), made = card(property);
    if (!old) { cards.push(made); continue; }
    // A card that was opened or folded stays so, unless its verdict is another one.
    const [was, is] = [old, made].map(({ article }) => article.querySelector("details.card"));
    if (old.property.verdict === property.verdict) is.open = was.open;
    const focused = old.article.contains(document.activeElement);
    old.entry.replaceWith(made.entry);
    old.article.replaceWith(made.article);
    if (focused) is.querySelector("summary").focus();
    cards[cards.indexOf(old)] = made;
  }
  if (changed.length || gone.length) control.refresh();
}

// The contents and order of the index.
const control = (() => {
  let words = [], kind = "all";
  const kinds = { "all": () => true, "failed": property => !passed(property), "passed": passed, "warnings": property => (property.warnings || []).length > 0 };
  const show = () => {
    for (const { property, text, entry, article } of cards) entry.hidden = article.hidden = !(kinds[kind](property) && words.every(word => text.includes(word)));
  };
  const search = make("input", { type: "search", placeholder: "search", "aria-label": "search for properties by verdict and name" });
  search.addEventListener("input", () => { words = search.value.toLowerCase().split(" "); show(); });

  const chips = make("div", { class: "chips", role: "group", "aria-label": "filter by verdict" });
  const offer = () => {
    const counted = Object.entries(kinds).map(([name, holds]) => [name, cards.filter(({ property }) => holds(property)).length]).filter(([name, count]) => count || name === kind);
    const buttons = counted.map(([name, count]) => {
      const button = make("button", { class: "chip", type: "button", "aria-pressed": String(name === kind) }, `${name} ${count}`);
      button.addEventListener("click", () => {
        kind = name;
        for (const other of chips.children) other.setAttribute("aria-pressed", String(other === button));
        show();
      });
      return button;
    });
    chips.replaceChildren(...(buttons.length > 2 ? buttons : []));
  };

  // By a number, the largest first.
  const orders = { "failures first": property => passed(property) ? 0 : 1, "name": null, "slowest first": property => property.time || 0, "most discarded first": discards, "most duplicates first": duplicates };
  const order = make("select", { "aria-label": "sort the properties" }, ...Object.keys(orders).map(name => make("option", {}, name)));
  // A report has its order; what arrives live is ordered by name.
  const tie = (a, b) => "version" in data ? a.property.name.localeCompare(b.property.name) : a.at - b.at;
  const sort = () => {
    const by = orders[order.value];
    const sorted = [...cards].sort((a, b) => (by ? by(b.property) - by(a.property) : a.text.localeCompare(b.text)) || tie(a, b));
    // Moving an element loses the focus, so what is in its place stays there.
    const place = (parent, elements) => elements.forEach((element, at) => { if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] || null); });
    place(contents, sorted.map(({ entry }) => entry));
    const first = [...main.children].filter(child => !cards.some(({ article }) => article === child));
    place(main, [...first, ...sorted.map(({ article }) => article)]);
  };
  order.addEventListener("change", sort);
  const parts = [search, chips, ...(data.campaign ? [] : [order])];
  const refresh = () => {
    main.classList.toggle("many", cards.length > MANY);
    for (const part of parts) part.hidden = cards.length < 2;
    offer();
    if (!data.campaign) sort();
    show();
  };
  document.getElementById("controls").append(...parts);
  return { refresh };
})();

// A campaign begins with its failures and ends with its runs.
if (data.campaign && data.campaign.failures.length) main.append(bugs(data.campaign.failures));
cards = data.properties.map(card);
contents.append(...cards.map(({ entry }) => entry));
main.append(...cards.map(({ article }) => article));
if (data.campaign) main.append(new Runs(data.campaign, "campaign").render());
control.refresh();
