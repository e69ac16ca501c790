// Scripts that begin to work as they are loaded: with as much of a document as each needs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./page.mjs";

const load = (name, query) => import(`../../web/static/pages/${name}.js?${query}`);

/** Keeps the days of a page of these `times`, in a zone; returns the page. */
async function tellMoments({ zone, language = "en", languages = [], times = [], title = null }) {
  process.env.TZ = zone;
  globalThis.navigator = { languages };
  const elements = times.map(([dateTime, textContent]) => {
    let text = textContent;
    const element = { dateTime, written: 0 };
    return Object.defineProperty(element, "textContent", {
      get: () => text,
      set: (value) => ((text = value), element.written++),
    });
  });
  const observers = [];
  globalThis.MutationObserver = class {
    constructor(tell) {
      observers.push(tell);
    }
    observe() {}
  };
  globalThis.document = {
    documentElement: { lang: language },
    title: "Rollcall",
    body: {},
    querySelectorAll: () => elements,
    querySelector: () => title && { content: title, dataset: { title: "Farkle" } },
  };
  const { keepDays } = await load("days", `${zone}${language}${languages}${title}`);
  keepDays();
  return { elements, observers };
}

test("days are those of the phone's own zone", async () => {
  const moment = "2026-11-25T23:30:00Z";
  const { elements: west } = await tellMoments({ zone: "America/New_York", times: [[moment, "Nov 26, 2026"]] });
  assert.equal(west[0].textContent, "Nov 25, 2026");
  const { elements: east } = await tellMoments({ zone: "Europe/Prague", times: [[moment, "Nov 25, 2026"]] });
  assert.equal(east[0].textContent, "Nov 26, 2026");
});

test("days are written in the page's language", async () => {
  const { elements } = await tellMoments({ zone: "UTC", language: "cs", times: [["2026-11-25T12:00:00Z", ""]] });
  assert.equal(elements[0].textContent.replace(/\s/g, " "), "25. 11. 2026");
});

test("days are written as in the phone's country", async () => {
  const times = [["2026-11-25T12:00:00Z", ""]];
  const { elements } = await tellMoments({ zone: "UTC", languages: ["cs-CZ", "en-GB", "en-US"], times });
  assert.equal(elements[0].textContent, "25 Nov 2026");
});

test("what is no moment stays, and what is right already is not written again", async () => {
  const { elements, observers } = await tellMoments({
    zone: "UTC",
    language: "en",
    times: [
      ["soon", "soon"],
      ["2026-11-25T12:00:00Z", "then"],
    ],
    title: "2026-11-25T12:00:00Z",
  });
  observers.forEach((tell) => tell());
  assert.equal(elements[0].textContent, "soon");
  assert.deepEqual(
    elements.map(({ written }) => written),
    [0, 1],
  );
});

test("a page's title ends in the day of the phone's zone", async () => {
  await tellMoments({ zone: "Pacific/Auckland", title: "2026-12-31T12:00:00Z" });
  assert.equal(document.title, "Farkle · 2027-01-01");
});

test("a phone's look is in force before anything is drawn", async () => {
  globalThis.document = { documentElement: { dataset: {} } };
  globalThis.localStorage = storage();
  globalThis.window = {};
  globalThis.addEventListener = () => {};
  await load("theme", "none");
  assert.deepEqual(document.documentElement.dataset, {});
  localStorage.setItem("rollcall.look", "dark");
  await load("theme", "dark");
  assert.deepEqual(document.documentElement.dataset, { look: "dark" });
  localStorage.setItem("rollcall.look", "purple");
  document.documentElement.dataset = {};
  await load("theme", "purple");
  assert.deepEqual(document.documentElement.dataset, {});
});
