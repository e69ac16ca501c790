"""The umpire's questions and refusals: reason keys with their English sentences (msgids)."""

REASONS: dict[str, str] = {
    "too-few-dice": "{expected} dice are to be thrown; {got} are seen.",
    "too-many-dice": "{expected} dice are to be thrown; {got} new ones are seen.",
    "dice-unsure": "Look at the dice with a question mark.",
    "several-readings": "What was done with the dice can be read in more than one way.",
    "first-look": "These dice were already here. Are they the throw?",
    "moved-or-thrown": "Were these dice thrown, or only moved?",
    "thrown-again": "All dice thrown again?",
    "banked": "Banked?",
    "unanswered": "The dice before were not confirmed. Is this the throw?",
    "write-first": "Before the next throw, write this one on the sheet.",
    "cannot-be-set-aside": "{dice} alone cannot be set aside.",
    "lies-still": "{dice} has not been thrown again.",
}
