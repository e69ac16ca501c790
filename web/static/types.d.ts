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

// What the documents of some families of games have besides (docs/standing.md). A sheet reads what its own games have.
interface TurnView {
  dice: number[];
  kept?: number[];
  set_aside?: number[][];
  beside?: number[];
  pending?: Record<string, Duty[]>;
}
interface Player {
  columns: Column[];
  round_hands?: number[][][];
  round_points: number[][];
}
interface Standing {
  sheet: SheetForm;
  figures_list: string[];
  forbidden?: number[];
  letters: string[];
}

/** The cells of a sheet and its columns. */
type SheetForm = {
  columns: number[];
  upper: string[];
  lower: string[];
  difference: string[];
  orders: string[];
  factors?: number[];
  [key: string]: any;
};

/** What fills the {names} of a text. */
type Values = Record<string, any>;

/** A refusal, which may have no parameters. */
type Refusal = Partial<RefusalDocument> & { reason: string };

/** A player's column of a sheet: what its cells, and the boxes of cells written several times, hold. */
type Column = {
  column: number;
  cells: Record<string, number>;
  boxes?: Record<string, (number | null)[]>;
  [key: string]: any;
};

/** Where a cell of a sheet with columns stands; `own`: of a player who must act. */
type SheetPlace = { player: Player; who: number; column: number; cells: Column; own: boolean };

/** A line of a grid in which a player must circle so many of these cells. */
type Duty = { line: string; circles: number; cells: number[][] };

/** What is typed on the keys of a score pad. */
type Typed = { digits: string; minus: boolean };

/** Says an event of the game, or what came of it. */
type EventWords = Record<string, (ctx: Context, event: Happened) => Content>;

/** The advice that was requested last, its answer, and the timer of the next try. */
type AdviceState = { key: string; answer: TableAdvice | null; timer: number };

/** [x0, y0, x1, y1] in pixels of the photo. */
type Box = [number, number, number, number];

/** A part of a photo, in its pixels. */
type Area = { x: number; y: number; w: number; h: number };

/** Where a die's label stands; `line`: from the die to it, null where it stands beside it. */
type LabelPlace = { box: Box; line: Box | null };

/**
 * A die of a photo under review. `read`: the reader laid it aside; `told`: a person gave its value; `added`: or added
 * it; `looked`: or tapped it.
 */
type ReviewDie = Partial<FoundDie> & { value: number; box: Box; aside: boolean } & {
  [each in "read" | "told" | "added" | "looked"]?: boolean;
};

/** Which dice stayed before `of` were thrown: those that the rules allow, and those chosen, or null. */
type StayedDice = { of: number; options: number[][]; dice: number[] | null };

/** What a camera sees now. */
type CameraSight = { state: string; reason?: string; hand?: boolean; dice?: number; problem?: RefusalDocument };

type ReviewedPhoto = { width: number; height: number; dice: ReviewDie[] };

/** A step of the record, or what was at its place before it was undone or corrected. */
type StepOf = { action: Action; player?: number | null; events?: Happened[] };

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

/** What a phone was told of the open question (voice/questions.js). */
type AskedBefore = { id: string; passed: number; write: number; cells: { version: number; order: Action[] } | null };

/** The grey pixels of a small picture, row by row. */
type Glance = { pixels: Float32Array; width: number };

/** A text of a game's file: one for all, or by language with `en`, which is shown where a language has none. */
type LocalText = string | Record<string, string>;

/** How a combination or cell looks. */
type Look = { dice: number[]; words: string; title: string; titles: Record<string, string> };

type CommonItem = Look & { tables: Values };

/**
 * One combination or cell. `of`: its place in the original, null for a new one; `id`: its own number; `gone`: whether
 * it was removed. A house rule that a table may choose is an item without a look.
 */
type DraftItem = { id: number; of: number | null; tables: Values; look: Look; gone: boolean };

/** A game that a person changes. */
type Draft = {
  texts: { title: LocalText; summary: LocalText; text: LocalText[] };
  rules: Values;
  items: DraftItem[];
  options: DraftItem[];
  file: Values;
};

type FieldChoice = { value: string; title: string; texts?: Record<string, string> };

/** A field of the form in which a game is changed, as the server declares it. */
type FormField = {
  name: string;
  title: string;
  kind: string;
  low: number;
  high: number;
  default: any;
  choices: FieldChoice[];
  texts?: LocalText;
};

/** What a row of the form shows of a field, and what reads its value from tables. */
type ShownField = { kind: string; title: string; default?: any; high?: number; choices?: FieldChoice[] };
type RuleField = { name: string; default?: any };

/** Where a path of the form leads. `number`: in a field's list; `item`: a `DraftItem` if it leads into one, else null. */
type EditorPlace = { tables: any; original: any; field: FormField; number?: number; item: any };

/** A refusal: the field, and its sentence. */
type Wrong = { path: string; text: string };

/** What a throw or a short turn is worth, and was worth in the original. */
type Tried = Values & { worth: any; before: any };

/** What the page on which a game is changed begins with (web/own_games). */
type EditorSetup = {
  base: string;
  language: string;
  languages: Record<string, string>;
  texts: string[];
  names: Record<string, string>;
  /** What the items are: "combination", "cell" or "worth". */
  list: string;
  tables: Values;
  looks: Look[];
  fields: Record<"rules" | "file" | "item" | "pattern" | "column", FormField[]>;
  common: CommonItem[];
  kinds: FieldChoice[];
  upper: FieldChoice[];
  tried: Values;
};

/** What that page knows besides the draft. */
type EditorNow = {
  asks: boolean;
  saving: boolean;
  worth: Tried[];
  turns: Tried[];
  toml: string;
  leftOut: string[];
  wrong: Wrong;
  trouble: string;
  thrown: number[];
  own: Tried | null;
  most: number;
  shown: number;
};

type Handlers = Record<string, (argument: any, element: HTMLElement, event: MouseEvent) => unknown>;

/** Draws a family of games. All have `sheet`, `turn` and `actions`. */
type Sheet = {
  sheet(ctx: Context): Content;
  /** The sheets of all players, for paper, if `sheet` draws that of one player. */
  paper?(ctx: Context): Content | Html[];
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
  // As of TypeScript 5.9: only a document has no text.
  get textContent(): string;
  set textContent(text: string | null);
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K];
  closest<E extends Element | null = HTMLElement>(selector: string): E;
}

interface Window {
  /** Keeps the last tap on an act before the page's scripts have come (pages/theme.js): the element, as it was then. */
  keepTap?: (event: MouseEvent) => void;
  keptTap?: { element: Element; is: string } | null;
}
