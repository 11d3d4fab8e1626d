// Puts it all into the page.
if (data.campaign) document.getElementById("properties").append(new Runs(data.campaign, "campaign").render());
document.title = data.title;
document.getElementById("title").textContent = data.title;
document.getElementById("summary").textContent = data.summary;
const contents = document.getElementById("contents"), parts = [];
const sections = data.properties.map((property, at) => new (data.campaign ? Found : Section)(property, at));
for (const section of sections) {
  const { property, at } = section;
  const told = [property.extent, property.time && seconds(property.time)].filter(text => text).join(" · ");
  const entry = make("li", {}, make("span", { class: property.verdict }, property.word), " ",
    make("span", {}, make("a", { href: `#property-${at}` }, property.name), make("span", { class: "soft" }, told)));
  const article = section.render();
  parts.push({ text: `${property.word} ${property.name}`.toLowerCase(), elements: [entry, article] });
  contents.append(entry);
  document.getElementById("properties").append(article);
}
// Of many properties, those with these words in their verdict and name.
if (parts.length > MANY) {
  document.getElementById("properties").setAttribute("class", "many");
  const search = make("input", { type: "search", placeholder: "verdict, or part of a name", "aria-label": "search for properties by their verdict and name" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(" ");
    for (const { text, elements } of parts) for (const element of elements) element.hidden = !words.every(word => text.includes(word));
  });
  document.getElementById("summary").append(" ", search);
}
