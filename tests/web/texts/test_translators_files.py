"""A translator's file goes out and comes back; a wrong one is refused with the line that is wrong."""

import shutil
from pathlib import Path

import pytest

from web.texts import catalogues, languages
from web.texts.languages import path_of, read_catalogue
from web.texts.translators_files import WrongFileError, translated_file


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The German file as it was given to its translator."""
    shutil.copytree(languages.FOLDER, tmp_path / "translations")
    monkeypatch.setattr(languages, "FOLDER", tmp_path / "translations")
    monkeypatch.chdir(tmp_path)
    assert catalogues.main(["give", "de"]) == 0
    return tmp_path / "rollcall-de.po"


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_what_a_translator_wrote_is_taken(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(given, 'msgstr "Neuer Tisch"', 'msgstr "Frischer Tisch"')
    change(given, 'msgstr "Sprache"', 'msgstr ""')
    assert catalogues.main(["take", str(given)]) == 0
    assert read_catalogue("de").get("New table").string == "Frischer Tisch"  # type: ignore[union-attr]
    assert capsys.readouterr().out.endswith(", 1 not translated\n")


DICE = 'msgstr[0] "{count} Würfel"\nmsgstr[1] "{count} Würfel"\n'


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (DICE, DICE.replace("{count}", "{anzahl}"), "“{anzahl} Würfel” must have {count}, as the English text has"),
        (DICE, DICE.replace("{count}", "{count"), "a brace is missing in “{count Würfel”"),
        (DICE, DICE.partition("\n")[0] + "\n", "this language has 2 plural forms, 1 are given"),
        (DICE, DICE + 'msgstr[2] "viele"\n', "msg has more translations than num_plurals of catalog"),
        ('msgstr "Neuer Tisch"', 'msgstr "Neuer Tisch', "a text stands between two quotes, after msgid or msgstr"),
        ("nplurals=2", "nplurals=3", "Plural-Forms must say nplurals=2"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(given: Path, before: str, after: str, sentence: str) -> None:
    line = given.read_text(encoding="utf-8").partition(before)[0].count("\n") + 1
    change(given, before, after)
    taken = path_of("de").read_bytes()
    with pytest.raises(WrongFileError) as refused:
        translated_file(given)
    named = int(str(refused.value).partition(", line ")[2].partition(":")[0])
    assert str(refused.value) == f"{given}, line {named}: {sentence}"
    assert 0 <= line - named <= 3, "the line of the text or of its translation"
    assert catalogues.main(["take", str(given)]) == 2
    assert path_of("de").read_bytes() == taken


def test_a_file_of_no_language_is_refused(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(given, "Language: de", "Language: xq")
    assert catalogues.main(["take", str(given)]) == 2
    assert "“xq”, which is no language of languages.txt" in capsys.readouterr().err
    given.write_text("Würfel", encoding="utf-16")
    assert catalogues.main(["take", str(given)]) == 2
    assert capsys.readouterr().err.endswith("is not written in UTF-8\n")
    assert catalogues.main(["take", "no-such.po"]) == 2
    assert catalogues.main(["give", "en"]) == 2
