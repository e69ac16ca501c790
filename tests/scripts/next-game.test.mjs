import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { ending, series } from "../../web/static/shared/ending.js";
import { arrivedPlayer } from "../../web/static/shared/next-game.js";
import { pagePart } from "../../web/static/shared/page-part.js";
import { tab } from "../../web/static/shared/storage.js";
import { settle, startBrowser } from "./browser.mjs";
import { pageOf, speak, storage, textOf } from "./page.mjs";

const ownFetch = globalThis.fetch;

beforeEach(async () => {
  globalThis.fetch = ownFetch; // the test before may have put its own there
  globalThis.sessionStorage = storage();
  await speak("en");
});

const players = (...names) => names.map((name) => ({ name, score: 0 }));
const goAlong = (name, ...names) => tab.keep("rollcall.goes-along", { names: names.sort(), name });

test("the player of this phone goes along where the same people play, in whatever order", () => {
  goAlong("Bob", "Ada", "Bob");
  assert.equal(arrivedPlayer(players("Bob", "Ada")), 0);
  assert.equal(arrivedPlayer(players("Bob", "Ada")), null); // once
});

test("nobody goes along to others, or without a player", () => {
  goAlong("Bob", "Ada", "Bob");
  assert.equal(arrivedPlayer(players("Ada", "Bob", "Cid")), null);
  goAlong(undefined, "Ada", "Bob");
  assert.equal(arrivedPlayer(players("Ada", "Bob")), null);
  assert.equal(arrivedPlayer(players("Ada")), null);
});

test("who had left does not count among those who play on", () => {
  goAlong("Ada", "Ada");
  assert.equal(arrivedPlayer([...players("Ada"), { name: "Bob", out: true }]), 0);
});

const seriesOf = (wins, standing) => {
  const page = pageOf({ standing });
  page.setup.series = { games: 3, names: ["Bob", "Ada"], wins };
  return textOf(series(page));
};

test("games won before and this one are counted by name", () => {
  assert.equal(seriesOf([2, 1]), "Games won: Ada 1 : 2 Bob");
  assert.equal(seriesOf([2, 1], { winners: [0] }), "Games won: Ada 2 : 2 Bob");
});

test("among several, each with a number; alone or in a first game nothing", () => {
  assert.equal(seriesOf([2, 1], { players: players("Ada", "Bob", "Cid") }), "Games won: Ada 1 · Bob 2 · Cid 0");
  assert.equal(seriesOf([2, 1], { players: players("Ada") }), "");
  const page = pageOf();
  page.setup.series = { games: 0, names: [], wins: [] };
  assert.equal(series(page), "");
});

test("a part of a page is asked for once for each state, and again when that failed", async () => {
  const { asked } = startBrowser();
  const page = pageOf();
  const scoreHistory = () => String(pagePart(page, "statistics"));
  assert.equal(scoreHistory(), "");
  scoreHistory();
  assert.deepEqual(
    asked.map(({ address }) => address),
    ["/tables/k/statistics?part=1"],
  );
  asked[0].fail();
  await settle();
  scoreHistory();
  asked[1].answer(200, "<svg>5</svg>");
  await settle();
  assert.equal(scoreHistory(), "<svg>5</svg>");
  assert.equal(page.drawn, 1);
  page.state.version = 6;
  scoreHistory();
  page.state.version = 7;
  scoreHistory();
  asked[3].answer(200, "<svg>7</svg>");
  asked[2].answer(200, "<svg>6</svg>"); // too late
  await settle();
  assert.equal(scoreHistory(), "<svg>7</svg>");
});

test("a part is asked for again while it is worked out", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { asked } = startBrowser();
  const page = pageOf();
  const luckWords = () => String(pagePart(page, "luck"));
  luckWords();
  assert.equal(asked[0].address, "/tables/k/luck?part=1");
  asked[0].answer(200, "", { Refresh: "2" });
  await settle();
  assert.equal(luckWords(), "");
  mock.timers.tick(2000);
  asked[1].answer(200, "<ul></ul>");
  await settle();
  mock.timers.reset();
  assert.equal(luckWords(), "<ul></ul>");
  assert.equal(asked.length, 2);
});
