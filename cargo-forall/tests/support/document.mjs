// A document that has just what the script of a report needs, so that it can be looked at without a browser.
import { readFileSync } from "node:fs";

export class Element {
  constructor(tag) { this.tag = tag; this.attributes = {}; this.children = []; this.listeners = {}; this.hidden = false; this.value = ""; this.classList = { toggle: (name, on) => { if (on) this.attributes.class = name; } }; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  append(...children) {
    for (const child of children) if (child !== "") this.children.push(child);
    // The first option is chosen.
    if (this.tag === "select") this.value ||= children[0].textContent;
  }
  insertBefore(child, next) {
    this.children = this.children.filter(other => other !== child);
    this.children.splice(next === null ? this.children.length : this.children.indexOf(next), 0, child);
  }
  replaceChildren(...children) { this.children = children; }
  addEventListener(event, listener) { this.listeners[event] = listener; }
  fire(event) { this.listeners[event](); }
  get textContent() { return this.children.map(child => child instanceof Element ? child.textContent : child).join(""); }
  set textContent(text) { this.children = [text]; }
  all(accepts) {
    const inside = this.children.filter(child => child instanceof Element).flatMap(child => child.all(accepts));
    return accepts(this) ? [this, ...inside] : inside;
  }
}

// Runs the script of a report. The elements that it fills, and its data.
export function open(path) {
  const page = readFileSync(path, "utf8");
  const [, json] = page.match(/<script type="application\/json" id="data">([^<]*)<\/script>/);
  const [, script] = page.match(/<script>\n([^]*)<\/script>/);
  const byId = { title: new Element("h1"), data: new Element("script"), summary: new Element("p"), controls: new Element("div"), contents: new Element("ul"), properties: new Element("main") };
  byId.data.textContent = json;
  globalThis.document = {
    getElementById: id => byId[id],
    createElement: tag => new Element(tag),
    createElementNS: (_, tag) => new Element(tag),
  };
  new Function(script)();
  return { byId, data: JSON.parse(json) };
}
