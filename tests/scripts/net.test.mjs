import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { RefusedError, TableClient, backoff, failureText, fetchPart, isNewer } from "../../web/static/shared/net.js";
import { settle, startBrowser } from "./browser.mjs";

const stateOf = (tick, boot = "b", version = tick) => ({ version, stamp: `${version}.${tick}.${boot}` });

let browser;
let table;
let states; // that the page heard of
let connection; // what it was told of the connection
let waits; // how often it was told that a change waits

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  mock.method(Math, "random", () => 0.5); // no jitter
  mock.method(performance, "now", () => Date.now());
  browser = startBrowser();
  [states, connection, waits] = [[], [], 0];
  table = new TableClient(
    "/tables/k",
    stateOf(1),
    (state) => states.push(state.version),
    () => connection.push(table.isOnline),
    () => {
      waits += 1;
    },
  );
});

/** Lets so many milliseconds pass. */
async function pass(ms) {
  mock.timers.tick(ms);
  await settle();
}

const posts = () => browser.asked.filter(({ method }) => method === "POST");

test("a pause grows to its bound, a quarter more or less", () => {
  assert.equal(backoff(400, 1.5, 0, 3000), 400);
  assert.equal(backoff(400, 1.5, 2, 3000), 900);
  assert.equal(backoff(400, 1.5, 20, 3000), 3000);
  mock.method(Math, "random", () => 0);
  assert.equal(backoff(1000, 2, 3, 15000), 6000);
  mock.method(Math, "random", () => 1);
  assert.equal(backoff(1000, 2, 9, 15000), 18750);
});

test("a stamp is newer by its tick, or when the server began anew", () => {
  assert.equal(isNewer("5.7.b", "5.6.b"), true);
  assert.equal(isNewer("5.7.b", "5.7.b"), false);
  assert.equal(isNewer("5.10.b", "5.9.b"), true); // as numbers
  assert.equal(isNewer("9.6.b", "5.7.b"), false);
  assert.equal(isNewer("5.1.c", "5.7.b"), true);
});

test("the stream's states are heard once each, and no older one", () => {
  const [stream] = browser.streams;
  assert.equal(stream.address, "/api/v1/tables/k/states");
  for (const tick of [2, 2, 1, 3]) stream.say("state", JSON.stringify(stateOf(tick)));
  assert.deepEqual(states, [2, 3]);
  assert.equal(table.state.version, 3);
});

test("a change carries its version and its own id, and its answer is heard", async () => {
  const done = table.act(1, { do: "bank" });
  const [{ address, body, answer }] = posts();
  assert.equal(address, "/api/v1/tables/k/actions");
  assert.equal(body.version, 1);
  assert.deepEqual(body.action, { do: "bank" });
  assert.match(body.request, /^[0-9a-f]{24}$/);
  assert.ok(table.requests.has(body.request) && table.requests.has(`with-${body.request}`));
  answer(200, stateOf(2));
  await done;
  assert.deepEqual(states, [2]);
});

test("a throw brings what was kept for it, and names the player of a phone that plays for one", async () => {
  table.playsFor = 1;
  table.act(1, { do: "throw", dice: [6] }, { keep: [1, 1] });
  const [{ body }] = posts();
  assert.deepEqual([body.forced, body.keep, body.plays_for], [true, [1, 1], 1]);
  assert.ok(!("set_aside" in body) && !("evidence" in body));
});

test("an answer that a newer state has overtaken is not heard", async () => {
  const done = table.act(1, { do: "bank" });
  browser.streams[0].say("state", JSON.stringify(stateOf(5)));
  posts()[0].answer(200, stateOf(2));
  await done;
  assert.deepEqual(states, [5]);
});

test("without an answer the same change is sent again, later each time", async () => {
  const done = table.act(1, { do: "bank" });
  posts()[0].fail();
  await settle();
  assert.equal(waits, 1);
  await pass(399);
  assert.equal(posts().length, 1);
  await pass(1);
  assert.equal(posts().length, 2);
  posts()[1].fail();
  await settle();
  await pass(599);
  assert.equal(posts().length, 2);
  await pass(1);
  assert.equal(posts().length, 3);
  assert.equal(new Set(posts().map(({ body }) => body.request)).size, 1);
  posts()[2].answer(200, stateOf(2));
  await done;
  assert.equal(waits, 1);
  assert.deepEqual(states, [2]);
  assert.equal(connection.at(-1), true);
});

test("a network that comes back ends the pause", async () => {
  table.act(1, { do: "bank" }).catch(() => {});
  posts()[0].fail();
  await settle();
  window.dispatchEvent(new Event("online"));
  await settle();
  assert.equal(posts().length, 2);
});

test("a server that does not answer at all is given up after five seconds, and asked again", async () => {
  table.act(1, { do: "bank" }).catch(() => {});
  await pass(4999);
  assert.equal(connection.filter((online) => !online).length, 0);
  await pass(1);
  assert.equal(connection.at(-1), false);
  await pass(400);
  assert.equal(posts().length, 2);
});

test("after half a minute a change is given up; asked for again it is the same one", async () => {
  let error = null;
  table.act(1, { do: "bank" }).catch((each) => {
    error = each;
  });
  for (let i = 0; i < 40 && !error; i++) {
    posts().at(-1).fail();
    await settle();
    await pass(3000);
  }
  assert.ok(error instanceof TypeError);
  const [{ body }] = posts();
  const count = posts().length;
  table.act(1, { do: "bank" }).catch(() => {});
  assert.equal(posts()[count].body.request, body.request);
  table.act(1, { do: "pass" }).catch(() => {});
  assert.notEqual(posts()[count + 1].body.request, body.request);
});

test("a refusal is not sent again, and a stale one has the state asked for", async () => {
  const done = table.act(1, { do: "bank" });
  posts()[0].refuse("stale");
  await settle();
  const poll = browser.asked.at(-1);
  assert.equal(poll.address, "/api/v1/tables/k?stamp=1.1.b");
  poll.answer(200, stateOf(4));
  await assert.rejects(
    done,
    (error) => error instanceof RefusedError && error.reason === "stale" && error.status === 409,
  );
  assert.deepEqual(states, [4]);
  assert.equal(posts().length, 1);
});

test("a busy server is asked again, and counts as reached", async () => {
  const done = table.act(1, { do: "bank" });
  posts()[0].refuse("busy", 503);
  await settle();
  assert.equal(waits, 0);
  assert.ok(!connection.includes(false));
  await pass(400);
  posts()[1].answer(200, stateOf(2));
  await done;
  assert.deepEqual(states, [2]);
});

test("a phone that was removed loads its page anew, which says so", async () => {
  const done = table.act(1, { do: "bank" });
  posts()[0].refuse("phone-removed", 403);
  await assert.rejects(done, RefusedError);
  assert.equal(location.reloads, 1);
});

test("one poll at a time is under way, and none newer is no state", async () => {
  table.poll();
  table.poll();
  assert.equal(browser.asked.length, 1);
  browser.asked[0].answer(204);
  await settle();
  assert.deepEqual(states, []);
  assert.ok(table.isOnline);
});

test("while the server is away the state is asked for more and more seldom", async () => {
  window.dispatchEvent(new Event("offline"));
  const gaps = [];
  let before = Date.now();
  for (let ms = 0; ms < 30000; ms += 50) {
    const open = browser.asked.length;
    browser.asked.at(-1).fail();
    await settle();
    await pass(50);
    if (browser.asked.length > open) {
      gaps.push(Date.now() - before);
      before = Date.now();
    }
  }
  assert.ok(gaps[1] <= 650, `at first every half a second, not ${gaps[1]}`);
  assert.ok(gaps.at(-1) >= 2900 && gaps.at(-1) <= 3100, `at last every three seconds, not ${gaps.at(-1)}`);
  assert.equal(connection.at(-1), false);
});

test("a page that is shown again asks at once and listens anew, whatever waited", async () => {
  table.poll();
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(browser.asked.length, 2);
  assert.equal(browser.streams.length, 2);
  assert.equal(browser.streams[0].readyState, EventSource.CLOSED);
  await settle();
  assert.ok(!connection.includes(false)); // the poll that was broken off tells nothing
});

test("a hidden page does not ask", async () => {
  browser.streams[0].close();
  browser.page.hidden = true;
  await pass(60000);
  assert.equal(browser.asked.length, 0);
});

test("a stream without a word for twenty seconds is not trusted", async () => {
  browser.streams[0].say("here");
  await pass(19500);
  assert.equal(browser.asked.length, 0);
  await pass(1500);
  assert.equal(browser.asked.length, 1);
});

/** Lets time pass, half a second at a time, while the server answers each poll with no news; returns when it polled. */
async function pollsWithin(ms) {
  const times = [];
  for (let at = 0; at < ms; at += 500) {
    const before = browser.asked.length;
    await pass(500);
    for (const { answer } of browser.asked.slice(before)) {
      times.push(at + 500);
      answer(204);
    }
    await settle();
  }
  return times;
}

test("a server without a place for the stream is polled ever more slowly, until the stream may come", async () => {
  browser.streams[0].say("wait", "40");
  const times = await pollsWithin(40000);
  const gaps = times.slice(1).map((time, i) => time - times[i]);
  assert.ok(gaps[0] >= 7500 && gaps[0] <= 9000, `the second poll after ${gaps[0]} ms`);
  assert.ok(gaps.at(-1) >= 11000, `the last one after ${gaps.at(-1)} ms`);
  assert.equal(browser.streams.length, 1);
  await pollsWithin(2000);
  assert.equal(browser.streams.length, 2);
});

test("a stream that breaks off comes back by itself once, then is opened again later each time", async () => {
  browser.streams[0].say("error");
  assert.equal(browser.streams[0].readyState, EventSource.OPEN); // the browser's own try
  browser.streams[0].say("error");
  assert.equal(browser.streams[0].readyState, EventSource.CLOSED);
  await pollsWithin(1500);
  assert.equal(browser.streams.length, 1);
  await pollsWithin(1500);
  assert.equal(browser.streams.length, 2);
  browser.streams[1].say("error");
  await pollsWithin(3500);
  assert.equal(browser.streams.length, 2);
  await pollsWithin(1500);
  assert.equal(browser.streams.length, 3);
});

test("a stream that was open for long is no stream that breaks off at once", async () => {
  browser.streams[0].say("error");
  browser.streams[0].say("open");
  await pollsWithin(11000);
  browser.streams[0].say("error");
  assert.equal(browser.streams[0].readyState, EventSource.OPEN);
});

test("a touch after a long silence asks at once", async () => {
  document.dispatchEvent(new Event("pointerdown"));
  assert.equal(browser.asked.length, 0);
  await pass(5001);
  const asked = browser.asked.length;
  document.dispatchEvent(new Event("pointerdown"));
  assert.equal(browser.asked.length, asked + 1);
});

test("a page without a part fails, one with a part is its text", async () => {
  const part = fetchPart("/rules/farkle");
  assert.equal(browser.asked[0].address, "/rules/farkle?part=1");
  browser.asked[0].answer(200, "<h1>Farkle</h1>");
  assert.deepEqual(await part, { text: "<h1>Farkle</h1>", againS: 0 });
  const none = fetchPart("/rules/none");
  browser.asked[1].answer(404, "");
  await assert.rejects(none, /404/);
});

test("a person is told why the server refused, or that nothing answered", () => {
  assert.equal(failureText(new RefusedError({ detail: "Not now." }, 409)), "Not now.");
  assert.match(failureText(new TypeError("no network")), /^No connection/);
});
