"""Files that are no TOML: each usual slip is told in words, with its line."""

import random

import pytest

from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError, read_tables
from scorer.games import from_file, keys, text_of

SLIPS = [
    ("title = Our Farkle", 'a text stands between straight quotes: "Our Farkle"'),
    ("title = “Our Farkle”", 'a text stands between straight quotes: "Our Farkle"'),
    ("title = „Nasz Farkle”", 'a text stands between straight quotes: "Nasz Farkle"'),
    ('title = "Our Farkle”', 'a text stands between straight quotes: "Our Farkle"'),
    ("title = { en = “Ours” }", 'a text stands between straight quotes: "Ours"'),
    ("name = target", 'a text stands between straight quotes: "target"'),
    ("end = none # for now", 'a text stands between straight quotes: "none"'),
    ("forced = True", "write true or false, in small letters, not True"),
    ("forced = yes", "write true or false, in small letters, not yes"),
    ("each = [False, true]", "write true or false, in small letters, not False"),
    ("target = 5,000", "a number is written in digits alone: 5000, not 5,000"),
    ("target = 10 000 # points", "a number is written in digits alone: 10000, not 10 000"),
    ("target = 1.000.000", "a number is written in digits alone: 1000000, not 1.000.000"),
    ("target = 05", "a number is written in digits alone: 5, not 05"),
    ("target = 5000 points", "a number is written in digits alone: 5000, not 5000 points"),
    ("target = -1,000", "a number is written in digits alone: -1000, not -1,000"),
    ("target =", "there is no value after ="),
    ("target = # later", "there is no value after ="),
    ("target 5000", "a line is a name in the letters a to z, = and a value"),
    ("target: 5000", "a line is a name in the letters a to z, = and a value"),
    ("název = 5000", "a line is a name in the letters a to z, = and a value"),
    ("// the target", "a note for readers begins with #"),
    ("first = 1", "first stands twice in the same part; keep one of them"),
    ('title = { en = "x", en = "y" }', "en stands twice in the same part; keep one of them"),
    ("[rules]\n[rules]", "the part [rules] stands twice; put its lines under the first"),
    ("[option]\n[option]", "each of several such parts begins with two brackets: [[option]]"),
    ("[[rules.cell]]\n[rules.cell]", "each of several such parts begins with two brackets: [[rules.cell]]"),
    ("[rules", "a part begins with its name between brackets: [rules]"),
    ("rules]", "a part begins with its name between brackets: [rules]"),
    ('title = "Ours', "the text that begins here has no closing quote"),
    ('title = "say "hi" now"', r'the text ends at its second quote; write "say \"hi\" now"'),
    ("title = 'it's'", 'the text ends at its second quote; write "it\'s"'),
    ('source = "c:\\dice"', r"within a text, \ is written twice: \\"),
    ("dice = [1 2]", "a comma is missing here, or the closing bracket of what begins in line 3"),
    ('title = { en = "x" cs = "y" }', "a comma is missing here, or the closing bracket of what begins in line 3"),
    ("target = 12:30", "this cannot be read as TOML: Expected newline or end of document after a statement"),
    ("target = .5", "this cannot be read as TOML: Invalid value"),
]


SIGNS = ["", "", '"', "'", "”", "[", "]", "{", "}", "=", ",", "\\", "\x00", "\n", "0"]


@pytest.mark.parametrize(("slip", "said"), SLIPS)
@pytest.mark.parametrize(("mark", "ends"), [("", "\n"), ("\ufeff", "\r\n")])
def test_a_slip_is_told_in_words_with_its_line(slip: str, said: str, mark: str, ends: str) -> None:
    lines = ["# ours", "first = 1", *slip.split("\n"), "last = 2", ""]
    with pytest.raises(DefinitionError) as found:
        read_tables(mark + ends.join(lines), "ours.toml")
    assert str(found.value) == f"ours.toml, line {2 + len(slip.splitlines())}: {said}"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('first = 1\ntitle = """Ours\nlast = 2\n', 2, "the text that begins here has no closing quote"),
        ("first = 1\nlist = [1,\n2\nlast = 2\n", 4, "or the closing bracket of what begins in line 2"),
        ('title = {\n en = "x" }\n', 1, "what stands between braces is one line, without a comma at its end"),
        ('title = { en = "x", }\n', 1, "what stands between braces is one line, without a comma at its end"),
    ],
)
def test_what_is_never_closed_is_told_with_where_it_begins(text: str, line: int, said: str) -> None:
    with pytest.raises(DefinitionError) as found:
        read_tables(text, "ours.toml")
    assert f"line {line}: " in str(found.value)
    assert said in str(found.value)


def test_a_byte_order_mark_changes_nothing() -> None:
    for text in (text_of("farkle"), 'family = "ten-thousand"\n'):
        marked = "\ufeff" + text
        assert read_tables(marked, "ours") == read_tables(text, "ours")
    assert game_from_text("\ufeff" + text_of("yatzy"), "ours")().title == "Yatzy"
    with pytest.raises(DefinitionError, match="line 1: family must be one of"):
        game_from_text('\ufefffamily = "x"\ntitle = "x"\nsummary = "x"\n[rules]\n', "ours")


def test_any_slip_of_a_finger_is_refused_in_one_line() -> None:
    rng = random.Random(1)
    files = [text_of(key) for key in keys() if from_file(key)]
    told = []
    for _ in range(3000):
        text = list(rng.choice(files)[:3000])
        at = rng.randrange(len(text))
        text[at : at + rng.choice([0, 1, 1, 5])] = rng.choice(SIGNS)
        try:
            read_tables("".join(text), "ours.toml")
        except DefinitionError as refusal:
            told.append(str(refusal))
    assert len(told) > 500
    for sentence in told:
        assert sentence.isprintable()
        assert len(sentence) < 250
        assert sentence.startswith("ours.toml, line ")
