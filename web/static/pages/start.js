// The start page works without this script. With it, only the chosen game's options show, and a tap writes a known name
// or opens the rules.

import { element, onActs, targetOf } from "../shared/dom.js";
import { Panel } from "../dialogs/panel.js";

const panel = new Panel();
const form = element("new-table", HTMLFormElement);
const seats = document.getElementById("seats");
const more = document.getElementById("more-seats");
const rules = element("game-rules", HTMLAnchorElement);

function showOptions() {
  /** @type {HTMLInputElement | null} */
  const chosen = form.querySelector('[name="game"]:checked');
  /** @type {NodeListOf<HTMLFieldSetElement>} */
  const parts = form.querySelectorAll("[data-options]");
  for (const part of parts) {
    part.hidden = !chosen || part.dataset.options !== chosen.value;
    part.disabled = part.hidden; // a wrong number that nobody sees must not hold the form back
  }
  rules.hidden = !chosen;
  if (chosen) rules.href = `/rules/${chosen.value}`;
  const edit = element("game-edit", HTMLAnchorElement);
  edit.hidden = !chosen || !edit.dataset.games.split(" ").includes(chosen.value);
  if (chosen) edit.href = `/games/${chosen.value}/edit`;
}

/** Shows the rules above the form: leaving the page would lose the names in it. */
async function showRules() {
  const response = await fetch(`${rules.href}?part=1`);
  if (!response.ok) throw new Error(`rules: ${response.status}`);
  const title = form.querySelector('[name="game"]:checked ~ span strong').textContent;
  panel.showRules(title, await response.text(), rules.dataset.close);
}

/** The form that all spellings of a name share, as in web/session/names.py. */
const foldName = (name) => name.trim().replace(/\s+/g, " ").toLowerCase().normalize("NFC");

function emptySeat() {
  return [...seats.querySelectorAll("input")].find((seat) => !seat.value.trim() && !seat.closest("li").hidden);
}

/** Presses the chips of the players who have a seat. */
function pressChips() {
  const seated = new Set([...seats.querySelectorAll("input")].map((seat) => foldName(seat.value)));
  /** @type {NodeListOf<HTMLElement>} */
  const chips = form.querySelectorAll("[data-name]");
  for (const chip of chips) chip.setAttribute("aria-pressed", String(seated.has(foldName(chip.dataset.name))));
}

function showNextSeat() {
  /** @type {HTMLElement | null} */
  const hidden = seats.querySelector("li[hidden]");
  if (hidden) hidden.hidden = false;
  more.hidden = !seats.querySelector("li[hidden]");
  return hidden && hidden.querySelector("input");
}

// The server sends all seats; two show, and those with names.
[...seats.querySelectorAll("li")].forEach((seat, i) => {
  seat.hidden = i > 1 && !seat.querySelector("input").value;
});
more.hidden = !seats.querySelector("li[hidden]");
more.addEventListener("click", () => showNextSeat()?.focus());
form.addEventListener("change", showOptions);
rules.addEventListener("click", (event) => {
  event.preventDefault();
  showRules().catch(() => {
    location.href = rules.href;
  });
});
onActs(document.body, (act) => (act === "close" ? () => panel.close() : undefined));
form.addEventListener("click", (event) => {
  /** @type {HTMLElement | null} */
  const chip = targetOf(event).closest("[data-name]");
  if (!chip) return;
  const taken = [...seats.querySelectorAll("input")].find(
    (seat) => foldName(seat.value) === foldName(chip.dataset.name),
  );
  const seat = taken || emptySeat() || showNextSeat();
  if (!seat) return;
  seat.value = taken ? "" : chip.dataset.name;
  pressChips();
});
seats.addEventListener("input", pressChips);
form.addEventListener("submit", () => {
  // Whoever wrote no name plays under the names that the empty fields show.
  const shown = [...seats.querySelectorAll("input")].filter((seat) => !seat.closest("li").hidden);
  if (shown.some((seat) => seat.value.trim())) return;
  for (const seat of shown) seat.value = seat.placeholder;
});
showOptions();
document.body.dataset.ready = "yes";
