// The table's menu and what it opens: inviting phones, the rules, this phone's settings, the table's dice.

import { button } from "../shared/buttons.js";
import * as advice from "./advice-mode.js";
import { at } from "../shared/address.js";
import { say } from "../shared/announcer.js";
import { element, field, html, raw } from "../shared/dom.js";
import { checkbox, radio, selection, textField } from "../shared/fields.js";
import * as device from "../shared/device.js";
import { fetchPart, failureText } from "../shared/net.js";
import { endingEntry, entry, entryWords, link, part } from "./menu-entries.js";
import { panelHead } from "./panel.js";
import { proofEntry, proofSentence } from "./proof.js";
import { photoField } from "./photo-field.js";
import { playLink } from "../shared/play-log.js";
import { hasSheet } from "../shared/sentences.js";
import { phoneName, t, tn } from "../shared/text.js";

const keptPhotosSentence = () =>
  t("Photos that you correct are kept at this table, to make the reader better. All others are deleted.");
const darkSentence = () =>
  isSecureContext ? "" : t("The screen goes dark by itself here: browsers keep it on over https only.");
const picturesSentence = () => t("A small picture of each throw is kept at this table. All its phones can see it.");

/** The hint that this table keeps corrected photos, if the person who started it agreed to that. @param {Page} ctx */
const keptPhotosHint = (ctx) => (ctx.setup.keep_corrections ? html`<p class="hint">${keptPhotosSentence()}</p>` : "");

/** Tells this phone when another one had the table's dice forgotten, or changed how much the table advises.
 * @param {Page} ctx */
export function announceChanges(ctx) {
  const { announced } = ctx.local;
  const { forgotten, set_by, settings } = ctx.state;
  const [times, phone] = forgotten;
  if (times > announced.forgotten)
    ctx.toast(t("{device}: the reader has forgotten these dice.", { device: phoneName(phone) }));
  if (settings.advice !== announced.settings.advice)
    ctx.toast(advice.modeSentence(settings.advice, phoneName(set_by.advice ?? "")));
  if (settings.keeps_pictures !== announced.settings.keeps_pictures)
    ctx.toast(proofSentence(settings.keeps_pictures, phoneName(set_by.keeps_pictures ?? "")));
  noteAnnounced(ctx);
}

/** @param {Page} ctx */
const noteAnnounced = ({ local, state }) => {
  local.announced = { forgotten: state.forgotten[0], settings: state.settings };
};

/**
 * Tells a phone that is new at the table what it should know before its first photo; it stands there until this phone's
 * first step.
 * @param {Page} ctx
 */
export function welcome(ctx) {
  noteAnnounced(ctx);
  const keeps = [
    ctx.setup.keep_corrections ? keptPhotosSentence() : "",
    ctx.state.settings.keeps_pictures ? picturesSentence() : "",
    darkSentence(),
  ].filter(Boolean);
  if (!keeps.length || ctx.standing.over || !device.firstTime(ctx.setup.key)) return;
  ctx.local.welcome = keeps.join(" ");
  say(ctx.local.welcome);
}

/** What is wanted most, at one tap. @param {Page} ctx */
function firstEntries(ctx) {
  const { setup, standing, state } = ctx;
  const runs = !standing.over && !state.closed;
  return html`<ul class="menu">
    ${entry("phone", "invite", t("Invite a phone"))} ${!state.closed && entry("players", "players", t("Players"))}
    ${state.steps && !state.closed ? entry("undo", "correct", t("Steps so far, and correcting a throw")) : ""}
    ${runs ? entry("chance", "advice", t("Odds and best play"), advice.modeName(state.settings.advice)) : ""}
    ${entry("rules", "rules", t("Rules"))}
    ${link("board", `${setup.base}/board`, t("Big board for a tablet or television"))}
    ${entry("phone", "phone", t("This phone"))}
  </ul>`;
}

/** @param {Page} ctx */
function gamePart(ctx) {
  const { setup, standing, state } = ctx;
  return part(
    t("Game"),
    ctx.wantsPhoto()
      ? html`<li>
          <label
            >${entryWords("picture", t("Choose a stored photo of this throw"))}${photoField("library", false)}</label
          >
        </li>`
      : "",
    state.closed
      ? ""
      : [
          entry("pencil", "settle", hasSheet(standing) ? t("Set a total or a cell") : t("Set a total")),
          entry("dice", "dice", t("Dice"), state.settings.dice_set),
          state.learnt ? entry("erase", "forget-dice", t("Forget these dice")) : "",
        ],
    proofEntry(ctx),
    link("chance", `${setup.base}/statistics`, t("Statistics of this game")),
    link("star", `${setup.base}/luck`, t("Was it luck?")),
    link("print", `${setup.base}/print`, t("Print the sheet")),
    html`<li>
      <a href="${setup.base}/record.json" download>${entryWords("save", t("Save the game record"))}</a>
    </li>`,
    standing.over && state.last_move
      ? link("save", playLink(setup, standing, state.last_move.at), t("Log it in BG Stats"))
      : "",
  );
}

/** What is wanted now and then, below the first entries. @param {Page} ctx */
function moreEntries(ctx) {
  const { setup, standing, state } = ctx;
  return html`<details class="more">
    <summary>${t("More")}</summary>
    ${gamePart(ctx)}
    ${part(
      t("Table"),
      setup.owner ? entry("phone", "phones", t("Phones at this table")) : "",
      setup.may_delete && !state.closed ? entry("add", "programs", t("Connect a program")) : "",
      link("list", at("/history"), t("My tables")),
    )}
    ${part(
      t("This phone"),
      state.closed ? "" : link("live", `${setup.base}/camera`, t("Use this phone as the camera")),
      standing.over || state.closed
        ? ""
        : [entry("keys", "large-buttons", t("Large buttons")), entry("live", "by-ear", t("Play by ear"))],
      link("help", at("/help"), t("Help")),
    )}
  </details>`;
}

/** What ends or deletes the game, or closes the table: apart from all else, and asked about once. @param {Page} ctx */
function endEntries(ctx) {
  const { setup, standing, state } = ctx;
  const closing = state.closed
    ? entry("lock", "table-open", t("Open this table again"))
    : endingEntry("lock", "table-close", t("Close this table"));
  return html`<ul class="menu">
    ${!(standing.over || state.closed) && endingEntry("flag", "end-game", t("End the game now"))}
    ${setup.owner && closing} ${setup.may_delete && endingEntry("trash", "delete", t("Delete this game"))}
  </ul>`;
}

/** @param {Page} ctx */
function openMenu(ctx) {
  ctx.panel.open({
    content: () =>
      html`${panelHead(raw(document.querySelector("h1").innerHTML))} ${keptPhotosHint(ctx)} ${firstEntries(ctx)}
      ${moreEntries(ctx)} ${endEntries(ctx)}`,
  });
}

/** The address that brings another phone here. After a phone was removed it needs the table's letters.
 * @param {Context} ctx */
const inviteAddress = ({ setup, state }) => (state.guarded ? `${setup.server}j/${state.code}` : setup.address);

/** @param {Page} ctx */
function openInvitation(ctx) {
  const { setup } = ctx;
  ctx.panel.open({
    content: () =>
      html`${panelHead(t("Invite a phone"))}
        <div class="invite">
          <img src="${setup.base}/qr.svg" alt="${t("QR code of this table")}" width="240" height="240" />
          <p>${t("Scan this with the camera of another phone on the same Wi-Fi.")}</p>
          <p>${t("Or open {address} there and type", { address: setup.short })}</p>
          <p class="code">${ctx.state.code}</p>
          ${connectionHelp(setup)} ${Boolean(navigator.share) && button("button", "share", t("Send the address"))}
        </div>`,
  });
}

/** What to try when a phone cannot connect: that phone cannot open the help page. @param {PageSetup} setup */
const connectionHelp = (setup) =>
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
    <p><a class="button" href="${at("/help#connect")}">${t("Help")}</a></p>
  </details>`;

/** @param {Page} ctx */
async function openRules(ctx) {
  try {
    const rules = await ctx.panel.unlessLeft(fetchPart(`${ctx.setup.base}/rules`));
    if (rules) ctx.panel.showRules(t("Rules"), rules.text);
  } catch (error) {
    ctx.toast(failureText(error));
  }
}

class PhoneSettings {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
  }

  content() {
    const { ctx } = this;
    const { standing } = ctx;
    const chosen = device.settings();
    const schemes = Object.entries({ "": t("as this phone is set"), light: t("light"), dark: t("dark") });
    /** @param {string} name @param {string} text @param {unknown} on */
    const check = (name, text, on) => checkbox(text, { "data-setting": name, checked: Boolean(on) });
    return html`${panelHead(t("This phone"))}
      <div class="fields">
        ${textField(t("Name of this phone, which the others see"), {
          id: "device-name",
          maxlength: 40,
          value: phoneName(ctx.setup.device),
        })}
        <fieldset class="field">
          <legend>${t("This phone plays for")}</legend>
          ${radio(t("everybody"), "plays-for", "", ctx.playsFor === null)}
          ${standing.players.map((player, who) =>
            player.out ? "" : radio(player.name, "plays-for", who, ctx.playsFor === who),
          )}
          <p class="hint">${t("Undoing and correcting stay open to every phone: everybody sees which one did it.")}</p>
        </fieldset>
        ${check("turn", t("Sound and buzz when it is your turn, on a phone that plays for one player"), chosen.turn)}
        ${check("sound", t("Short sounds: a throw, a bust, a new leader, the end"), chosen.sound)}
        ${check("haptic", t("A short buzz when a throw is confirmed"), chosen.haptic)}
        ${device.canSpeak() &&
        check("voice", t("Say aloud what was thrown, whose turn it is, and what is asked"), chosen.voice)}
        ${ctx.setup.eye && check("eye", t("This phone reads its photos itself; it loads 20 MB once"), chosen.eye)}
        ${keptPhotosHint(ctx)} ${darkSentence() && html`<p class="hint">${darkSentence()}</p>`}
        ${selection(t("Dark or light"), html`id="look"`, schemes, device.colourScheme())}
        ${selection(
          t("Language"),
          html`id="language"`,
          Object.entries(ctx.setup.languages).map(([code, name]) => [code, name, { lang: code }]),
          ctx.setup.language,
        )}
        ${button("button primary wide", "phone-save", t("Done"))}
      </div>`;
  }

  /** Applies a choice at once; another language loads the whole page again. */
  async changed() {
    this.save();
    const language = element("language", HTMLSelectElement).value;
    if (language !== this.ctx.setup.language) await changeLanguage(this.ctx, language);
  }

  /** A name may have been written in a field that still has the focus. */
  closed() {
    this.save();
  }

  save() {
    const { ctx } = this;
    const { panel, setup } = ctx;
    /** @type {NodeListOf<HTMLInputElement>} */
    const settings = panel.place.querySelectorAll("[data-setting]");
    for (const box of settings) device.saveSetting(box.dataset.setting ?? "", box.checked);
    const name = field("device-name").value;
    // A phone without a name of its own is called by one that another phone may have too: it is not saved.
    const before = setup.device;
    if (name !== phoneName(before))
      setup.device = device.rename(name, (reason) => this.restoreName(before, reason)) || before;
    /** @type {HTMLInputElement} */
    const { value: bound } = panel.place.querySelector('[name="plays-for"]:checked');
    const stays = bound !== "" && ctx.standing.order.includes(Number(bound)); // he may have left meanwhile
    ctx.table().playsFor = device.bindPlayer(setup.key, stays ? Number(bound) : null);
    device.setColourScheme(element("look", HTMLSelectElement).value);
    ctx.draw();
  }

  /** Puts the phone's old name back: the server did not take the new one, for this `reason`.
   * @param {string} before @param {string} reason */
  restoreName(before, reason) {
    const { ctx } = this;
    ctx.setup.device = before;
    const input = /** @type {HTMLInputElement | null} */ (ctx.panel.place.querySelector("#device-name"));
    if (input) input.value = phoneName(before);
    ctx.toast(reason);
    ctx.draw();
  }

  handlers = { "phone-save": () => this.ctx.panel.close() };
}

/** The name of the dice that the table plays with: all games with them are counted together. */
class DiceName {
  /** @param {Page} ctx */
  constructor(ctx) {
    this.ctx = ctx;
    this.saving = false;
  }

  content() {
    return html`${panelHead(t("Dice"))}
      ${textField(t("What you call the dice of this table, such as “the red ones”"), {
        id: "dice-set",
        maxlength: 40,
        value: this.ctx.state.settings.dice_set,
      })}
      <p class="hint">
        ${t("How evenly dice fall is counted over all games with the same name. The next game keeps it.")}
      </p>
      ${button("button primary wide", "dice-save", t("Done"))}`;
  }

  unsaved() {
    return !this.saving && field("dice-set").value.trim() !== this.ctx.state.settings.dice_set;
  }

  handlers = {
    "dice-save": async () => {
      const { ctx } = this;
      const { value } = field("dice-set");
      this.saving = true;
      await ctx.panel.closeAfter(ctx.command("settings", { dice_set: value }));
      this.saving = false;
    },
  };
}

/** Asks before the reader forgets the table's dice. @param {Page} ctx */
function askForget(ctx) {
  const samples = tn(
    "From {count} confirmed photo the reader has learnt how the dice of this table look.",
    "From {count} confirmed photos the reader has learnt how the dice of this table look.",
    ctx.state.learnt,
  );
  ctx.panel.ask(
    t("Forget these dice"),
    html`<p>${samples}</p>
      <p>${t("Let it forget them when you play on with other dice. The game stays as it is.")}</p>`,
    { back: t("Keep it"), act: "forget-dice-now", sign: "trash" },
  );
}

/** @param {Page} ctx @param {string} language */
async function changeLanguage(ctx, language) {
  try {
    await fetch(at("/settings"), { method: "POST", body: new URLSearchParams({ language, back: "/help" }) });
    location.reload();
  } catch (error) {
    ctx.toast(failureText(error));
  }
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({
  menu: () => openMenu(ctx),
  invite: () => openInvitation(ctx),
  rules: () => openRules(ctx),
  phone: () => ctx.panel.open(new PhoneSettings(ctx)),
  advice: () => ctx.panel.open({ content: () => html`${panelHead(t("Odds and best play"))}${advice.chooser(ctx)}` }),
  "advice-mode": (mode) => ctx.panel.closeAfter(ctx.command("settings", { advice: mode })),
  dice: () => ctx.panel.open(new DiceName(ctx)),
  "forget-dice": () => askForget(ctx),
  "forget-dice-now": () => ctx.panel.closeAfter(ctx.attempt(() => ctx.table().remove("samples"))),
  share: () => navigator.share({ title: "Rollcall", url: inviteAddress(ctx) }).catch(() => {}),
});
