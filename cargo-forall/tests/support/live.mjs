// Opens the live page in Chromium, and follows a property from failure to success, which its sources decide.
// `node live.mjs ADDRESS PROFILE-FOLDER NAME`; the line "failed" asks for the repair, and "repaired" for the removal of the
// other property.
import assert from "node:assert/strict";
import { start } from "./chromium.mjs";

const [, , address, profile, name] = process.argv;
const { events, evaluate, until, open, wrong, run } = start(profile);

async function use() {
  await open(address);
  const verdict = `[...document.querySelectorAll("nav li")].filter(e => e.textContent.includes(${JSON.stringify(name)})).map(e => e.className).join()`;
  await until("a failure", async () => (await evaluate(verdict)) === "failed");
  // Its card is the first and open; a card that is opened by hand stays open.
  assert.ok(await evaluate(`document.querySelector("main article details.card").open`));
  assert.match(await evaluate(`document.querySelector("main article").textContent`), new RegExp(name));
  await evaluate(`[...document.querySelectorAll("main article details.card")].at(-1).open = true`);
  assert.match(await evaluate(`document.title`), /^✗/);
  console.log("failed");
  await until("the repair", async () => (await evaluate(verdict)) === "passed");
  assert.ok(await evaluate(`[...document.querySelectorAll("main article details.card")].some(card => card.open)`));
  assert.match(await evaluate(`document.getElementById("status").textContent`), /running|waiting/);
  console.log("repaired");
  // What is for several properties goes with the second one.
  await until("the removal", async () => await evaluate(`document.querySelectorAll("nav li").length === 1 && document.querySelector("#controls input").hidden`));
  // Nothing went wrong, and nothing but the page's own server was asked.
  assert.deepEqual(wrong(), []);
  const origin = new URL(address).origin, urls = events.filter(event => event.method === "Network.requestWillBeSent").map(event => event.params.request.url);
  assert.deepEqual(urls.filter(url => !url.startsWith(origin + "/") && !url.startsWith("data:")), []);
  return "removed";
}

run(use);
