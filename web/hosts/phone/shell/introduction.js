// What Rollcall is, in one picture that moves: the first visit shows it while the files come.

import { language, t } from "./texts.js";

const folder = new URL(".", import.meta.url);
const element = (/** @type {string} */ name, given = {}) => Object.assign(document.createElement(name), given);

/** Fills this section. `play`: called when the person wants to play here.
 * @param {HTMLElement} section @param {() => void} play */
export function introduce(section, play) {
  const button = element("button", { className: "primary", textContent: t("Play on this phone") });
  button.addEventListener("click", play);
  section.append(
    element("p", { textContent: t("Throw real dice. The phone photographs them, reads them, and keeps score.") }),
    picture(),
    button,
    element("p", { textContent: t("Photos and games stay on this phone. Nothing is sent anywhere.") }),
  );
  section.hidden = false;
  showLinks(section);
}

function picture() {
  const figure = element("figure");
  const alt = t("A photo of dice, what the throw allows, and the score sheet");
  figure.append(
    element("img", { src: new URL("film.webp", folder).href, alt, width: 220, height: 476 }),
    element("figcaption", { textContent: t("The dice in this picture are rendered.") }),
  );
  return figure;
}

/** Links to the pages beside this one, where whoever put the site up has them. @param {HTMLElement} section */
async function showLinks(section) {
  const documents = `docs/docs/${language === "en" ? "" : `${language}/`}`;
  const pages = [
    [`download/${language}.html`, t("On a computer in the house")],
    [`${documents}play.html`, t("How to play")],
    [`${documents}what-is-kept.html`, t("Photos and privacy")],
  ];
  const line = element("p");
  for (const [name, textContent] of pages) {
    const { href } = new URL(name, folder);
    const there = await fetch(href, { method: "HEAD" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (there) line.append(element("a", { href, textContent }), " ");
  }
  section.append(line);
}
