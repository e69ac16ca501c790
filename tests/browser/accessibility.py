"""What every page must have for people who hear it or use a keyboard, looked for in the page itself."""

from typing import Any

# Words of games' names, with their language: a voice of another language says them wrongly.
NAMES = {"Kości": "pl", "Farkle": "en", "Zilch": "en", "Yahtzee": "en", "Yatzy": "sv", "Knaster": "de"}

FAULTS = """(names) => {
  const faults = [];
  const dialog = document.querySelector("dialog[open]");
  const root = dialog ?? document.body;
  const hidden = dialog ? "[aria-hidden=true]" : "[aria-hidden=true], dialog";
  const shown = (one) => one.checkVisibility() && !one.closest(hidden);
  const all = (selector) => [...root.querySelectorAll(selector)].filter(shown);
  const brief = (one) => one.outerHTML.replace(/\\s+/g, " ").slice(0, 140);

  // Headings: the first is the page's only h1, or a dialog's h2; no level is left out on the way down.
  const levels = all("h1, h2, h3, h4, h5, h6").map((one) => Number(one.tagName[1]));
  const first = dialog ? 2 : 1;
  if (levels[0] !== first) faults.push(`headings begin with ${levels[0]}`);
  if (levels.filter((level) => level === 1).length !== (dialog ? 0 : 1)) faults.push("not one h1");
  levels.forEach((level, i) => {
    if (i && level > levels[i - 1] + 1) faults.push(`h${level} follows h${levels[i - 1]}`);
  });

  // What a voice says of an element, in pieces: one for each text, picture or control.
  const pieces = (one) => {
    if (one.nodeType === 3) return one.data.trim() ? [one.data.trim()] : [];
    if (one.nodeType !== 1 || one.getAttribute("aria-hidden") === "true" || !one.checkVisibility()) return [];
    if (one.hasAttribute("aria-label")) return [one.getAttribute("aria-label")];
    if (one.tagName === "IMG") return one.alt ? [one.alt] : [];
    return [...one.childNodes].flatMap(pieces);
  };

  // Headings of tables say something. A corner without a word is a cell that voices call a heading.
  for (const one of all("th, thead td")) if (!pieces(one).length) faults.push(`empty heading: ${brief(one)}`);
  for (const one of all("th")) if (!one.scope) faults.push(`heading of nothing: ${brief(one)}`);

  // A number is read at once: not "2" and "500", nor "25" and "+ 50".
  for (const one of all("td, th, .score"))
    if (pieces(one).filter((piece) => /\\d/.test(piece)).length > 1)
      faults.push(`in pieces: ${JSON.stringify(pieces(one))} ${brief(one)}`);

  // Whatever can be used has a name.
  for (const one of all("button, a[href], select, input:not([type=hidden]), [role=button], [role=img], summary, img")) {
    const labels = [...(one.labels ?? [])].flatMap(pieces);
    if (one.matches("img[alt='']") || one.getAttribute("aria-labelledby")) continue;
    if (![...pieces(one), ...labels].join("").trim()) faults.push(`no name: ${brief(one)}`);
  }

  // A name that stands for what is seen has the words that are seen: who speaks to the phone says those (WCAG 2.5.3).
  // Numbers are left out: a column's "×3" or what a choice costs may be called in a sentence.
  const words = (text) => ` ${text.toLowerCase().replace(/[^\\p{L}]+/gu, " ").trim()} `.replace(/ +/g, " ");
  const seen = (one) => {
    if (one.nodeType === 3) return one.data;
    if (one.nodeType !== 1 || one.matches(".hidden, select, svg") || !one.checkVisibility()) return "";
    return [...one.childNodes].map(seen).join(" ");
  };
  for (const one of all("button, a[href], select, input, summary, [role=button]")) {
    const label = one.getAttribute("aria-label");
    const visible = words([one, ...(one.labels ?? [])].map(seen).join(" "));
    if (label && !words(label).includes(visible)) faults.push(`seen as ${visible}, called ${label}: ${brief(one)}`);
  }

  // Names of games are in their own language.
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: within } = texts.currentNode;
    if (within.closest("script, style, option, noscript")) continue;
    for (const [name, language] of Object.entries(names))
      if (data.includes(name) && within.closest("[lang]").lang !== language && within.closest("h1, h2, legend, strong"))
        faults.push(`${name} as ${within.closest("[lang]").lang}: ${brief(within)}`);
  }

  if (dialog && !dialog.contains(document.activeElement)) faults.push("the focus is outside of the dialog");
  return faults;
}"""


def faults(page: Any) -> list[str]:
    return list(page.evaluate(FAULTS, NAMES))
