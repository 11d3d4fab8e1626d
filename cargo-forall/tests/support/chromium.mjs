// Chromium, driven by the protocol of its developer tools: JSON with a zero byte after it, in both directions.
import { spawn } from "node:child_process";
import assert from "node:assert/strict";

export function start(profile) {
  const chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", `--user-data-dir=${profile}`], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), events = [];
  let next = 1, rest = "", session;
  chromium.stdio[4].setEncoding("utf8").on("data", text => {
    const messages = (rest + text).split("\0");
    rest = messages.pop();
    for (const message of messages.map(message => JSON.parse(message))) {
      if (!message.id) { events.push(message); continue; }
      const { resolve, reject } = waiting.get(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
  });
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, { resolve, reject });
    chromium.stdio[3].write(JSON.stringify({ id, method, params, ...(session && { sessionId: session }) }) + "\0");
  });
  const evaluate = async expression => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true });
    assert.ok(!exceptionDetails, exceptionDetails && JSON.stringify(exceptionDetails));
    return result.value;
  };
  const until = async (what, holds) => {
    for (let tries = 0; tries < 600; tries++) {
      if (await holds()) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    assert.fail(`waited in vain: ${what}`);
  };
  const press = async (key, text) => {
    await send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[key], ...(text && { text }) });
    await send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
  };
  // Opens an address in a tab.
  const open = async url => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    ({ sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true }));
    for (const domain of ["Page", "Runtime", "Network", "Log", "Accessibility"]) await send(`${domain}.enable`);
    await send("Page.navigate", { url });
    await until("the page", () => events.some(event => event.method === "Page.loadEventFired"));
  };
  const wrong = () => events.filter(event => event.method === "Runtime.exceptionThrown" || event.method === "Log.entryAdded" && event.params.entry.level === "error");
  // Runs what uses the page, and ends with it.
  const run = use => use().then(said => { console.log(said); chromium.kill(); }, error => { console.error(error); chromium.kill(); process.exitCode = 1; });
  return { events, send, evaluate, until, press, open, wrong, run };
}
