// The types that the scripts share, for their type checker alone: no browser loads this. The server's are in wire.d.ts.

type Html = import("./shared/dom.js").Html;
/** What may stand in a template: a piece of HTML, or a text, which is escaped. */
type Content = Html | string;

/** What `button` of shared/buttons.js is told besides its act and its words. */
type ButtonDetails = {
  arg?: any;
  sign?: string;
  key?: string;
  label?: string | number;
  pressed?: boolean;
  off?: boolean;
  beside?: Content;
  more?: Content;
};

/** [x0, y0, x1, y1] in pixels of the photo. */
type Box = [number, number, number, number];

/** A cell as the actions name it: a category of a sheet, or [row, column] of a grid, counted from 1. */
/** `number`: which one, from 1, of a cell that stands several times; `round`: of a sheet by rounds. */
type Cell = { category?: string; column?: number; number?: number; cell?: [number, number]; round?: number };

/** What may come with an action. `at`: the version of the state that the person saw. */
type ActionDetails = {
  evidence?: Evidence;
  keep?: number[] | null;
  setAside?: number[] | null;
  then?: Action[];
  at?: number;
};

/** What drawing a page needs to know: of a table, its board or its printed sheet. */
type Context = {
  /** What the page said when it was loaded. */
  setup: PageSetup;
  /** What only this phone knows. */
  local: any;
  readonly state: View;
  readonly standing: Standing;
  /** Whether the server does not answer now. */
  readonly offline?: boolean;
  /** The player whom this phone plays for, null for all. */
  readonly playsFor: number | null;
  /** The player whose choices are shown, if several act at once; else null. */
  readonly shownPlayer?: number | null;
  /** The attribute that disables a button on a phone that may not act now. */
  readonly idle: Content;
  /** Nothing can be tapped here: this is the board, or paper. */
  watches?: boolean;
  printing?: boolean;
  /** Whether this phone may act for a player. */
  mayAct(player: number): boolean;
  name(player: number): string;
  /** The dice that are marked to be kept for the next throw; null if none may be kept now. */
  markedDice(): number[] | null;
  draw(): void;
};

/** The table's own page, on which people play. Each promise tells whether the change was done. */
type Page = Context & {
  act(action: Action, details?: ActionDetails): Promise<boolean>;
  discard(id: string): Promise<boolean>;
  attempt(what: () => Promise<unknown>, when?: { at?: number; waits?: boolean }): Promise<boolean>;
  /** Changes the table by a command that is no step of the game. */
  command(path: string, body: Command): Promise<boolean>;
  toast(text: string): void;
  panel: import("./dialogs/panel.js").Panel;
  table(): import("./shared/net.js").TableClient;
  /** Opens the photo under review; `die`: the number of one that is asked about. */
  openReview(die?: number): unknown;
  /** Whether this phone may tell a throw by a photo now. */
  wantsPhoto(): boolean;
  sheet?: Sheet;
};

/** What the panel shows: an object that is made when the dialog opens, with all that the dialog holds. */
type Dialog = {
  content(): Html;
  /** A class of the style; "full" covers the screen, "tall" most of it. */
  kind?: string;
  /** What its own buttons do. */
  handlers?: Handlers;
  /** The dialog from which this one was opened. The phone's way back leads there. */
  from?: Dialog;
  /** What closes the part that is open within the dialog; null while none is. */
  inner?(): (() => void) | null;
  /** Whether a person began a change that is lost when the dialog closes. */
  unsaved?(): boolean;
  /** Called when the dialog closes or gives way to another one; its content still stands. */
  closed?(): void;
  /** Called when one of its fields has changed. */
  changed?(event: Event): void;
  /** Called with a key that nothing else in the dialog takes; returns whether it did something. */
  key?(event: KeyboardEvent): boolean;
  /** Called with each new state. Returns whether the dialog was closed because the table has moved on. */
  update?(): boolean | void;
};

/**
 * A throw that is due. `count`: how many dice it has. `keep`: the dice that are kept for it; null if the rules do not
 * ask, or know them already. `key`: equal for equal throws.
 */
type DueThrow = { version: number; key: string; count: number; keep: number[] | null };

/** How something is answered: by a word, a large button, or a key. */
type AnswerKind = "yes" | "no" | "bank" | "pass" | "again" | "choice" | "photo";

/**
 * An answer: the `words` of its button, and what it `does` with its `argument` (voice/hands-free.js). `also`: another
 * word for it.
 */
type Answer = {
  kind: AnswerKind;
  also?: AnswerKind;
  words: string;
  does: "act" | "choose-way" | "look-again" | "confirm-photo" | "discard" | "next" | "press" | "write";
  argument?: any;
};

/**
 * What may be answered now. `id`: of this question alone. `words`: what is asked, "" if something may be done but
 * nothing is asked; `spoken`: what the voice says of that; `changed`: what it says where the same state was told before.
 */
type OpenQuestion = {
  id: string;
  version: number;
  words: string;
  spoken: string;
  changed?: string;
  answers: Answer[];
};

type Handlers = Record<string, (argument: any, element: HTMLElement, event: MouseEvent) => unknown>;

/** Draws a family of games. All have `sheet`, `turn` and `actions`. */
type Sheet = {
  sheet(ctx: Context): Content;
  /** The sheets of all players, for paper, if `sheet` draws that of one player. */
  paper?(ctx: Context): Content;
  /** The parts of the printed page besides the sheet. */
  printedExtras?(ctx: Context): Content;
  turn(ctx: Context): Content;
  /** Of `turn`, what the board shows too, besides the dice and the points. */
  notes?(ctx: Context): Content;
  /** The buttons of the game's actions; null if the sheet itself is to be tapped. */
  actions(ctx: Context): Html | null;
  handlers?(ctx: Page): Handlers;
  /** Called once, on the page on which people play. */
  listen?(ctx: Page): void;
  /** All players with their scores, instead of the usual list. */
  players?(ctx: Context): Content;
  score?(ctx: Context, player: Player): Content;
  /** Below a player's score on the phone. */
  belowScore?(ctx: Context, player: Player, number: number): Content;
  /** Below a player's score on the board and on paper. */
  playerDetails?(ctx: Context, player: Player): Content;
  heading?(ctx: Context): Content;
  /** What does what is marked in `preview` with the throw, and its words; null while nothing whole is marked. */
  previewAction?(ctx: Context): { words: string; then: Action[] } | null;
  gameOver?(ctx: Context): Content;
  markedDice?(ctx: Context): number[] | null;
  /** Called with each new state. */
  update?(ctx: Context): void;
  /** Whether this phone's choice stays after a line of the log. */
  survives?(ctx: Context, line: RecentLine): boolean;
  shownPlayer?(ctx: Context): number | null;
  /** Of a throw that waits to be confirmed: the choices that it would bring. */
  preview?(ctx: Context): Content;
};

interface Navigator {
  /** Only browsers on Android have it. */
  readonly connection?: EventTarget;
}

// A script finds what its own page's template has. Where that may be missing, the variable's type says `| null`.
interface Document {
  getElementById<E extends Element | null = HTMLElement>(id: string): E;
}
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K];
  querySelector<E extends Element | null = HTMLElement>(selector: string): E;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selector: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selector: string): NodeListOf<E>;
}
interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K];
  closest<E extends Element | null = HTMLElement>(selector: string): E;
}

interface Window {
  /** Keeps the last tap on an act before the page's scripts have come (pages/theme.js): the element, as it was then. */
  keepTap?: (event: MouseEvent) => void;
  keptTap?: { element: Element; is: string } | null;
}
