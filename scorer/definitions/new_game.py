"""Eight questions, and the file of a game that follows from the answers."""

from collections.abc import Callable, Sequence
from typing import Any

from scorer.definitions.changed_game import try_game
from scorer.definitions.form_fields import CommonItem, common_items
from scorer.definitions.game_file import CounterRules, GameFile, PadRules, SheetRules, TenThousandRules
from scorer.definitions.shapes import bounds_of, types_of
from scorer.refusals import Refusal
from scorer.registry import key_of_title
from scorer.texts import Text

SCHEMA = "game.schema.json"  # beside the file; `rollcall games schema` writes it
NOTES = """
# Compare the examples with the rules, and write the rules' own beside them: three are enough to trust the file.
# What else a file may say: docs/add-a-game.md, and the words that an editor offers by the schema in the first line.
"""
FAMILIES = (
    ("ten-thousand", "set dice aside, throw on or bank, as in Farkle"),
    ("sheet", "throw, keep, throw again, and write into a cell, as in Yatzy"),
    ("counter", "throw and count, once or again and again, as in Pig"),
    ("pad", "no dice to read: players write points, as in most card games"),
)
ENDS = (
    ("at-once", "whoever reaches it has won"),
    ("finish-round", "the round is played to its end"),
    ("one-more-turn", "everybody else has one more turn"),
)
TURNS = (("one-throw", "it is one throw"), ("bank", "until the player banks"))

Ask = Callable[[str], str]  # prints a question, returns the line that a person typed


class Wrong(Exception):  # noqa: N818 - an answer, which is asked for again
    """What is wrong with an answer, and what would be right."""


def file_of_answers(ask: Ask, tell: Callable[[str], None]) -> tuple[str, str]:
    """The key of the game that a person describes, and the text of its file.

    `tell`: prints a line, such as what is wrong with an answer, before it is asked for again. Raises DefinitionError if
    the answers make no game.
    """

    def answer(question: str, read: Callable[[str], Any], usual: str = "") -> Any:
        while True:
            said = " ".join(ask(f"{question}{f' [{usual}]' if usual else ''} ").split()) or usual
            try:
                return read(said)
            except Wrong as wrong:
                tell(f"  {wrong}")

    title = answer("1/8 What is the game called?", _text_for("title"))
    summary = answer("2/8 What is it, in one sentence?", _text_for("summary"))
    source = answer("3/8 Where do its rules come from?", _text_for("source"), "as we play it")
    family = answer(f"4/8 What is a turn?{_list_of(FAMILIES)}\n   ", _one_of(FAMILIES), "1")
    rules: dict[str, Any] = {}
    for number, (rule, words, read, usual) in enumerate(QUESTIONS[family], start=5):
        value = answer(f"{number}/8 {words}", read, usual)
        rules |= value if isinstance(value, dict) else {} if value is None else {rule: value}
    tables = {"family": family, "title": title, "summary": summary, "source": source, "rules": rules}
    return key_of_title(title), f"#:schema ./{SCHEMA}\n{try_game(tables).text}{NOTES}"


# --- reading answers --------------------------------------------------------------------------------------------------


def _text_for(field: str) -> Callable[[str], str]:
    """Reads what a file may say in this field."""
    most = bounds_of(types_of(GameFile)[field]).high

    def read(said: str) -> str:
        if not said or len(said) > most or not said.isprintable() or "{" in said or "}" in said:
            raise Wrong(f"please write 1 to {most} letters, without braces")
        return said

    return read


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(said: str) -> int:
        plain = said.replace(",", "").replace(" ", "")
        if not (plain.isascii() and plain.isdigit() and len(plain) <= 7 and low <= int(plain) <= high):
            raise Wrong(f"please write a whole number from {low} to {high:,}")
        return int(plain)

    return read


def _number_for(rules: type, rule: str, low: int = 1) -> Callable[[str], int | None]:
    """Reads a number that a file may give this rule; None for 0, which a file without the rule means."""
    read = _number(low, bounds_of(types_of(rules)[rule]).high)
    return lambda said: read(said) or None


def _one_of(choices: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    def read(said: str) -> str:
        numbers = [str(number) for number in range(1, len(choices) + 1)]
        if said not in numbers:
            raise Wrong(f"please write one of {', '.join(numbers)}")
        return choices[int(said) - 1][0]

    return read


def _yes(said: str) -> bool | None:
    if said.lower() not in ("y", "yes", "n", "no"):
        raise Wrong("please write yes or no")
    return said.lower().startswith("y") or None


def _end_of_count(said: str) -> dict[str, int]:
    count, _, turns = said.partition(" ")
    if turns not in ("", "turn", "turns") or not count[:1].isdecimal():
        raise Wrong("please write points such as 100, or turns of each player such as 10 turns")
    rule = "rounds" if turns else "target"
    return {rule: _number(1, bounds_of(types_of(CounterRules)[rule]).high)(count)}


def _items(family: str, name: str) -> Callable[[str], dict[str, Any]]:
    """Reads which of the usual combinations or cells a game has."""
    items = common_items(family, _DICE[family])

    def read(said: str) -> dict[str, Any]:
        wanted = said.replace(",", " ").split()
        if not wanted or any(not each.isdecimal() or not 1 <= int(each[:3]) <= len(items) for each in wanted):
            raise Wrong(f"please write numbers from 1 to {len(items)}, such as 1 2 3")
        return {name: [_with_title(items[number - 1]) for number in sorted({int(each) for each in wanted})]}

    return read


def _with_title(item: CommonItem) -> dict[str, Any]:
    """The tables of a combination or cell, with a title where its key has none."""
    if "key" not in item.tables or item.cell_title:
        return item.tables
    return {**item.tables, "title": str(item.words).capitalize()}


_DICE = {"ten-thousand": 6, "sheet": 5}


def _list_of(choices: Sequence[tuple[str, str]]) -> str:
    return "".join(f"\n    {number} {words}" for number, (_, words) in enumerate(choices, start=1))


def _list_of_items(family: str) -> str:
    found = []
    for each in common_items(family, _DICE[family]):
        words = each.words or (Text(each.cell_title) if each.cell_title else None)
        title = words or " ".join(map(str, each.tables.get("dice", ())))
        points = each.tables.get("points")
        said = f": {', '.join(map(str, points)) if isinstance(points, list) else points}" if points else ""
        found.append(("", f"{title}{said}"))
    return _list_of(found)


# Of each family: the rule, the question, what reads its answer, and the usual one. An answer that is a table names its
# rules itself, and None is what a file without the rule means.
QUESTIONS: dict[str, tuple[tuple[str, str, Callable[[str], Any], str], ...]] = {
    "ten-thousand": (
        ("dice", "How many dice are there?", _number_for(TenThousandRules, "dice"), "6"),
        ("target", "With how many points is it won?", _number_for(TenThousandRules, "target"), "10,000"),
        (
            "combination",
            f"What scores? The points can be changed in the file.{_list_of_items('ten-thousand')}\n   ",
            _items("ten-thousand", "combination"),
            "1 2 3",
        ),
        ("end", f"When somebody has reached that many:{_list_of(ENDS)}\n   ", _one_of(ENDS), "1"),
    ),
    "sheet": (
        ("dice", "How many dice are there?", _number_for(SheetRules, "dice"), "5"),
        ("throws", "How many throws has a turn?", _number_for(SheetRules, "throws"), "3"),
        (
            "cell",
            f"Which cells are below ones to sixes? Points can be changed in the file.{_list_of_items('sheet')}\n   ",
            _items("sheet", "cell"),
            "3 4 6 7 8 5 9",
        ),
        (
            "upper_bonus",
            "What is the bonus for 63 points in ones to sixes? 0: none.",
            _number_for(SheetRules, "upper_bonus", 0),
            "35",
        ),
    ),
    "counter": (
        ("dice", "How many dice are there?", _number_for(CounterRules, "dice"), "1"),
        ("turn", f"How long is a turn?{_list_of(TURNS)}\n   ", _one_of(TURNS), "2"),
        ("lose_turn", "Which face loses the turn? 0: none.", _number_for(CounterRules, "lose_turn", 0), "1"),
        ("target", "How does it end? With points such as 100, or after 10 turns.", _end_of_count, "100"),
    ),
    "pad": (
        ("rounds", "After how many rounds does it end? 0: when you end it.", _number_for(PadRules, "rounds", 0), "0"),
        ("target", "With how many points does it end? 0: with none.", _number_for(PadRules, "target", 0), "0"),
        ("low_wins", "Does the lowest total win?", _yes, "no"),
        ("teams", "How many teams are there? 0: everybody plays alone.", _number_for(PadRules, "teams", 0), "0"),
    ),
}


def try_answers(ask: Ask, tell: Callable[[str], None]) -> tuple[str, str]:
    """As `file_of_answers`, which begins again if the answers make no game."""
    while True:
        try:
            return file_of_answers(ask, tell)
        except Refusal as refusal:
            tell(f"These answers make no game: {refusal}. Once more:")
