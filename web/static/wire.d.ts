// Made by docs/json_schema.py of the types in web/session: what the server tells, and what it is asked.

/**
 * One action of the game. `keep`, `set_aside`: the dice that were kept or set aside for this throw; they are
 * recorded with it. `forced`: a throw is set aside at once where it allows a single set-aside. `evidence`: of a
 * throw that was read from a photo.
 */
type Act = {
  version: number;
  request: string;
  plays_for?: number | null;
  action: Action;
  keep?: number[] | null;
  set_aside?: number[] | null;
  forced?: boolean;
  evidence?: Evidence | null;
};

type Action = {
  do: string;
  [key: string]: any;
};

/** A legal action with its odds. `loss`: its cost against best play, in the unit of the advice. */
type AdvisedChoice = {
  action: Action;
  odds: Record<string, number>;
  loss?: number;
};

/**
 * The step that an undo or a correction changed, as it was. `player`: of an undo. Of a correction `dropped`: how
 * many steps went; `settled`: how many adjustments came.
 */
type ChangedStep = {
  player?: number | null;
  action: Action;
  dropped?: number;
  settled?: number;
};

/** Does what the watching camera proposes under this id, or its other way. */
type ChooseWay = {
  version: number;
  request: string;
  plays_for?: number | null;
  id: string;
  way: number;
};

/** Whether nothing more may be done at the table. Only the owner's phone may. */
type CloseTable = {
  closed?: boolean;
};

/**
 * Replaces a step, counted from 1. `said`: as in the preview. Without, what no longer holds is refused, or goes with
 * `drop_tail`.
 */
type Correct = {
  version: number;
  request: string;
  plays_for?: number | null;
  step: number;
  action: Action;
  said?: (number | null)[] | null;
  drop_tail?: boolean;
};

/**
 * What a correction would bring. `version`: what it is to name. `was`, `seq`: the step's action now, and its line;
 * `choices`: what else was legal then. `dropped`: steps of the running turn that would go.
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
  over: boolean;
};

/**
 * What the person says is in the photo `reading`; it may become training data. `dice`: those thrown; `aside`: those
 * that lay beside the throw. Of each the first 200 count.
 */
type Evidence = {
  reading: string;
  dice?: MarkedDie[];
  aside?: MarkedDie[];
};

/** A die that the reader found. `alternatives`: the other values, likeliest first. */
type FoundDie = {
  value: number;
  confidence: number;
  sure: boolean;
  box: [number, number, number, number];
  alternatives: number[];
};

/** All steps of the game, and the log's lines: also the undone ones and the corrections. */
type GameHistory = {
  version: number;
  moves: Move[];
  log: HistoryLine[];
};

type Happened = {
  event: string;
  [key: string]: any;
};

type HistoryLine = {
  seq: number;
  body: Record<string, any>;
  device: string;
  at: string;
  changed: ChangedStep | null;
};

/** Somebody touched a phone: this proposal is not confirmed by itself. */
type HoldProposal = {
  id: string;
};

/** A phone that has been at a table, for its owner. `phone` names it there, `at`: when it came. */
type ListedPhone = {
  phone: string;
  name: string;
  at: string;
  out: boolean;
  owner: boolean;
};

/** A die as a person confirmed or marked it in the photo. */
type MarkedDie = {
  value: number;
  box: [number, number, number, number];
};

/**
 * A step of the record: who did it, by which phone, when, and what followed by itself. `player`: null for what
 * concerns all. `seq`: the number of the log line that made it. `gained`: the points of a set-aside that came with
 * its throw. `corrected_by`: the phone that corrected it.
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

/** What the people call their dice; "" for no name. */
type NameDice = {
  name: string;
};

/**
 * What a table's script needs besides the state. `address`: of the table. `short`, `server`: this server's address,
 * to be typed and whole. `others`: its other addresses. `texts`: the address of the texts in this language.
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
  texts: string;
  device: string;
  owner: boolean;
  secure: boolean;
};

/** The photo under review: how far it is, and once it is read what was found in it. */
type Pending = {
  id: string;
  status: "failed" | "read" | "waiting";
  place: number;
  source: string;
  device: string;
  expects: number;
  beside: number[];
  keep: number[] | null;
  version: number;
  dice: FoundDie[];
  aside: FoundDie[];
  asks: RefusalDocument[];
  sure: boolean;
  problem: RefusalDocument | null;
  set_aside?: number[] | null;
  request?: string;
  width?: number;
  height?: number;
  would?: ThrowOutcome;
};

/** Where one player stands. Games add keys. */
type Player = {
  adjusted?: Record<string, any>[];
  adjusted_by?: number;
  joining?: boolean;
  name: string;
  out?: boolean;
  place: number | null;
  score: number;
  [key: string]: any;
};

/**
 * What correcting a step, counted from 1, would change. `said`: points for the turns that must be settled, null for
 * what each was worth.
 */
type PreviewCorrection = {
  step: number;
  action: Action;
  said?: (number | null)[] | null;
};

/** What this throw would leave to be chosen on the sheet. */
type PreviewThrow = {
  dice: number[];
  keep?: number[] | null;
};

/** A line of the table's log. A phone knows its own changes by their `request`. */
type RecentLine = {
  seq: number;
  kind: "correct" | "do" | "undo";
  body: Record<string, any>;
  device: string;
  at: string;
  request: string;
};

/**
 * What a refusal, or a question of the reader, says. `text`: in English, in what all phones are told; `message`: in
 * the language of the phone that asked.
 */
type RefusalDocument = {
  reason: string;
  params: Record<string, any>;
  text?: string;
  message?: string;
};

/** Removes a phone, or lets it in again; "others": all but the owner's. Only the owner's phone may. */
type RemovePhone = {
  phone: string;
  out?: boolean;
};

type Score = {
  name: string;
  score: number;
};

/**
 * A photo of the throw that comes now, after the dice in `keep` were kept. `request`: by which the phone may send it
 * again, also in another size. `stand`: nobody took it, the phone watches.
 */
type SendPhoto = {
  version: number;
  request?: string | null;
  keep?: number[] | null;
  stand?: boolean;
};

/** The games of a series that are over, and how many each player has won; a shared first place counts. */
type Series = {
  games: number;
  names: string[];
  wins: number[];
};

/** How much the table advises on all its phones from now on. */
type SetAdvice = {
  advice: "best" | "odds" | "off";
};

/**
 * Has the server's camera watch the table, or no longer. `by_itself`: what is sure is confirmed after some seconds.
 * `region`: the four corners of what counts, x and y in turn, as fractions of the picture; null: all of it.
 */
type SetWatching = {
  on?: boolean;
  by_itself?: boolean;
  region?: number[] | null;
};

/** What takes the place of `drop` steps that no longer hold. */
type SettledSteps = {
  drop: number;
  because: RefusalDocument | null;
  adjustments: Action[];
};

/** Where the game stands: docs/standing.md. Games add keys. */
type Standing = {
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
};

/**
 * The advice of a table (docs/interfaces.md). `again`: after so many seconds the phone asks for the rest. `odds`: of
 * the next throw, if there is nothing to choose. `without`: why there is no best play.
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
  without: "failed" | "memory" | "players" | "solving" | null;
};

/** The same with a picture of the server's camera. */
type TakePhoto = {
  version: number;
  keep?: number[] | null;
};

/** What stands once a throw is confirmed, where something is to be chosen on the sheet then. */
type ThrowOutcome = {
  to_act: number[];
  turn: TurnView;
  legal: Action[];
};

type ThrowPreview = {
  would: ThrowOutcome | null;
};

/** What is on the table. Games add keys. */
type TurnView = {
  dice_left: number;
  expects: number;
  player: number | null;
  points: number;
  throw: number[];
  [key: string]: any;
};

/** Takes back the last step. */
type Undo = {
  version: number;
  request: string;
  plays_for?: number | null;
};

/** What an undo would take back. `version`: what it is to name; `turn`: the points of the turn before and after. */
type UndoPreview = {
  version: number;
  move: Move;
  before: Score[];
  after: Score[];
  turn: [number | null, number | null];
};

/**
 * The state of a table, as all its phones are told it. `stamp` changes with each state and each start of the server;
 * `version`: lines in the log; `steps`: in the record. `came_with`: the step that an undo takes back beside the last
 * one. `next`: the key of the table that follows. `lost`: how many lines a damage of the store took, 0 for some;
 * null: none. `learnt`: how many photos taught what the dice look like; `forgotten`: how often that was forgotten,
 * and by which phone last. `guarded`: new phones need the `code`.
 */
type View = {
  stamp: string;
  version: number;
  standing: Standing;
  pending: Pending | null;
  watched: WatchView | null;
  recent: RecentLine[];
  last_move: Move | null;
  came_with: Move | null;
  steps: number;
  next: string | null;
  lost: number | null;
  learnt: number;
  forgotten: [number, string];
  advice: "best" | "odds" | "off";
  advised_by: string;
  dice_set: string;
  closed: boolean;
  guarded: boolean;
  code: string;
  reader: boolean;
  reader_problem: RefusalDocument | null;
  camera: boolean;
};

/**
 * What the watching camera sees and proposes. `ways`: what may be chosen now, the first proposed; `id` names them.
 * `dice`: how many lie there. `done`: the version to which the camera brought the table, or -1. `region`: the
 * corners of what counts, x and y in turn, as fractions of the picture. `runs_s`: seconds after which the first way
 * is done by itself.
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
};

type Command =
  | Act
  | Undo
  | PreviewCorrection
  | Correct
  | PreviewThrow
  | SetAdvice
  | NameDice
  | RemovePhone
  | CloseTable
  | SendPhoto
  | TakePhoto
  | SetWatching
  | HoldProposal
  | ChooseWay;
