// Pictures of throws as proof: whether the table keeps them, the code that people compare, and each picture.

import { button } from "../shared/buttons.js";
import { diceRow } from "../shared/dice.js";
import { html } from "../shared/dom.js";
import { apiOf } from "../shared/address.js";
import { phoneName, t, tn } from "../shared/text.js";
import { entry } from "./menu-entries.js";
import { panelHead } from "./panel.js";

const HASH = /^[0-9a-f]{64}$/;

/** The entry of the menu; none at a closed table that has no pictures. @param {Page} ctx */
export const proofEntry = ({ state }) =>
  state.closed && !state.proof
    ? ""
    : entry("picture", "proof", t("Pictures of throws"), state.settings.keeps_pictures ? t("on") : "");

/** That the table keeps pictures, and the code of its log, under its sheet. @param {Page} ctx */
export const proofLine = ({ state }) =>
  state.proof
    ? html`<p class="proof-line" data-key="proof">
        ${button(
          "quiet",
          "proof",
          html`${state.settings.keeps_pictures
              ? t("Each throw's picture is kept.")
              : elsewhere(state) || t("No more pictures are kept.")}
            ${t("Code:")} <strong class="whole">${state.proof.code}</strong>`,
          { sign: "picture" },
        )}
      </p>`
    : "";

/** How many pictures are not here, "" if all are. @param {{ proof?: ProofView }} state */
const elsewhere = ({ proof }) =>
  proof?.elsewhere
    ? tn(
        "{count} picture is not here: the game came as a record.",
        "{count} pictures are not here: the game came as a record.",
        proof.elsewhere,
      )
    : "";

/** What is said when another phone switched it on or off. @param {boolean} keeps @param {string} device */
export const proofSentence = (keeps, device) =>
  keeps
    ? t("{device}: from now on a small picture of each throw is kept.", { device })
    : t("{device}: no more pictures of throws are kept.", { device });

/** @param {Page} ctx */
function openProof(ctx) {
  ctx.panel.open({
    content: () => {
      const { state, setup } = ctx;
      const { proof } = state;
      return html`${panelHead(t("Pictures of throws"))}
        <p>
          ${t("The table can keep a small picture of each throw that is read from a photo.")}
          ${t("All its phones can see them; they are deleted with the game.")}
        </p>
        ${elsewhere(state) && html`<p class="notice">${elsewhere(state)}</p>`}
        ${proof &&
        html`<p>${t("Compare this code with the other place now and then:")}</p>
          <p class="secret">${proof.code}</p>
          <p class="hint">${t("Who noted it can tell later whether an earlier step was changed.")}</p>
          <p><a class="button" href="${setup.base}/record.zip" download>${t("Save record and pictures")}</a></p>
          <p><a class="button" href="${setup.base}/print?pictures=1">${t("See all pictures")}</a></p>`}
        ${!state.closed &&
        button(
          `button ${state.settings.keeps_pictures ? "" : "primary"} wide`,
          "proof-keep",
          state.settings.keeps_pictures ? t("Keep no more pictures") : t("Keep pictures from now on"),
          { arg: !state.settings.keeps_pictures },
        )}`;
    },
    update() {
      ctx.panel.draw();
      return false;
    },
  });
}

/**
 * What stands at a throw in the list of steps: its picture, or why there is none; nothing where none was to be kept.
 * @param {{ seq: number, body: Record<string, any> } | undefined} line  of the log
 * @param {string} where  the place of the throw in the game @param {string} [corrected]  the phone that corrected it
 */
export function pictureMark(line, where, corrected) {
  const picture = line?.body.picture;
  if (!picture) return "";
  if (picture === "by-hand") return html`<span class="soft small-line">${t("typed in by hand: no picture")}</span>`;
  if (!HASH.test(picture)) return html`<span class="soft small-line">${t("its picture could not be kept")}</span>`;
  const { seq, body } = line;
  return button("quiet", "step-picture", t("Show the picture"), {
    arg: { seq, where, dice: body.do.dice, corrected: corrected ?? null },
    sign: "picture",
    label: `${t("Picture of this throw")}: ${where}`,
  });
}

/**
 * Shows the picture of a throw.
 * @param {Page} ctx @param {{ seq: number, where: string, dice: number[], corrected: string | null }} picture
 * @param {Dialog} from
 */
export function openPicture(ctx, { seq, where, dice, corrected }, from) {
  ctx.panel.open({
    kind: "tall",
    from,
    content: () =>
      html`${panelHead(where)}
        <img
          class="throw-picture"
          src="${apiOf(ctx.setup.base)}/pictures/${seq}"
          width="640"
          height="640"
          alt="${t("The picture of this throw is not there.")}"
        />
        <p>${t("Confirmed:")} ${diceRow(dice, "small")}</p>
        ${corrected &&
        html`<p class="notice">${t("Later corrected by {device}", { device: phoneName(corrected) })}</p>`}`,
  });
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  proof: () => openProof(ctx),
  "proof-keep": (keeps_pictures) => ctx.command("settings", { keeps_pictures }),
});
