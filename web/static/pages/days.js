// Writes days in the phone's own time zone: pages come with the days of the server's zone.

import { localeFor } from "../shared/locale.js";

const dayFormat = new Intl.DateTimeFormat(localeFor(document.documentElement.lang), { dateStyle: "medium" });

/** Writes the days inside of `root` anew. @param {ParentNode} root */
function writeDays(root) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const found = root.querySelectorAll("time[datetime]");
  for (const each of found) {
    const moment = new Date(each.dateTime);
    const text = Number.isNaN(moment.getTime()) ? each.textContent : dayFormat.format(moment);
    if (each.textContent !== text) each.textContent = text; // an equal text too would call the observer again, for ever
  }
}

/** Ends the page's title in a day, such as 2026-11-23: it becomes the name of a printed file. */
function writeTitle() {
  /** @type {HTMLMetaElement | null} */
  const moment = document.querySelector("meta[name=moment]");
  if (!moment) return;
  const day = new Date(moment.content);
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((value) => String(value).padStart(2, "0"));
  document.title = `${moment.dataset.title} · ${day.getFullYear()}-${month}-${date}`;
}

/** Keeps the days of the page right, whatever is drawn. */
export function keepDays() {
  writeDays(document);
  writeTitle();
  new MutationObserver(() => writeDays(document)).observe(document.body, { childList: true, subtree: true });
}
