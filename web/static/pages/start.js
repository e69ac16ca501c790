// The start page works without this script. With it, only the chosen game's options show, and a tap writes a known name
// or opens the rules.

import { at } from "../shared/address.js";
import { mayBegin, usualOf } from "../shared/beginners.js";
import { playsFor } from "../shared/device.js";
import { element, onActs, targetOf } from "../shared/dom.js";
import { goAlong } from "../shared/next-game.js";
import { phone } from "../shared/storage.js";
import { Panel } from "../dialogs/panel.js";
import { hasDice, hasWords, nearlyHasWords } from "./game-search.js";
import { fromJson } from "../shared/json.js";

if (/^#g=/.test(location.hash)) location.replace(at(`/game${location.hash}`)); // a game in a link to any Rollcall

const panel = new Panel();
const form = element("new-table", HTMLFormElement);
const seats = document.getElementById("seats");
const more = document.getElementById("more-seats");
const rules = element("game-rules", HTMLAnchorElement);
const search = element("game-search", HTMLInputElement);
const owned = element("game-dice", HTMLSelectElement);
const found = element("games-found", HTMLElement);
const about = element("game-about", HTMLElement);
const house = element("house", HTMLDetailsElement);
const options = element("game-options", HTMLElement);
const start = element("start", HTMLButtonElement);
let filling = false;
const OWNED = "dice at hand"; // how many, remembered by the phone

/** The game that a person chose, or that was chosen for them, before a search hid it. */
let wanted = chosenGame()?.value;
/** Whether each closed list of games was open before the search. @type {Map<HTMLDetailsElement, boolean>} */
const opened = new Map();

/** The first page's part with this address: the games of all families, or the house rules of one game. */
async function fetchPart(/** @type {string} */ query) {
  const response = await fetch(at(`/?${query}`));
  if (!response.ok) throw new Error(`start: ${response.status}`);
  const made = document.createElement("template");
  made.innerHTML = await response.text();
  return made.content;
}

/** Fills the families whose games did not come with the page, once. */
async function fillFamilies() {
  if (filling || !form.querySelector("[data-wanted]")) return;
  filling = true;
  const part = await fetchPart("part=games").catch(() => null); // without a connection, the next opening asks again
  filling = false;
  if (!part) return;
  const lists = form.querySelectorAll(".family .game-list");
  [...part.children].forEach((list, i) => {
    if (!lists[i]?.hasAttribute("data-wanted")) return;
    lists[i].replaceChildren(...list.childNodes);
    lists[i].removeAttribute("data-wanted");
  });
  showGames();
}

/** Fetches the chosen game's house rules, where their list is open. */
async function fillOptions() {
  const game = chosenGame()?.value;
  if (!house.open || !game || options.dataset.of === game) return;
  if (form.querySelector(`fieldset[data-options="${CSS.escape(game)}"]`)) return; // all came with the page
  options.dataset.of = game;
  try {
    const part = await fetchPart(`part=options&game=${encodeURIComponent(game)}`);
    if (options.dataset.of === game) options.replaceChildren(part); // else another game was chosen meanwhile
  } catch {
    if (options.dataset.of === game) options.dataset.of = "";
  }
}

/** Writes only what is new: Safari drops a tap on a button whose text was replaced while the finger lay on it.
 * @param {HTMLElement} element @param {string} text */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @returns {HTMLInputElement | null} */
function chosenGame() {
  return form.querySelector('[name="game"]:checked');
}

function showOptions() {
  const chosen = chosenGame();
  /** @type {NodeListOf<HTMLFieldSetElement>} */
  const parts = form.querySelectorAll("[data-options]");
  for (const part of parts) {
    part.hidden = !chosen || part.dataset.options !== chosen.value;
    part.disabled = part.hidden; // a wrong number that nobody sees must not hold the form back
  }
  rules.hidden = !chosen;
  if (chosen) rules.href = at(`/rules/${chosen.value}`);
  const edit = element("game-edit", HTMLAnchorElement);
  edit.hidden = !chosen || !edit.dataset.games?.split(" ").includes(chosen.value);
  if (chosen) edit.href = at(`/games/${chosen.value}/edit`);
  const card = chosen?.closest("label");
  say(about, card?.querySelector(".about").textContent || "");
  say(start, String(start.dataset.start).replace("{game}", card?.querySelector("strong").textContent || ""));
  fillOptions();
}

/** Shows the games that a person looks for, and chooses the first of them if the chosen one is not among them. */
function showGames() {
  const dice = Number(owned.value);
  const narrowed = search.value.trim() !== "" || dice > 0;
  const cards = [...form.querySelectorAll(".games label.game")];
  const playable = cards.filter((card) => hasDice(Number(card.dataset.dice || 0), dice));
  const named = (/** @type {typeof hasWords} */ has) =>
    playable.filter((card) => has(card.dataset.words || card.textContent || "", search.value));
  const right = named(hasWords);
  const fits = right.length ? right : named(nearlyHasWords);
  const inputOf = (/** @type {HTMLElement} */ card) => card.querySelector("input");
  const chosen = fits.find((card) => inputOf(card).value === wanted) || fits[0];
  if (chosen) inputOf(chosen).checked = true;
  for (const card of cards) card.hidden = !fits.includes(card) && !(fits.length === 0 && inputOf(card).checked);
  for (const group of form.querySelectorAll("[data-group]"))
    group.hidden = !group.querySelector("label.game:not([hidden])");
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const lists = form.querySelectorAll(".games details");
  for (const list of lists) {
    if (narrowed && !opened.has(list)) opened.set(list, list.open);
    list.open = narrowed || (opened.get(list) ?? list.open);
    list.hidden = narrowed && !list.querySelector("label.game:not([hidden])");
  }
  search.closest("fieldset").classList.toggle("searching", narrowed); // then what is found stands below the field
  if (narrowed) fillFamilies();
  else opened.clear();
  const whole = !form.querySelector("[data-wanted]");
  found.textContent = narrowed && whole ? (countText(fits.length) ?? null) : "";
  showOptions();
}

/** The number of found games in words: the page has them for one, two, three and five games, and for none. */
function countText(/** @type {number} */ count) {
  const { language, none, one, two, three, five } = found.dataset;
  if (count === 0) return none;
  const plural = new Intl.PluralRules(language);
  const like = [1, 2, 3].findIndex((number) => plural.select(number) === plural.select(count));
  return String([one, two, three][like] ?? five).replace(/\d+/, String(count));
}

/** Shows the rules above the form: leaving the page would lose the names in it. */
async function showRules() {
  const title = form.querySelector('[name="game"]:checked ~ span strong').textContent;
  const response = await fetch(`${rules.href}?part=1`);
  if (!response.ok) throw new Error(`rules: ${response.status}`);
  panel.showRules(title, await response.text(), rules.dataset.close);
}

/** The form that all spellings of a name share, as in web/table/names.py. */
const foldName = (/** @type {string} */ name) => name.trim().replace(/\s+/g, " ").toLowerCase().normalize("NFC");

/** The fields of all seats. */
const names = () => [...seats.querySelectorAll("input")];

const emptySeat = () => names().find((seat) => !seat.value.trim() && !seat.closest("li").hidden);

/** Presses the chips of the players who have a seat. */
function pressChips() {
  const seated = new Set(names().map((seat) => foldName(seat.value)));
  for (const chip of form.querySelectorAll("[data-name]"))
    chip.setAttribute("aria-pressed", String(seated.has(foldName(chip.dataset.name ?? ""))));
}

function showNextSeat() {
  const hidden = seats.querySelector("li[hidden]");
  if (hidden) hidden.hidden = false;
  more.hidden = !seats.querySelector("li[hidden]");
  return hidden && hidden.querySelector("input");
}

/** Has the one begin who usually does at this phone's tables. The server chose the next in turn.
 * @param {HTMLFormElement} again */
function setBeginner(again) {
  const { players, order } = fromJson(String(again.dataset.again));
  const who = mayBegin(players, order);
  const begins = who[usualOf(who)];
  const at = order.indexOf(begins);
  again.querySelector("input").value = String(begins);
  again.querySelector(".who").textContent = [...order.slice(at), ...order.slice(0, at)]
    .map((number) => players[number].name)
    .join(", ");
  again.addEventListener("submit", () => goAlong(players, playsFor(String(again.dataset.table), players.length)));
}

/** @type {NodeListOf<HTMLFormElement>} */
const offers = document.querySelectorAll("form[data-again]");
for (const each of offers) setBeginner(each);

// The server sends all seats; two show, and those with names.
[...seats.querySelectorAll("li")].forEach((seat, i) => {
  seat.hidden = i > 1 && !seat.querySelector("input").value;
});
more.hidden = !seats.querySelector("li[hidden]");
more.addEventListener("click", () => showNextSeat()?.focus());
form.addEventListener("change", (event) => {
  const changed = targetOf(event);
  if (changed instanceof HTMLInputElement && changed.name === "game") wanted = changed.value;
  showOptions();
});
search.addEventListener("input", () => {
  showGames();
  search.scrollIntoView({ block: "start" }); // the keys of a phone cover the lower half
});
house.addEventListener("toggle", fillOptions);
/** @type {NodeListOf<HTMLDetailsElement>} */
const families = form.querySelectorAll("details.family");
for (const family of families) family.addEventListener("toggle", () => family.open && fillFamilies());
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // else it would start the game
  search.blur(); // the keys of a phone make room for what was found
});
owned.addEventListener("change", () => {
  phone.keepText(OWNED, owned.value);
  showGames();
});
rules.addEventListener("click", (event) => {
  event.preventDefault();
  showRules().catch(() => {
    location.href = rules.href;
  });
});
onActs(document.body, (act) => (act === "close" ? () => panel.close() : undefined));
form.addEventListener("click", (event) => {
  const chip = targetOf(event).closest("[data-name]");
  if (!chip) return;
  const taken = names().find((seat) => foldName(seat.value) === foldName(chip.dataset.name ?? ""));
  const seat = taken || emptySeat() || showNextSeat();
  if (!seat) return;
  seat.value = taken ? "" : (chip.dataset.name ?? "");
  pressChips();
});
seats.addEventListener("input", pressChips);
form.addEventListener("submit", () => {
  // Whoever wrote no name plays under the names that the empty fields show.
  const shown = names().filter((seat) => !seat.closest("li").hidden);
  if (shown.some((seat) => seat.value.trim())) return;
  for (const seat of shown) seat.value = seat.placeholder;
});
const kept = phone.text(OWNED) || "";
if ([...owned.options].some((option) => option.value === kept)) owned.value = kept;
search.closest("[hidden]")?.removeAttribute("hidden");
showGames();
document.body.dataset.ready = "yes";
