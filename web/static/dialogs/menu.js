// Everything that is asked aside: inviting phones, the rules, this phone's settings.

import * as advice from "../shared/advice.js";
import { element, field, html } from "../shared/dom.js";
import * as device from "../shared/device.js";
import { partOf, whyFailed } from "../shared/net.js";
import * as owner from "./owner.js";
import * as panel from "./panel.js";
import { photoField } from "./photo-field.js";
import { phoneName, t, tn } from "../shared/text.js";

const keptWords = () =>
  t("Photos that you correct are kept at this table, to make the reader better. All others are deleted.");

/** What whoever started the table agreed to for all its phones. */
const keepsPhotos = (ctx) => (ctx.setup.keep_corrections ? html`<p class="hint">${keptWords()}</p>` : "");

let advised = "off"; // how much the table advises, as far as this phone has heard
let naming = false; // the dice's name is on its way
let forgotten = 0; // how often the table's dice were forgotten, as far as this phone has heard

/** Tells each phone when one of them had the table's dice forgotten. */
export function heard(ctx) {
  const [times, phone] = ctx.state.forgotten;
  if (times > forgotten) ctx.toast(t("{device}: the reader has forgotten these dice.", { device: phoneName(phone) }));
  forgotten = times;
  const { advice: mode, advised_by: by } = ctx.state;
  if (mode !== advised) ctx.toast(advice.modeSentence(mode, phoneName(by)));
  advised = mode;
}

/** Tells a phone that is new at the table what it should know before its first photo. */
export function welcome(ctx) {
  [forgotten] = ctx.state.forgotten;
  advised = ctx.state.advice;
  if (ctx.setup.keep_corrections && device.firstTime(ctx.setup.key)) ctx.toast(keptWords());
}

const canSettleCells = (standing) => Boolean(standing.sheet || standing.figures_list || standing.lines);

/** What changes the game, or what the table knows, by hand. */
const changes = (ctx) =>
  html`<li><button type="button" data-act="players">${t("Players")}</button></li>
    <li>
      <button type="button" data-act="settle">
        ${canSettleCells(ctx.standing) ? t("Settle a total or a cell by hand") : t("Settle a total by hand")}
      </button>
    </li>
    ${ctx.standing.over
      ? ""
      : html`<li><button type="button" data-act="end-game">${t("End the game now")}</button></li>`}
    <li>
      <button type="button" data-act="dice">${t("Dice")} <span class="soft">${ctx.state.dice_set}</span></button>
    </li>
    ${ctx.state.learnt
      ? html`<li><button type="button" data-act="forget-dice">${t("Forget these dice")}</button></li>`
      : ""}`;

export function open(ctx) {
  const { setup, state } = ctx;
  panel.open(
    html`${panel.head(t(setup.title))} ${keepsPhotos(ctx)}
      <ul class="menu">
        <li><button type="button" data-act="invite">${t("Invite a phone")}</button></li>
        <li><button type="button" data-act="rules">${t("Rules")}</button></li>
        ${ctx.wantsPhoto()
          ? html`<li>
              <label>${t("Choose a stored photo of this throw")}${photoField("library", false)}</label>
            </li>`
          : ""}
        ${state.steps && !state.closed
          ? html`<li>
              <button type="button" data-act="correct">${t("Steps so far, and correcting a throw")}</button>
            </li>`
          : ""}
        ${ctx.standing.over || state.closed
          ? ""
          : html`<li>
              <button type="button" data-act="advice">
                ${t("Odds and best play")} <span class="soft">${advice.modeName(state.advice)}</span>
              </button>
            </li>`}
        ${state.closed ? "" : changes(ctx)}
        <li><button type="button" data-act="phone">${t("This phone")}</button></li>
        ${owner.entries(ctx)}
        <li><a href="${setup.base}/board">${t("Big board for a tablet or television")}</a></li>
        <li><a href="${setup.base}/statistics">${t("Statistics of this game")}</a></li>
        <li><a href="${setup.base}/luck">${t("Was it luck?")}</a></li>
        <li><a href="${setup.base}/print">${t("Print the sheet")}</a></li>
        <li><a href="${setup.base}/record.json" download>${t("Save the game record")}</a></li>
        <li><a href="/history">${t("My tables")}</a></li>
        <li><a href="/help">${t("Help")}</a></li>
      </ul>`,
  );
}

/** What brings another phone here: where one was removed, the letters, since the link alone does not any more. */
const address = ({ setup, state }) => (state.guarded ? `${setup.server}j/${state.code}` : setup.address);

export function invite(ctx) {
  const { setup } = ctx;
  panel.open(
    html`${panel.head(t("Invite a phone"))}
      <div class="invite">
        <img src="${setup.base}/qr.svg" alt="${t("QR code of this table")}" width="240" height="240" />
        <p>${t("Scan this with the camera of another phone on the same Wi-Fi.")}</p>
        <p>${t("Or open {address} there and type", { address: setup.short })}</p>
        <p class="code">${ctx.state.code}</p>
        ${trouble(setup)}
        ${navigator.share
          ? html`<button type="button" class="button" data-act="share">${t("Send the address")}</button>`
          : ""}
      </div>`,
  );
}

/** What to try when a phone cannot connect; it cannot open the help page itself. */
const trouble = (setup) =>
  html`<details>
    <summary>${t("It doesn't open?")}</summary>
    <ul class="prose">
      <li>${t("It must be on the same Wi-Fi as this computer; guest networks often keep phones apart.")}</li>
      <li>${t("Switch off mobile data and any VPN on the phone for a moment.")}</li>
      <li>${t("Type the whole address exactly as shown here: {address}", { address: setup.server })}</li>
      ${setup.others.map(
        (address) => html`<li>${t("Or try another address of the computer: {address}", { address })}</li>`,
      )}
      <li>${t("The computer's firewall must allow this port.")}</li>
    </ul>
    <p><a class="button" href="/help#connect">${t("Help")}</a></p>
  </details>`;

export async function rules(ctx) {
  try {
    panel.rules(t("Rules"), await partOf(`${ctx.setup.base}/rules`));
  } catch (error) {
    ctx.toast(whyFailed(error));
  }
}

const looks = () => [
  ["", t("as this phone is set")],
  ["light", t("light")],
  ["dark", t("dark")],
];

function phone(ctx) {
  const { standing } = ctx;
  const chosen = device.settings();
  const check = (name, text, on) =>
    html`<label class="check"
      ><input type="checkbox" data-setting="${name}" ${on ? html`checked` : ""} /><span>${text}</span></label
    >`;
  panel.open(
    html`${panel.head(t("This phone"))}
      <div class="fields">
        <label class="field"
          ><span>${t("Name of this phone, which the others see")}</span
          ><input id="device-name" type="text" maxlength="40" autocomplete="off" value="${phoneName(ctx.setup.device)}"
        /></label>
        <fieldset class="field">
          <legend>${t("This phone plays for")}</legend>
          <label class="check"
            ><input type="radio" name="plays-for" value="" ${ctx.playsFor === null ? html`checked` : ""} /><span
              >${t("everybody")}</span
            ></label
          >
          ${standing.players.map((player, who) =>
            player.out
              ? ""
              : html`<label class="check"
                  ><input
                    type="radio"
                    name="plays-for"
                    value="${who}"
                    ${ctx.playsFor === who ? html`checked` : ""}
                  /><span>${player.name}</span></label
                >`,
          )}
          <p class="hint">${t("Undoing and correcting stay open to every phone: everybody sees which one did it.")}</p>
        </fieldset>
        ${check("turn", t("Sound and buzz when it is your turn, on a phone that plays for one player"), chosen.turn)}
        ${check("sound", t("A short sound when a throw is confirmed"), chosen.sound)}
        ${check("haptic", t("A short buzz when a throw is confirmed"), chosen.haptic)}
        ${device.speaks() ? check("voice", t("Say aloud what was thrown and what it came to"), chosen.voice) : ""}
        ${keepsPhotos(ctx)}
        <label class="field"
          ><span>${t("Dark or light")}</span
          ><select id="look">
            ${looks().map(
              ([look, name]) =>
                html`<option value="${look}" ${look === device.look() ? html`selected` : ""}>${name}</option>`,
            )}
          </select></label
        >
        <label class="field"
          ><span>${t("Language")}</span
          ><select id="language">
            ${Object.entries(ctx.setup.languages).map(
              ([code, name]) =>
                html`<option value="${code}" lang="${code}" ${code === ctx.setup.language ? html`selected` : ""}>
                  ${name}
                </option>`,
            )}
          </select></label
        >
        <button type="button" class="button primary wide" data-act="phone-save">${t("Done")}</button>
      </div>`,
    { closed: () => savePhone(ctx) }, // a name may have been written and not left
  );
}

/**
 * What the fields of this phone say is in force, as soon as they say it.
 * @param {Page} ctx
 */
function savePhone(ctx) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const settings = panel.place.querySelectorAll("[data-setting]");
  for (const box of settings) device.set(box.dataset.setting, box.checked);
  const name = field("device-name").value;
  // What it is called while it has no name of its own is no name: another phone may be called the same.
  const before = ctx.setup.device;
  if (name !== phoneName(before))
    ctx.setup.device = device.rename(name, (reason) => notCalled(ctx, before, reason)) || before;
  /** @type {HTMLInputElement} */
  const { value: bound } = panel.place.querySelector('[name="plays-for"]:checked');
  const stays = bound !== "" && ctx.standing.order.includes(Number(bound)); // he may have left meanwhile
  ctx.table().playsFor = device.bind(ctx.setup.key, stays ? Number(bound) : null);
  device.setLook(element("look", HTMLSelectElement).value);
  ctx.draw();
}

/**
 * The server does not take the phone's new name.
 * @param {Page} ctx
 * @param {string} before what the phone was called, and is again
 * @param {string} reason
 */
function notCalled(ctx, before, reason) {
  ctx.setup.device = before;
  const input = /** @type {HTMLInputElement | null} */ (panel.place.querySelector("#device-name"));
  if (input) input.value = phoneName(before);
  ctx.toast(reason);
  ctx.draw();
}

/**
 * Has what is chosen of this phone be in force at once; another language takes the whole page again.
 * @param {Page} ctx
 */
function listen(ctx) {
  panel.place.addEventListener("change", async () => {
    if (!panel.place.querySelector("#device-name")) return;
    savePhone(ctx);
    const language = element("language", HTMLSelectElement).value;
    if (language !== ctx.setup.language) await speak(ctx, language);
  });
}

/** Which dice the table plays with: their name, by which all games with them are counted together. */
function dice(ctx) {
  panel.open(
    html`${panel.head(t("Dice"))}
      <label class="field"
        ><span>${t("What you call the dice of this table, such as “the red ones”")}</span
        ><input id="dice-set" type="text" maxlength="40" autocomplete="off" value="${ctx.state.dice_set}"
      /></label>
      <p class="hint">
        ${t("How evenly dice fall is counted over all games with the same name. The next game keeps it.")}
      </p>
      <button type="button" class="button primary wide" data-act="dice-save">${t("Done")}</button>`,
    { unsaved: () => !naming && field("dice-set").value.trim() !== ctx.state.dice_set },
  );
}

/** Asks before all that was learnt goes. */
function askForget(ctx) {
  const learnt = tn(
    "From {count} confirmed photo the reader has learnt how the dice of this table look.",
    "From {count} confirmed photos the reader has learnt how the dice of this table look.",
    ctx.state.learnt,
  );
  panel.question(
    t("Forget these dice"),
    html`<p>${learnt}</p>
      <p>${t("Let it forget them when you play on with other dice. The game stays as it is.")}</p>`,
    { back: t("Keep it"), act: "forget-dice-now", sign: "trash" },
  );
}

/** Has the whole page in another language, also the next time. */
async function speak(ctx, language) {
  try {
    await fetch("/settings", { method: "POST", body: new URLSearchParams({ language, back: "/help" }) });
    location.reload();
  } catch (error) {
    ctx.toast(whyFailed(error));
  }
}

export const handlers = (ctx) => (
  listen(ctx),
  {
    phone: () => phone(ctx),
    "phone-save": () => panel.close(),
    advice: () => panel.open(html`${panel.head(t("Odds and best play"))}${advice.chooser(ctx)}`),
    "advice-mode": async (mode) => {
      if (await ctx.tried(() => ctx.table().setAdvice(mode))) panel.close();
    },
    dice: () => dice(ctx),
    "dice-save": async () => {
      const { value } = field("dice-set");
      naming = true;
      if (await ctx.tried(() => ctx.table().nameDice(value))) panel.close();
      naming = false;
    },
    "forget-dice": () => askForget(ctx),
    "forget-dice-now": async () => {
      if (await ctx.tried(() => ctx.table().forgetDice())) panel.close();
    },
    share: () => navigator.share({ title: "Rollcall", url: address(ctx) }).catch(() => {}),
  }
);
