"""How games of one name differ, in the words of their rules."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import scorer
from web.own_games.kept_games import OwnGame
from web.texts.formats import group_thousands
from web.texts.languages import current, say, say_count

LONGEST = 60  # letters of a difference


def differences(games: Sequence[OwnGame]) -> dict[str, str]:
    """What each of these games has in its rules and the others of its name have not, by its key, in the language of the
    request; nothing of a game whose name is its own, or whose rules have nothing more."""
    named: dict[str, list[str]] = {}
    facts = {game.key: _facts(game.file, game.name, current()) for game in games}
    for key, (title, *_) in facts.items():
        named.setdefault(title, []).append(key)
    return {
        key: " · ".join(_telling_facts(facts[key], [facts[other] for other in named[title] if other != key]))
        for key, (title, *_) in facts.items()
    }


def _telling_facts(mine: Sequence[str], others: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first of my facts that tell me from each of the others."""
    left = list(others)
    for fact in mine:
        if any(fact not in other for other in left):
            left = [other for other in left if fact in other]
            yield fact if len(fact) <= LONGEST else f"{fact[:LONGEST].rpartition(' ')[0]} …"


@lru_cache(maxsize=400)
def _facts(file: str, name: str, language: str) -> tuple[str, ...]:
    """The title of a game and the facts of its rules: what is worth what, its usual options, and then sentences; the
    title alone if the file is refused. `language`: that of the request."""
    try:
        game = scorer.in_language(scorer.game_of_file(file, name)(), language)
    except scorer.Refusal:
        return (name,)
    rules = list(game.short_rules())
    rows = ((what, points) for section in rules for what, points in section.rows)
    numbers = ((part.title, part.describe(part.default)) for option in game.info.options for part in option.parts)
    texts = (text for section in rules for text in section.paragraphs)

    def render(text: scorer.Text) -> str:
        return group_thousands(text.render(say, say_count))

    pairs = (f"{render(what)}: {render(value)}" for what, value in (*rows, *numbers))
    return (game.info.title, *pairs, *(render(text).removesuffix(".") for text in texts))
