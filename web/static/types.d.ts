// What the scripts hand each other, for their type checker alone: no browser loads this. The keys of a standing are
// those of docs/standing.md, the keys of the other documents those of docs/interfaces.md.

type Html = import("./shared/dom.js").Html;
/** What may stand in a template: a piece of HTML, or what is escaped. */
type Content = Html | string;

/** x0, y0, x1, y1 in pixels of the photo. */
type Box = [number, number, number, number];

type Action = { do: string; [key: string]: any };

/** A cell as the actions name it: of a sheet, or of a knaster grid. */
type Cell = { category?: string; column?: number; cell?: [number, number] };

/** What a refusal, or a question of the reader, says. */
type Refusal = { reason: string; params?: Record<string, any>; text?: string; message?: string };

type Player = {
  name: string;
  score: number;
  place: number | null;
  out?: boolean;
  joining?: boolean;
  adjusted?: any[];
  adjusted_by?: number;
  [key: string]: any;
};

type Standing = {
  game: string;
  options: Record<string, any>;
  over: boolean;
  winners: number[];
  to_act: number[];
  players: Player[];
  order: number[];
  turn: {
    player: number | null;
    points: number;
    dice_left: number;
    expects: number;
    throw: number[];
    [key: string]: any;
  };
  legal: Action[];
  events: any[];
  [key: string]: any;
};

type FoundDie = { value: number; confidence: number; sure: boolean; box: Box; alternatives: number[] };

/** The photo under review: how far it is, and once it is read what was found in it. */
type Pending = {
  id: string;
  status: "waiting" | "read" | "failed";
  place: number;
  source: "photo" | "stand" | "camera" | "watch";
  device: string;
  expects: number;
  beside: number[];
  keep: number[] | null;
  set_aside?: number[] | null;
  version: number;
  dice: FoundDie[];
  aside: FoundDie[];
  asks: Refusal[];
  sure: boolean;
  problem: Refusal | null;
  width?: number;
  height?: number;
  /** What stands once it is confirmed, where something is to be chosen on the sheet then. */
  would?: Pick<Standing, "to_act" | "turn" | "legal">;
};

/** A line of the table's log. */
type Line = { seq: number; at: string; kind: "do" | "undo" | "correct"; device: string; request: string; body: any };

/** The state of a table as the server tells it. */
type State = {
  stamp: string;
  version: number;
  standing: Standing;
  pending: Pending | null;
  watched: any;
  recent: Line[];
  last_move: any;
  steps: number;
  next: string | null;
  learnt: number;
  advice: "off" | "odds" | "best";
  /** Whoever started the table has closed it. */
  closed: boolean;
  /** A phone was removed: new ones need the short code. */
  guarded: boolean;
  code: string;
  camera: boolean;
  reader: boolean;
  reader_problem: Refusal | null;
  [key: string]: any;
};

/** What comes with an action: `at`, the version that the person saw. */
type With = { evidence?: any; keep?: number[] | null; setAside?: number[] | null; at?: number };

/** What draws a page, and what its drawing needs to know. */
type Context = {
  /** What the page said once: key, base, texts, names, options. */
  setup: any;
  /** What only this phone knows. */
  local: any;
  readonly state: State;
  readonly standing: Standing;
  /** The player whom this phone plays for, null for all. */
  readonly playsFor: number | null;
  /** Whose choices are shown where several act at once, else null. */
  readonly shownPlayer?: number | null;
  /** For what can be tapped only on a phone that may act now. */
  readonly idle: Content;
  /** Nothing is to be tapped: the board, or paper. */
  watches?: boolean;
  printing?: boolean;
  /** Whether this phone may act for a player. */
  mayAct(player: number): boolean;
  name(player: number): string;
  /** The dice that are marked to be kept for the next throw; null where none may be kept now. */
  keep(): number[] | null;
  draw(): void;
};

/** The table's own page, on which things are done. */
type Page = Context & {
  act(action: Action, more?: With): Promise<boolean>;
  discard(id: string): Promise<boolean>;
  tried(what: () => Promise<unknown>, when?: { at?: number; waits?: boolean }): Promise<boolean>;
  toast(text: string): void;
  table(): import("./shared/net.js").Table;
  /** Whether a photo may tell a throw on this phone now. */
  wantsPhoto(): boolean;
  sheet?: Sheet;
};

type Handlers = Record<string, (argument: any, element: HTMLElement, event: MouseEvent) => unknown>;

/** How a family of games is drawn: `sheet`, `turn` and `actions` always, the others where it has them. */
type Sheet = {
  sheet(ctx: Context, most?: number): Content;
  turn(ctx: Context): Content;
  /** null where the sheet itself is to be tapped. */
  actions(ctx: Context): Html | null;
  handlers?(ctx: Page): Handlers;
  /** All players with their scores, in the place of the usual list. */
  players?(ctx: Context): Content;
  score?(ctx: Context, player: Player): Content;
  /** Below a player's score: on the phone, and on the board and on paper. */
  under?(ctx: Context, player: Player, number: number): Content;
  told?(ctx: Context, player: Player): Content;
  heading?(ctx: Context): Content;
  over?(ctx: Context): Content;
  keep?(ctx: Context): number[] | null;
  /** After a new state. */
  heard?(ctx: Context): void;
  /** Whether what this phone has chosen stays chosen after a line of the log. */
  survives?(ctx: Context, line: Line): boolean;
  shownPlayer?(ctx: Context): number | null;
  /** Of a throw that waits to be confirmed: what it offers, and what writes the cell that is chosen. */
  ahead?(ctx: Context): Content;
  chosen?(ctx: Context): { action: Action; words: string } | null;
};

interface Navigator {
  /** Of browsers on Android. */
  readonly connection?: EventTarget;
}
