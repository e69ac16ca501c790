// Made by docs/json_schema.py of the types in web/table: what the server tells, and what it is asked.

/**
 * Actions of the game, all of them or none; one undo takes all back. `keep`, `set_aside`: the dice kept or set aside
 * before this throw; `then`: what follows it, in order. `forced`: if nothing does, a set-aside that is the only
 * legal action is done at once. `evidence`: the dice in the photo of the throw.
 */
type Act = {
  version: number;
  request: string;
  plays_for?: number | null;
  action: Action;
  keep?: number[] | null;
  set_aside?: number[] | null;
  then?: Action[];
  forced?: boolean;
  evidence?: Evidence | null;
};

interface Action {
  do: string;
  [key: string]: any;
}

/** A legal action with its odds. `loss`: its cost against best play, in the unit of the advice. */
type AdvisedChoice = {
  action: Action;
  odds: Record<string, number>;
  loss?: number;
};

/** The throw that brought the most points. `dice`: all on the table; `picture`: the log line with its picture. */
type BestThrow = {
  player: number;
  dice: number[];
  points: number;
  picture?: number;
};

/** Sets what it names of the `TableSettings`. What it leaves out stays. */
type ChangeSettings = {
  advice?: "best" | "odds" | "off";
  dice_set?: string;
  keeps_pictures?: boolean;
};

/**
 * The step that an undo or a correction changed, as it was before. `player`: of an undone step. For a correction,
 * `dropped`: the number of steps dropped; `settled`: the number of adjustments added.
 */
type ChangedStep = {
  player?: number | null;
  action: Action;
  dropped?: number;
  settled?: number;
};

/** Does one way of the watching camera's proposal `id`. */
type ChooseWay = {
  version: number;
  request: string;
  plays_for?: number | null;
  id: string;
  way: number;
};

/** Closes the table for changes, or opens it again. Only the owner's phone may. */
type CloseTable = {
  closed?: boolean;
};

/** Has a program told what happens, at this address. Who may: as with `NewProgram`. */
type ConnectWebhook = {
  name: string;
  address: string;
};

/**
 * Replaces a step, counted from 1. `said`: as in the preview. Without `said`, later steps that no longer hold are
 * dropped with `drop_tail`, else the correction is refused. `forced`: as in `Act`, after a corrected last throw.
 */
type Correct = {
  version: number;
  request: string;
  plays_for?: number | null;
  step: number;
  action: Action;
  said?: (number | null)[] | null;
  drop_tail?: boolean;
  forced?: boolean;
};

type CorrectedTable = {
  round: number;
  table: number;
};

/**
 * What a correction of this `version` would change. `was`, `seq`: the step's present action and its log line;
 * `choices`: the other actions legal at that step. `dropped`: the steps of the running turn that would go. `turn`:
 * now and then. `set_aside`: what is then set aside by itself; `after` and `turn` count it.
 */
type CorrectionPreview = {
  version: number;
  was: Action;
  seq: number;
  before: Score[];
  after: Score[];
  settled: SettledSteps[];
  dropped: number;
  choices: Action[];
  turn: [TurnPreview, TurnPreview];
  set_aside: Action | null;
  over: boolean;
};

/** When the winner took the lead for good: in his turn number `turn` of `turns`, which brought `points`. */
type Decided = {
  player: number;
  turn: number;
  turns: number;
  points: number;
};

/**
 * Deletes the table, or brings it back within a minute. Only the owner's phone may delete it, at a table without an
 * owner any phone; only the phone that deleted it brings it back.
 */
type DeleteTable = {
  deleted?: boolean;
};

/** Tells nothing more at this address. */
type DisconnectWebhook = {
  webhook: string;
};

/** What is told of a game at its end. `decided`: null without a single winner, or if he never led by turns. */
type Ending = {
  version: number;
  best: BestThrow | null;
  decided: Decided | null;
};

/**
 * What a person says is in the photo `reading`; it may become training data. `dice`: the dice thrown; `aside`: the
 * dice beside the throw. The first 200 of each count.
 */
type Evidence = {
  reading: string;
  dice?: MarkedDie[];
  aside?: MarkedDie[];
};

/**
 * What a phone saw in its photo, as JSON: `seen`, to the question of this `number`. Number 0 asks for the first one;
 * null: it gives up.
 */
type EyeAnswer = {
  number?: number;
  seen?: string | null;
};

/** A die that the reader found. `alternatives`: the other values, likeliest first. */
type FoundDie = {
  value: number;
  confidence: number;
  sure: boolean;
  box: [number, number, number, number];
  alternatives: number[];
};

/**
 * A page of the history, from the newest step back: the steps that still stand, and the lines of the log that made
 * them, undid or corrected something. Each list has the oldest first. `places`: of each of the `moves`. `next`:
 * names the page before, if there is one.
 */
type GameHistory = {
  version: number;
  moves: Move[];
  places: StepPlace[];
  log: HistoryLine[];
  next: string | null;
};

/**
 * Something in the last step that all at the table look up for. `points`: lost by a bust, or brought by a player's
 * best turn so far. `dice`: the ones that are alike.
 */
type GameMoment = {
  kind: "alike" | "best-turn" | "bust" | "lead";
  player: number;
  points?: number;
  dice?: number[];
};

/** `points`: what the action brings on a sheet, with its bonus. */
type HallChoice = {
  action: Record<string, any>;
  points: number | null;
};

/**
 * The hall's throw. `number`: of the last throw; `throws`: of the round, 0 if that is not fixed; `id`: 0 without
 * one; `open`: people may choose; `told`: the round is over; `left_s`: as of a round; `answered`: of `people`;
 * `best`: the most points that these throws could have brought to who knew all of them, null while it is played or
 * not known.
 */
type HallOfNight = {
  number: number;
  throws: number;
  id: number;
  dice: number[];
  open: boolean;
  told: boolean;
  left_s: number | null;
  answered: number;
  people: number;
  best: number | null;
};

/**
 * A person's part of a round. `choices`: for the open throw; `chosen`: what was chosen of them; `further`: what has
 * still to be chosen after it. `sheet`: as a standing has it, with what was chosen; `corrected`: the numbers of the
 * throws that were corrected later.
 */
type HallSheet = {
  round: number;
  hall: HallOfNight;
  choices: HallChoice[];
  chosen: Record<string, any>[];
  further: HallChoice[];
  total: number;
  sheet: Record<string, any>;
  corrected: number[];
};

interface Happened {
  event: string;
  [key: string]: any;
}

type HistoryLine = {
  seq: number;
  body: Record<string, any>;
  device: string;
  at: string;
  changed: ChangedStep | null;
};

/** Stops the countdown of this proposal, since somebody touched a phone. */
type HoldProposal = {
  id: string;
};

/**
 * The standing of a person, or of a team. `person`: the first of its `people`; `total`: what counts (`adds`);
 * `by_round`: the points of each round, null for one not played; `in_final`: whether the place comes from a final.
 */
type LineOfNight = {
  person: number;
  people: number[];
  name: string;
  place: number;
  total: number;
  points: number;
  wins: number;
  by_round: (number | null)[];
  here: boolean;
  in_final: boolean;
};

/**
 * A person's standing. `number`: of the person in this season; `played`: nights; `wins`: of nights; `best`: night;
 * `by_night`: what each night brought, null where the person did not play; `left_out`: the nights that do not count,
 * from 1; `ratings`: after each night, null before the first one; empty without the package that rates.
 */
type LineOfSeason = {
  number: number;
  name: string;
  place: number;
  total: number;
  played: number;
  wins: number;
  best: number;
  by_night: (number | null)[];
  left_out: number[];
  ratings: (number | null)[];
};

/** A phone that has been at a table, as the owner sees it. `phone`: its tag; `at`: when it came. */
type ListedPhone = {
  phone: string;
  name: string;
  at: string;
  out: boolean;
  owner: boolean;
};

/** A program that a table lets in. `program`: its tag; `may`: "read", "act" or "show"; `at`: since when. */
type ListedProgram = {
  program: string;
  name: string;
  may: string;
  at: string;
};

/**
 * An address where a program is told what happens. `failure`: why the last try failed, or "": the answer's status,
 * "no-answer", "certificate", "unknown-host" or "not-allowed"; `missed`: events it was not told, since the start.
 */
type ListedWebhook = {
  webhook: string;
  name: string;
  address: string;
  at: string;
  failure: string;
  missed: number;
};

/** A die that a person confirmed or marked in the photo. */
type MarkedDie = {
  value: number;
  box: [number, number, number, number];
};

/**
 * A step of the record: the player, the phone, the time, and what followed by itself. `player`: null for a step that
 * concerns all. `seq`: the number of its log line. `gained`: the points of a set-aside that came with its throw, as
 * the only legal action. `corrected_by`: the phone that corrected it.
 */
type Move = {
  player: number | null;
  action: Action;
  device: string;
  at: string;
  seq: number;
  events: Happened[];
  gained?: number;
  corrected_by?: string;
};

/**
 * Makes a token for a program. Only the owner's phone may; at a table without an owner any phone. `may`: only read,
 * or act as well; or show the table on a page without controls.
 */
type NewProgram = {
  name: string;
  may?: "act" | "read" | "show";
};

/** A token, which is shown once. `table`: the id of the table, for the addresses of `/api/v1`. */
type NewToken = {
  token: string;
  table: string;
};

/** A new address. `secret`: what is told there is signed with it; it is shown this once. */
type NewWebhook = {
  webhook: string;
  secret: string;
};

/**
 * A night. `stage`: people come; a round is drawn; it is played; its results are there; the night is over. `round`:
 * the last one, drawn or played; `next`: what comes after it; `planned`: how many rounds, 0 if that depends on who
 * is out.
 */
type NightDocument = {
  name: string;
  at: string;
  stage: "between" | "coming" | "drawn" | "over" | "playing";
  next: "end" | "final" | "round";
  adds: "places" | "points" | "wins";
  planned: number;
  finalists: number;
  people: number;
  rounds: number;
  round: RoundOfNight | null;
  standings: LineOfNight[];
  corrected: CorrectedTable[];
  throw: ThrowOfNight | null;
  ended: string;
};

type NightOfSeason = {
  name: string;
  at: string;
};

/**
 * What a table's script needs besides the state. `address`: of the table. `short`, `server`: this server's address,
 * to be typed and whole. `others`: its other addresses. `texts`: the addresses of the texts in this language, for
 * what a page loads first and later. `sheets`: the script in web/static/sheets that draws this game. `play`: names
 * this game in play logs; `bgg_id`: of the game at BoardGameGeek. `eye`: the script by which a phone looks into its
 * photos itself, where the host offers it.
 */
type PageSetup = {
  key: string;
  base: string;
  code: string;
  address: string;
  short: string;
  server: string;
  others: string[];
  game: string;
  title: string;
  sentences: Record<string, any>;
  series: Series;
  keep_corrections: boolean;
  language: string;
  languages: Record<string, string>;
  texts: string[];
  sheets: string;
  device: string;
  owner: boolean;
  may_delete: boolean;
  play: string;
  bgg_id: number | null;
  secure: boolean;
  eye?: string;
};

/** The photo under review: its state and, once it is read, its dice. */
type Pending = {
  id: string;
  status: "failed" | "read" | "waiting";
  place: number;
  device: string;
  expects: number;
  version: number;
  dice: FoundDie[];
  aside: FoundDie[];
  asks: RefusalDocument[];
  sure: boolean;
  problem: RefusalDocument | null;
  source: string;
  beside: number[];
  keep: number[] | null;
  set_aside?: number[] | null;
  request?: string;
  width?: number;
  height?: number;
  would?: ThrowOutcome;
};

/** One player's place and score. Games add keys. */
interface Player {
  adjusted?: Record<string, any>[];
  adjusted_by?: number;
  joining?: boolean;
  name: string;
  out?: boolean;
  place: number | null;
  score: number;
  [key: string]: any;
}

/**
 * Asks what correcting a step, counted from 1, would change. `said`: points for each turn that must be settled;
 * null: what it was worth.
 */
type PreviewCorrection = {
  step: number;
  action: Action;
  said?: (number | null)[] | null;
};

/**
 * Asks what this throw would allow. `keep`: the dice that stayed; if it does not fit, the answer has those that may
 * have.
 */
type PreviewThrow = {
  dice: number[];
  keep?: number[] | null;
};

/**
 * How the throws of a table are proved. `code`: of the log's last line, to be compared. `elsewhere`: how many
 * pictures did not come with the record that the table began with.
 */
type ProofView = {
  code: string;
  elsewhere: number;
};

/** A recent line of the table's log. A phone knows its own changes by their `request`. */
type RecentLine = {
  seq: number;
  kind: "correct" | "do" | "undo";
  body: Record<string, any>;
  device: string;
  at: string;
  request: string;
};

/**
 * A refusal, or a question of the reader. `text`: in English, for all phones; `message`: in the language of the
 * phone that asked.
 */
type RefusalDocument = {
  reason: string;
  params: Record<string, any>;
  text?: string;
  message?: string;
};

/** Removes a phone, or lets it in again. "others": all phones but the owner's. Only the owner's phone may. */
type RemovePhone = {
  phone: string;
  out?: boolean;
};

/** Takes the token of this program back. */
type RemoveProgram = {
  program: string;
};

/**
 * `began`: UTC, "" before its bell; `left_s`: the seconds that are left while it is played, below 0 once time is up,
 * null without a limit; `out`: the names of those who sit out; `in_pairs`: those of odd and of even seats play
 * together; `hall`: where all write the same throws.
 */
type RoundOfNight = {
  number: number;
  game: string;
  final: boolean;
  seed: number;
  began: string;
  left_s: number | null;
  tables: TableOfNight[];
  out: string[];
  in_pairs: boolean;
  hall: HallOfNight | null;
};

type Score = {
  name: string;
  score: number;
  place: number | null;
};

/**
 * A season, as its latest night plans it. `adds`: what counts (`web.clubs.standings`), "placings" where nights
 * differ; `left_out`: how many nights of each person do not count; `rated`: the package that rates is there.
 */
type SeasonDocument = {
  name: string;
  adds: string;
  left_out: number;
  rated: boolean;
  nights: NightOfSeason[];
  standings: LineOfSeason[];
};

/** `points`, `place`: what this table brought, null while it plays. */
type SeatedPerson = {
  person: number;
  name: string;
  points: number | null;
  place: number | null;
};

/** A die that lies there, for the picture on a stand's own page. `box`: x0, y0, x1, y1 in pixels of its frames. */
type SeenDie = {
  value: number;
  sure: boolean;
  box: [number, number, number, number];
};

/**
 * Sends a photo of the throw that comes now, after the dice in `keep` were kept. `request`: the photo's id, if the
 * phone sends it again, also in another size. `replaces`: the id of the photo under review that this one may
 * replace, "" for none; null: any. `by_phone`: the phone looks into it itself, see `EyeAnswer`; the server reads it
 * if it does not.
 */
type SendPhoto = {
  version: number;
  request?: string | null;
  replaces?: string | null;
  keep?: number[] | null;
  by_phone?: boolean;
};

/** The games of a series that are over, and how many each player has won; a shared first place counts. */
type Series = {
  games: number;
  names: string[];
  wins: number[];
};

/**
 * Starts or stops watching the table with the server's camera, or sets how it is watched. `by_itself`: a sure throw
 * is confirmed after some seconds. `region`: x and y of the four corners of the part that counts, as fractions of
 * the picture; null: all of it. `stand`: the sending phone, on a stand, watches under this id, which it chose.
 */
type SetWatching = {
  on?: boolean;
  stand?: string | null;
  by_itself?: boolean;
  region?: number[] | null;
};

/**
 * The adjustments that replace `drop` steps which no longer hold. `allowed`: the set-asides that the rules allow in
 * the place of the one that no longer holds, the best first; `points`: what the turn would bring with each.
 */
type SettledSteps = {
  drop: number;
  because: RefusalDocument | null;
  adjustments: Action[];
  allowed: Action[];
};

/**
 * What a phone on a stand is told after a frame. `more`: nothing has come to rest yet, so the next frame is wanted
 * even if nothing changes. `picture`: the id of a rest whose full picture is wanted.
 */
type StandAnswer = {
  more: boolean;
  picture: string | null;
  dice: SeenDie[];
};

/** The standing of the game (docs/standing.md). Games add keys. */
interface Standing {
  events: Happened[];
  game: string;
  legal: Action[];
  options: Record<string, any>;
  order: number[];
  over: boolean;
  players: Player[];
  to_act: number[];
  turn: TurnView;
  version: number;
  winners: number[];
  [key: string]: any;
}

/**
 * Where a step is in the game. `number`: in the record, from 1. `turn`: the number of its turn among those of the
 * player `turn_of`, null where all write the same throw, or in rounds. `throw`: how many throws the turn has had.
 */
type StepPlace = {
  number: number;
  turn_of: number | null;
  turn: number;
  throw: number;
};

/**
 * The advice of a table (docs/interfaces.md). `again`: after so many seconds the phone asks for the rest. `odds`: of
 * the next throw, if there is nothing to choose. `without`: why there is no best play; "computer": numpy is missing.
 */
type TableAdvice = {
  version: number;
  mode: "best" | "odds" | "off";
  player: number | null;
  again: number | null;
  unit: "points" | "turns" | "win" | null;
  exact: boolean | null;
  value: number | null;
  odds: Record<string, number>;
  choices: AdvisedChoice[];
  without: "computer" | "failed" | "memory" | "players" | "solving" | null;
};

/**
 * `code`: the short code, "" before the bell; `steps`: how many were played, 0 at the end; `slowest`: of several
 * that still play it is the furthest behind; `by_desk`: the desk wrote its totals; `corrections`: how often they
 * changed later.
 */
type TableOfNight = {
  number: number;
  code: string;
  people: SeatedPerson[];
  told: boolean;
  by_desk: boolean;
  corrections: number;
  steps: number;
  slowest: boolean;
};

/**
 * What any phone may set for a table; it goes along to the next one. `advice`: how much the table advises;
 * `dice_set`: the name of its dice, "" for none; `keeps_pictures`: a small one of each throw, as proof.
 */
type TableSettings = {
  advice: "best" | "odds" | "off";
  dice_set: string;
  keeps_pictures: boolean;
};

/** Takes such a photo with the server's camera. */
type TakePhoto = {
  version: number;
  keep?: number[] | null;
};

/**
 * What may be done with a throw in the same request: `actions`, in order. `points`: those banked, or of the turn
 * that goes on; `dice_left`: to be thrown then, 0 if the turn ends.
 */
type ThrowChoice = {
  actions: Action[];
  points: number;
  dice_left: number;
};

/**
 * The rarest throw so far. `name`: whose it was, "" of nobody alone; `odds`: one throw of as many dice in so many is
 * as rare; `line`: of the table's log, whose picture may be shown, 0 without one.
 */
type ThrowOfNight = {
  round: number;
  table: number;
  name: string;
  dice: number[];
  odds: number;
  line: number;
};

/**
 * The parts of the standing after a throw is confirmed. `choices`: of games with points of a turn, the sensible ones
 * first; on a sheet `legal` has them.
 */
type ThrowOutcome = {
  to_act: number[];
  turn: TurnView;
  legal: Action[];
  events: Happened[];
  choices: ThrowChoice[];
};

/**
 * `would`: null if the throw is not legal. `stayed`: which dice may lie there since the throw before, if fewer were
 * thrown than were told; `keep`: the only choice, with which `would` is told; null: a person must say.
 */
type ThrowPreview = {
  would: ThrowOutcome | null;
  keep: number[] | null;
  stayed: number[][];
};

/**
 * What a phone that is being set up on a stand is told after a frame. `state`: of the watch, "waiting", "moving",
 * "resting" or "blind", then with a `reason`. `more`: as in `StandAnswer`. `dice`: at rest now. `throws`: how often
 * new dice came to rest, but for the first; `thrown`: those that did last.
 */
type TrialAnswer = {
  state: string;
  reason: string;
  hand: boolean;
  more: boolean;
  dice: SeenDie[];
  throws: number;
  thrown: SeenDie[];
};

/** Who must act, and the points of the running turn. */
type TurnPreview = {
  to_act: number[];
  points: number;
};

/** The running turn. Games add keys. */
interface TurnView {
  dice_left: number;
  expects: number;
  player: number | null;
  points: number;
  throw: number[];
  [key: string]: any;
}

/** Takes back the last step. */
type Undo = {
  version: number;
  request: string;
  plays_for?: number | null;
};

/** What an undo of this `version` would take back. `turn`: the points of the turn before and after. */
type UndoPreview = {
  version: number;
  move: Move;
  before: Score[];
  after: Score[];
  turn: [number | null, number | null];
};

/**
 * The state of a table, the same for all its phones. `id` names the table to programs. `stamp` changes with each
 * state and each start of the server. `version`: the number of log lines; `steps`: the number of steps in the
 * record. `came_with`: the steps that an undo takes back with the last one, in order. `moments`: of the last step;
 * none after an undo or a correction, or at the game's end. `next`: the key of the table that follows. `lost`: how
 * many log lines a damage took, 0 if unknown; null: none. `learnt`: how many photos gave training samples of the
 * dice; `forgotten`: how often these were deleted, and by which phone last. `set_by`: the phones that chose these
 * settings at this table. `guarded`: new phones need the `code`. `proof`: missing if the table has never kept
 * pictures of its throws.
 */
type View = {
  id: string;
  stamp: string;
  version: number;
  standing: Standing;
  pending: Pending | null;
  watched: WatchView | null;
  recent: RecentLine[];
  last_move: Move | null;
  came_with: Move[];
  moments: GameMoment[];
  steps: number;
  next: string | null;
  lost: number | null;
  learnt: number;
  forgotten: [number, string];
  settings: TableSettings;
  set_by: Record<string, string>;
  closed: boolean;
  guarded: boolean;
  code: string;
  reader: boolean;
  reader_problem: RefusalDocument | null;
  camera: boolean;
  proof?: ProofView;
};

/**
 * What the watching camera sees and proposes. `ways`: what may be chosen now, the proposed way first; `id` names
 * this proposal. `dice`: how many lie there. `done`: the version to which the camera brought the table, or -1.
 * `region`: x and y of the corners of the part that counts, as fractions of the picture. `runs_s`: seconds after
 * which the first way is done by itself. `stand`: the name of the phone on a stand that watches; null: the server's
 * camera.
 */
type WatchView = {
  hand: boolean;
  state: "blind" | "clear" | "looking" | "moving" | "over" | "put" | "resting" | "throw" | "trouble";
  reason?: string;
  sure?: boolean;
  problem?: RefusalDocument;
  ways?: Action[][];
  put?: Action[];
  doubtful?: number[];
  question?: RefusalDocument | null;
  refused?: RefusalDocument | null;
  id?: string;
  dice: number;
  done: number;
  by_itself: boolean;
  region: number[] | null;
  runs_s: number | null;
  stand: string | null;
};

type Command =
  | Act
  | Undo
  | Correct
  | ChangeSettings
  | RemovePhone
  | CloseTable
  | DeleteTable
  | RemoveProgram
  | DisconnectWebhook
  | HoldProposal
  | ChooseWay
  | PreviewCorrection
  | PreviewThrow
  | NewProgram
  | SendPhoto
  | EyeAnswer
  | TakePhoto
  | SetWatching
  | ConnectWebhook;
