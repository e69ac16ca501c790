// A finished game as BG Stats takes it.

import assert from "node:assert/strict";
import test from "node:test";

import { playLink } from "../../web/static/shared/play-log.js";

const SETUP = { title: "Yahtzee", game: "yahtzee", bgg_id: 2243, play: "0123456789abcdef" };
const player = (name, score, place) => ({ name, score, place });
const playOf = (setup, players) => {
  const link = playLink(setup, { players }, "2026-01-02T03:04:05Z");
  const [address, data] = link.split("?data=");
  assert.equal(address, "bgstats://app.bgstatsapp.com/createPlay.html");
  return JSON.parse(decodeURIComponent(data));
};

test("a play has its game, its time and its players", () => {
  const play = playOf(SETUP, [player("Ada & Co", 120, 2), player("Bohouš", 200, 1), player("Gone", 3, null)]);
  assert.equal(play.playDate, "2026-01-02 03:04:05");
  assert.equal(play.sourcePlayId, "0123456789abcdef");
  assert.deepEqual(play.game, {
    name: "Yahtzee",
    sourceGameId: "yahtzee",
    bggId: 2243,
    highestWins: true,
    noPoints: false,
  });
  assert.deepEqual(
    play.players.map(({ name, score, winner }) => [name, score, winner]),
    [
      ["Ada & Co", "120", false],
      ["Bohouš", "200", true],
    ],
  );
});

test("a game that the fewest points win says so, and one that is not at BoardGameGeek has no id", () => {
  const play = playOf({ ...SETUP, bgg_id: null }, [player("Ada", 5, 1), player("Bob", 9, 2)]);
  assert.equal(play.game.highestWins, false);
  assert.equal("bggId" in play.game, false);
});
