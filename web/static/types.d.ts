// What the scripts hand each other, for their type checker alone: no browser loads this. What the server tells and is
// asked is in wire.d.ts.

type Html = import("./shared/dom.js").Html;
/** What may stand in a template: a piece of HTML, or what is escaped. */
type Content = Html | string;

/** x0, y0, x1, y1 in pixels of the photo. */
type Box = [number, number, number, number];

/** A cell as the actions name it: of a sheet, or of a grid. */
type Cell = { category?: string; column?: number; cell?: [number, number] };

/** What comes with an action: `at`, the version that the person saw. */
type With = { evidence?: Evidence; keep?: number[] | null; setAside?: number[] | null; at?: number };

/** What draws a page, and what its drawing needs to know. */
type Context = {
  /** What the page said once. */
  setup: PageSetup;
  /** What only this phone knows. */
  local: any;
  readonly state: View;
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
  markedDice(): number[] | null;
  draw(): void;
};

/** The table's own page, on which things are done. */
type Page = Context & {
  act(action: Action, more?: With): Promise<boolean>;
  discard(id: string): Promise<boolean>;
  attempt(what: () => Promise<unknown>, when?: { at?: number; waits?: boolean }): Promise<boolean>;
  toast(text: string): void;
  panel: import("./dialogs/panel.js").Panel;
  table(): import("./shared/net.js").TableClient;
  /** Whether a photo may tell a throw on this phone now. */
  wantsPhoto(): boolean;
  sheet?: Sheet;
};

/** What the panel shows while it is open; an object of its own each time. */
type Dialog = {
  content(): Html;
  /** A class of the style; "full" covers the screen, "tall" most of it. */
  kind?: string;
  /** What its own buttons do. */
  handlers?: Handlers;
  /** Whether a person began a change that goes with it. */
  unsaved?(): boolean;
  /** It is closed, or another one takes its place; its content still stands. */
  closed?(): void;
  /** One of its fields has changed. */
  changed?(event: Event): void;
  /** There is a new state. Returns whether the dialog was closed because the table has moved on. */
  update?(): boolean | void;
  /** Of a throw that waits to be confirmed: the page as it would be after it; null where nothing may be chosen. */
  preview?(): Page | null;
};

/**
 * A throw that may be told now. `count`: its dice; `keep`: those that are kept for it, null where the rules do not ask
 * or know it already; `key`: equal for equal throws.
 */
type DueThrow = { version: number; key: string; count: number; keep: number[] | null };

type Handlers = Record<string, (argument: any, element: HTMLElement, event: MouseEvent) => unknown>;

/** How a family of games is drawn: `sheet`, `turn` and `actions` always, the others where it has them. */
type Sheet = {
  sheet(ctx: Context, most?: number): Content;
  /** The sheets of all players, for the board and for paper, where `sheet` draws one player's. */
  board?(ctx: Context, most?: number): Content;
  /** What stands on paper besides the sheet. */
  printedExtras?(ctx: Context): Content;
  turn(ctx: Context): Content;
  /** null where the sheet itself is to be tapped. */
  actions(ctx: Context): Html | null;
  handlers?(ctx: Page): Handlers;
  /** All players with their scores, in the place of the usual list. */
  players?(ctx: Context): Content;
  score?(ctx: Context, player: Player): Content;
  /** Below a player's score: on the phone, and on the board and on paper. */
  belowScore?(ctx: Context, player: Player, number: number): Content;
  playerDetails?(ctx: Context, player: Player): Content;
  heading?(ctx: Context): Content;
  gameOver?(ctx: Context): Content;
  markedDice?(ctx: Context): number[] | null;
  /** After a new state. */
  update?(ctx: Context): void;
  /** Whether what this phone has chosen stays chosen after a line of the log. */
  survives?(ctx: Context, line: RecentLine): boolean;
  shownPlayer?(ctx: Context): number | null;
  /** Of a throw that waits to be confirmed: what it offers, and what writes the cell that is chosen. */
  preview?(ctx: Context): Content;
  chosenMove?(ctx: Context): { action: Action; words: string } | null;
};

interface Navigator {
  /** Of browsers on Android. */
  readonly connection?: EventTarget;
}
