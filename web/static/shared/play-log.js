// A finished game for BG Stats, an app that logs plays. Its link has the whole play, so nothing goes over the internet.

const ADDRESS = "bgstats://app.bgstatsapp.com/createPlay.html?data=";

/** The link that hands a finished game to the app. Players who left are not in it.
 * @param {PageSetup} setup @param {Standing} standing @param {string} at  when the game ended, UTC in ISO 8601 */
export function playLink(setup, standing, at) {
  const players = standing.players.filter(({ place }) => place !== null);
  const first = players.filter(({ place }) => place === 1);
  const play = {
    sourceName: "Rollcall",
    sourcePlayId: setup.play,
    playDate: at.slice(0, 19).replace("T", " "),
    game: {
      name: setup.title,
      sourceGameId: setup.game,
      ...(setup.bgg_id === null ? {} : { bggId: setup.bgg_id }),
      highestWins: players.every(({ score }) => first.every((winner) => winner.score >= score)),
      noPoints: false,
    },
    players: players.map(({ name, score, place }) => ({
      name,
      sourcePlayerId: name,
      startPlayer: false,
      score: String(score),
      rank: place,
      winner: place === 1,
    })),
  };
  return ADDRESS + encodeURIComponent(JSON.stringify(play));
}
