
// The live page: asks the server for what has changed, and replaces the cards of those properties.
const token = new URLSearchParams(location.search).get("token") || "";
const board = make("p", { id: "status", role: "status" }), errors = make("pre", { id: "errors", tabindex: "0", "aria-label": "errors of the build", hidden: "" });
const others = make("section", { id: "others", "aria-label": "other commands" });
document.querySelector("header").append(board);
main.before(make("div", { id: "now" }, errors, others));

function follow(news) {
  document.getElementById("summary").textContent = news.summary;
  update(news.properties, news.keys);
  const { phase = "building", text = "", running = {}, errors: said = "", others: rest = [] } = news.status || {};
  document.body.dataset.phase = phase;
  board.textContent = text;
  errors.textContent = said;
  errors.hidden = !said;
  for (const { key, entry } of cards) entry.classList.toggle("running", Object.hasOwn(running, key));
  others.replaceChildren(...rest.map(({ command, property, text, curve }) => make("section", { class: "card", "aria-label": `${command} ${property}` },
    make("p", {}, make("strong", {}, `forall ${command}`), ` ${property}: ${text}`),
    curve && curve.length > 1 ? line("edges reached", curve, { across: "seconds", up: "edges" }, `the campaign reached ${curve.at(-1)[1]} edges after ${Math.round(curve.at(-1)[0])} seconds`) : "")));
  document.title = `${cards.some(({ property }) => property.text) ? "✗" : "✓"} ${data.title}`;
}

async function listen() {
  let version = data.version;
  // The page has drawn these properties.
  follow({ ...data, properties: [] });
  for (;;) {
    try {
      const answer = await fetch(`/data?token=${encodeURIComponent(token)}&after=${version}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(await answer.text());
      const news = await answer.json();
      version = news.version;
      follow(news);
    } catch {
      document.body.dataset.phase = "lost";
      board.textContent = "forall watch has ended, or cannot be reached; this page shows its last results";
      await new Promise(resolve => setTimeout(resolve, 2000));
    }
  }
}
listen();
