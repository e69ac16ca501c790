"""What the web application says when it will not do something: reason keys with their English sentences.

The sentences are gettext msgids; `{names}` are filled in after translating. Reasons of the rules and of
reading photos stand in `scorer.reasons` and `vision.reasons`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer.texts import CountedReason

REASONS: dict[str, str] = {
    "not-found": "There is nothing at this address.",
    "table-unknown": "This table is not known here. Ask for the QR code or the short code again.",
    "table-lost": "This table is not known here. It may have been lost when the game file was damaged.",
    "table-deleted": "This game was deleted.",
    "table-damaged": "The newest steps of this table are lost. Go on from the last good state, in a new table.",
    "table-closed": "Whoever started this table has closed it. The game stays as it is.",
    "phone-removed": "This phone was removed from the table. Whoever started it can let you in again.",
    "invitation-needed": "New phones come to this table by its six letters. Ask for them at the table.",
    "owner-only": "Only the phone that started this table can do that.",
    "token-wanted": "A program needs a token here: make one in the table's menu, or with `rollcall token`.",
    "token-unknown": "This token is unknown, or was taken back.",
    "tokens-damaged": "The tokens of this server's owner cannot be read. Its log says what to do.",
    "token-elsewhere": "This token is not for this.",
    "token-reads-only": "This token may only read.",
    "no-such-program": "This program is not connected any more.",
    "programs-full": "{most} programs are connected. Take one of them back first.",
    "webhook-address": "This is no address of a program. One begins with http:// or https://.",
    "webhook-foreign": "Rollcall tells only programs in its own network, and not on its own computer,"
    " unless whoever runs it allows more.",
    "webhooks-full": "This table tells {most} programs already. Disconnect one of them first.",
    "phone-webhooks-full": "The tables of one phone tell {most} programs already. Disconnect one of them, or end one of"
    " those games.",
    "origin-webhooks-full": "{most} programs were connected from this network address already. Disconnect one of them,"
    " or end one of those games.",
    "receiver-webhooks-full": "The computer of this program is connected {most} times already. Disconnect it from a"
    " table, or end one of those games.",
    "all-webhooks-full": "Rollcall tells as many programs as it can ({most}). Try again when some games have ended.",
    "no-such-type": "This cannot be read: send it as {wanted}.",
    "no-such-phone": "This phone is not at the table any more.",
    "code-unknown": "No running table has the code {code}. Check the code on a phone at the table.",
    "too-many-guesses": "Too many wrong codes from here. Wait a minute and try again.",
    "too-many-tables": "A lot of tables were started from here. Wait an hour, or go on at one of them.",
    "too-many-own-games": "This phone keeps as many games as it can ({most}). Take one away first.",
    "game-too-costly": "This game takes too long to check. Give it fewer choices, combinations or examples.",
    "own-game-unknown": "This game is not kept here any more. Ask whoever made it to share it again.",
    "too-many-photos": "A lot of photos came from here. Tap the dice in by hand, or wait ten minutes.",
    "too-many-steps": "That was a lot for one minute. Wait a moment and go on; nothing was lost.",
    "host-unknown": "This server doesn't answer to {host}. Use the address that it printed at the start.",
    "https-wanted": "This server speaks https. Write https:// in front of {host}.",
    "streams-full": "A lot of phones listen just now. Ask for the state every few seconds, and listen again later.",
    "busy": "A lot of phones send something just now. Try again in a moment; nothing was lost.",
    "moved": "This address has moved to {to}. Load the page again.",
    "socket-gone": "There is no WebSocket here any more. Ask with Accept: text/event-stream: the same events come so.",
    "cross-site": "This came from another site and was refused.",
    "method": "This address cannot be used that way.",
    "bad-request": "The request could not be understood: {detail}.",
    "not-understood": "The request could not be understood.",
    "too-much": "That was too large for this page.",
    "length-required": "This was sent in chunks. Send it in one piece, with its length (Content-Length).",
    "stale": "Somebody else was quicker. Here is how the table stands now.",
    "other-players-turn": "This phone plays for {name} only, and it is not {name}'s turn.",
    "points-out-of-bounds": "{points} points cannot be: write a number from {low} to {high}.",
    "no-throw-now": "No throw is expected now.",
    "no-such-step": "There is no step {number} in this game.",
    "game-not-over": "This game is not over yet. Play it to its end, or start another table on the first page.",
    "game-too-long": "This game has {most} steps, and no more are kept. Start a new table.",
    "photo-waits": "Another photo of this throw is there already. Choose which one counts.",
    "no-reading": "This photo is no longer there. Take another one.",
    "no-picture": "There is no picture of this throw.",
    "no-photo": "No photo arrived. Take it again.",
    "upload-too-large": "The photo is larger than {limit} MB. Take a smaller one.",
    "queue-full": "Many photos are waiting to be read. Try again in a moment, or tap the dice in by hand.",
    "reader-missing": "Photos cannot be read here: the detector's file {file} is missing. Tap the dice in by hand.",
    "reader-broken": "Photos cannot be read here: the detector's file {file} is damaged. Tap the dice in by hand.",
    "reader-unloadable": "Photos cannot be read here: a part of the program is missing. Tap the dice in by hand.",
    "reader-fails": "Photos cannot be read here: the detector fails on every photo. Tap the dice in by hand.",
    "no-readers": "No computer reads photos just now. Tap the dice in by hand; photos come back by themselves.",
    "reader-failed": "This photo could not be read. Take another one, or tap the dice in by hand.",
    "no-camera": "This server has no camera. Start it with --camera.",
    "camera-failed": "The camera gives no picture. Look at its cable, or tap the dice in by hand.",
    "camera-watches": "The server's camera is watching another table. Stop that first, or take photos here.",
    "bad-region": "The four corners must make a shape without a dent, large enough for dice.",
    "camera-watches-here": "The server's camera watches this table. Stop that first.",
    "stand-watches": "{device} watches this table already. Stop watching there first.",
    "stand-replaced": "Another phone watches this table now.",
    "stand-stopped": "Watching was stopped on another phone.",
    "stand-silent": "{device} on its stand sends no picture. Wake it, or tap the dice in by hand.",
    "stand-elsewhere": "A phone on a stand cannot watch here: several servers share these games. Take photos.",
    "stands-full": "This server cannot watch with one more phone now. Take photos, or try again later.",
    "bad-frame": "A phone on a stand sends a JPEG of at most 64 kB and 1,024 pixels a side; this was none.",
    "not-watched": "The camera does not watch this table.",
    "no-players": "Write at least one name.",
    "names-alike": "“{name}” and “{other}” look like one player. Give one of them another name.",
    "dice-set-long": "The name of the dice is too long: at most {most} letters.",
    "game-name-known": "Another game is called “{name}”. Give yours a name of its own.",
    "name-hidden": "The name “{name}” has an invisible character in it, or one that reverses it. Type it again.",
    "record-unreadable": "This file is not a game record: {detail}.",
    "record-not-ours": "This file is no game that Rollcall has saved. Choose one from “Save the game record”.",
    "record-breaks-rules": "Step {step} of this game breaks its rules. Choose the file as Rollcall has saved it.",
    "copy-not-ours": "This file is no copy of Rollcall's games. Choose one from “Make a copy of all games”.",
    "copy-damaged": "This copy is damaged or cut short. Nothing was changed; choose another one.",
    "copy-newer": "A newer Rollcall made this copy. Update Rollcall first; nothing was changed.",
    "copy-too-large": "This copy is larger than {limit} MB. Name it rollcall.db and start Rollcall with --data and its "
    "folder.",
    "copy-too-long": "The games take more than {limit} MB. Copy them on the command line, with `rollcall backup`.",
    "copy-away": "The games are in a database here. Copy them there, or with `rollcall move`.",
    "not-opened": "Only the browser that Rollcall opened shows this page. Start Rollcall once more, by its icon or by"
    " the command rollcall: that opens the page.",
    "only-here": "That can only be done on the computer that runs Rollcall.",
    "store-busy": "The game file is locked by another program. Nothing was lost; try again.",
    "store-away": "The games cannot be reached just now. What was confirmed is safe; try again in a moment.",
    "store-full": "This was not saved: the disk of the serving computer is full. What was saved is safe.",
    "store-failed": "This was not saved: the serving computer cannot write to its disk. What was saved is safe.",
    "store-damaged": "The game file on the serving computer is damaged. Put a backup in its place.",
    "store-mended": "The game file was damaged or gone. Tables that are whole: {whole}; that lost their newest steps: "
    "{damaged}; that could not be read: {gone}. The damaged file is kept for a week as {file}.",
    "store-suspect": "A check found damage in the game file. Restart Rollcall: it then keeps what is whole, here or in "
    "the newest copy.",
    "internal": "Something went wrong in Rollcall. The game is safe; try again.",
}


@functools.cache  # bounded: no argument
def all_reasons() -> dict[str, str | CountedReason]:
    """Every reason that web, scorer or vision can give, why the reader asks, and what the umpire says: each with its
    English template, the msgid of its translation."""
    import scorer.reasons
    import vision.reasons
    from web.session.umpire import umpire_reasons as umpire

    return {**umpire.REASONS, **vision.reasons.ASKS, **vision.reasons.REASONS, **scorer.reasons.REASONS, **REASONS}
