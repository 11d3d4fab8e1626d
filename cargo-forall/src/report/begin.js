// Puts it all into the page.
if (data.campaign) document.getElementById("properties").append(new Runs(data.campaign, "campaign").render());
document.title = data.title;
document.getElementById("title").textContent = data.title;
document.getElementById("summary").textContent = data.summary;
const sections = data.properties.map((property, at) => new (data.campaign ? Found : Section)(property, at));
for (const section of sections) {
  const { property, at } = section;
  document.getElementById("contents").append(make("li", {}, make("span", { class: property.verdict }, property.word), " ", make("a", { href: `#property-${at}` }, property.name)));
  document.getElementById("properties").append(section.render());
}
