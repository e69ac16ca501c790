"""The output of the commands `odds`, `advise`, `analyse` and `solve`, as JSON documents and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from scorer.actions import Action, clean
from scorer.advice import odds
from scorer.advice.dice import keeps_of
from scorer.advice.solution import WIN, Odds, Solution
from scorer.game import Game
from scorer.sentences import in_terminal
from scorer.table import Table

Document = dict[str, Any]

# Chances that are not those of a cell, as people say them.
CHANCES = {
    "bust": "bust",
    "all-lost": "all points are lost",
    "score": "something scores",
    "bank": "may be banked",
    "target": "the target",
    "six": "a six",
    "lead": "the best turn so far",
    "tie": "as good as the best turn",
    "circle": "a circle in the next throw",
    "line": "a line in the next throw",
    "upper-bonus": "the upper bonus when played for",
    "upper-bonus-now": "the upper bonus in this turn",
}


def odds_to_json(chances: Odds) -> Document:
    """Chances by name: `{"bust": {"fraction": "1/6", "chance": 0.16667}}`. A float has no fraction."""
    return {
        name: {**({"fraction": str(chance)} if isinstance(chance, Fraction) else {}), "chance": float(chance)}
        for name, chance in chances.items()
    }


def odds_of_throw(game: Game[Any], dice: list[int]) -> Document:
    """The chances of every legal choice after a turn's first throw. Raises IllegalAction for invalid dice."""
    state, _ = game.apply(game.start(players=1), {"do": "throw", "dice": dice})
    player = game.to_act(state)[0] if game.to_act(state) else 0
    choices = [
        {"action": action, **brings, "odds": odds_to_json(odds(game, state, player, action))}
        for action, brings in choices_of(game, state)
    ]
    found = {"game": game.key, "options": dict(game.settings), "dice": list(dice), "choices": choices}
    if choices or state.over or game.turns_done(state):
        return found
    throw, *_ = game.legal(state)  # the turn goes on without a choice
    return {**found, "odds": odds_to_json(odds(game, state, player, throw))}


def choices_of(game: Game[Any], state: Any) -> Iterator[tuple[Action, Document]]:
    """Every choice as an action of a record, and the further fields of its entry in `legal`.

    A keep is listed once for each multiset of dice. A throw has its `count` of dice.
    """
    entries = game.legal(state)
    for entry in entries:
        if entry["do"] == "keep":
            for dice in keeps_of(tuple(entry["from"])):
                yield {"do": "keep", "dice": list(dice)}, {}
        elif entry["do"] != "throw":
            action = clean(entry, game.fields[entry["do"]])
            yield action, {name: value for name, value in entry.items() if name not in action}
        elif len(entries) > 1:
            yield entry, {}


def advice(table: Table, solution: Solution[Any]) -> Document:
    """Best play in a running game: every legal action of one player who acts now, best first."""
    state = table.state
    acting = table.game.to_act(state)
    # If several may act, one who has a choice.
    player = next((each for each in acting if solution.choices(state, each)), acting[0])
    choices = solution.choices(state, player)
    most = choices[0].value if choices else 0.0
    documents = [
        {
            "action": choice.action,
            "value": solution.sign * choice.value,
            "loss": most - choice.value,
            "odds": odds_to_json(odds(table.game, state, player, choice.action)),
        }
        for choice in choices
    ]
    value = solution.sign * solution.worth(state, player)
    found = {"unit": solution.unit, "exact": solution.exact, "player": player, "value": value}
    if not choices:
        throw, *_ = table.game.legal(state)  # the only thing that can come
        found["odds"] = odds_to_json(odds(table.game, state, player, throw))
    return {**found, "choices": documents}


def solution_document(game: Game[Any], solution: Solution[Any], seconds: float) -> Document:
    return {
        "game": game.key,
        "options": dict(game.settings),
        "value": round(solution.value, 6),
        "unit": solution.unit,
        "exact": solution.exact,
        "states": solution.states,
        "seconds": round(seconds, 1),
    }


# --- in words --------------------------------------------------------------------------------------------------------


def odds_in_words(game: Game[Any], document: Mapping[str, Any]) -> Iterator[str]:
    for choice in document["choices"]:
        yield with_chances(game, in_terminal(game.choice(choice["action"])), choice["odds"])
    if document.get("odds"):
        yield with_chances(game, "throw: there is nothing to choose now", document["odds"])
    elif not document["choices"]:
        yield "there is nothing to choose after this throw"


def advice_in_words(table: Table, document: Mapping[str, Any]) -> Iterator[str]:
    game, names = table.game, table.players
    unit = document["unit"]
    about = "" if document["exact"] else " (about)"
    yield f"{names[document['player']]}, under best play: {amount(document['value'], unit)}{about}"
    if not document["choices"]:
        yield with_chances(game, "throw: there is nothing to choose now", document["odds"])
    for choice in document["choices"]:
        less = f"{amount(choice['loss'], unit)} less" if choice["loss"] > 0 else "best"
        yield with_chances(game, f"{in_terminal(game.choice(choice['action']))}: {less}", choice["odds"])


def analysis_in_words(game: Game[Any], document: Mapping[str, Any]) -> Iterator[str]:
    unit, names = document["unit"], [player["name"] for player in document["players"]]
    for player in document["players"]:
        parts = [f"luck {amount(player['luck'], unit, sign=True)}", f"mistakes {amount(player['mistakes'], unit)}"]
        if document["unit"] == WIN:
            parts.append(f"others' choices {amount(player['others'], unit, sign=True)}")
        if player["settled"]:
            parts.append(f"settled by hand {amount(player['settled'], unit, sign=True)}")
        came = "result" if document["over"] else "expected now"
        outcome = f"{came} {amount(player['result'], unit)} of {amount(player['mean'], unit)} in the mean"
        yield f"{player['name']}: {outcome}; " + ", ".join(parts)
    for key, title, name in (("throw_of_the_evening", "luck", "luck"), ("costliest_choice", "loss", "loss")):
        found = document[key]
        if found is not None:
            best = f", best was: {in_terminal(game.choice(found['best']))}" if name == "loss" else ""
            who = f"{names[found['player']]}, action {found['number']}: {in_terminal(game.step(found['action']))}"
            yield f"{key.replace('_', ' ')}: {who} ({title} {amount(found[name], unit)}{best})"


def solution_in_words(document: Mapping[str, Any]) -> Iterator[str]:
    about = "" if document["exact"] else "about "
    worth = amount(document["value"], document["unit"])
    yield f"{document['game']}: {about}{worth}; {document['states']} states in {document['seconds']} seconds"


def with_chances(game: Game[Any], text: str, chances: Mapping[str, Mapping[str, Any]]) -> str:
    titles = game.field_titles()
    names = {**CHANCES, **titles.get("category", {}), **titles.get("chance", {})}
    percents = (f"{names[name]} {100 * chance['chance']:.1f} %" for name, chance in chances.items())
    return f"{text}  ({', '.join(percents)})" if chances else text


def amount(value: float, unit: str, sign: bool = False) -> str:
    """Points or turns with two decimals, or a chance to win as a percentage."""
    plus = "+" if sign and value >= 0 else ""
    return f"{plus}{100 * value:.1f} %" if unit == WIN else f"{plus}{value:.2f} {unit}"
