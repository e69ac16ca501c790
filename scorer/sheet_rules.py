"""The rules of a game with a sheet, in sentences for players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.categories import Category, Tiers
from scorer.definitions.game_file import SheetRules
from scorer.definitions.rule_tables import ANNOUNCED, DOWN, FREE, UP
from scorer.jokers import GENERAL, Jokers
from scorer.texts import ShortRules, T, Text, counted_text


def sheet_rules(title: str, rules: SheetRules, jokers: Jokers) -> ShortRules:
    """The rules of a game with this title and these jokers."""
    cells = rules.boxes * len(rules.factors)
    goal = T("Fill all {cells} cells of the sheet. The highest total wins.", cells=cells)
    if rules.tiers and not rules.low_wins:
        goal = T("Fill all {cells} cells of the sheet. What they hold brings points. The most points win.", cells=cells)
    elif rules.low_wins:
        goal = T("Fill all {cells} cells of the sheet. The lowest total wins.", cells=cells)
    rows = [(_describe(category), category.gives) for category in rules.categories]
    return ShortRules.in_sections(title, [goal], list(_turn(rules, cells)), list(_points(rules, jokers)), rows)


def _turn(rules: SheetRules, cells: int) -> Iterator[Text]:
    yield from _throwing(rules)
    yield from _saving(rules, cells)
    yield T("Then write the dice into one open cell. A cell that they do not fit takes 0.")
    yield from _orders(rules)
    yield from _repeating(rules.categories)
    if rules.zero_only_if_nothing_fits:
        yield T("A 0 may be written only when no open cell would bring anything.")


def _orders(rules: SheetRules) -> Iterator[Text]:
    """In which order the cells of each column are written."""
    alone = len(rules.columns) == 1
    for number, each in enumerate(rules.columns, start=1):
        if each.order == DOWN and alone:
            yield T("The cells are written from top to bottom.")
        elif each.order == UP and alone:
            yield T("The cells are written from bottom to top.")
        elif each.order == DOWN:
            yield T("Column {number} is written from top to bottom.", number=number)
        elif each.order == UP:
            yield T("Column {number} is written from bottom to top.", number=number)
        elif each.order == FREE and not rules.is_free:
            yield T("Column {number} is written in any order.", number=number)
        elif each.order == ANNOUNCED:
            yield T(
                "Column {number} is for announced cells: after the first throw of a turn a player may name one of its"
                " cells, and then writes the dice there at the end, whatever they show. Without that, only the dice of"
                " a first throw may be written there.",
                number=number,
            )


def _throwing(rules: SheetRules) -> Iterator[Text]:
    dice, throws = rules.dice, rules.throws
    if throws == 1:
        yield counted_text("Throw {count} die once.", "Throw {count} dice once.", count=dice)
        return
    if dice == 5:
        yield T("Throw all five dice, up to {throws} times; keep any dice between the throws.", throws=throws)
    else:
        yield counted_text(
            "Throw {count} die, up to {throws} times; keep it or throw it again.",
            "Throw all {count} dice, up to {throws} times; keep any dice between the throws.",
            count=dice,
            throws=throws,
        )
    yield T("Kept dice may be thrown again later.")


def _saving(rules: SheetRules, cells: int) -> Iterator[Text]:
    if rules.throws == 1 or not rules.saved_throws:
        return
    if rules.saved_throws >= (rules.throws - 1) * cells:
        yield T("Throws that you did not use are saved for your later turns.")
    else:
        yield T("Throws that you did not use are saved for your later turns, at most {most}.", most=rules.saved_throws)


def _repeating(categories: Sequence[Category]) -> Iterator[Text]:
    """Which cells stand several times."""
    times = {each.stands for each in categories}
    for count in sorted(times - {1}):
        cells = [Text(each.title) for each in categories if each.stands == count]
        if len(times) == 1:
            yield T("Each cell may be written {times} times.", times=count)
        else:
            yield T("These cells may be written {times} times: {cells}.", times=count, cells=cells)


def _points(rules: SheetRules, jokers: Jokers) -> Iterator[Text]:
    for place, (least, bonus) in enumerate(rules.upper_bonus):
        if place:
            yield T("From {threshold} on, the bonus is {bonus}.", threshold=least, bonus=bonus)
        else:
            yield T("An upper sum of {threshold} or more brings a bonus of {bonus}.", threshold=least, bonus=bonus)
    for number, factor in enumerate(rules.factors, start=1):
        if factor > 1:
            yield T(
                "In column {number} all points, the bonus and its threshold count {factor} times.",
                number=number,
                factor=factor,
            )
    yield from _difference(rules)
    five_alike = next((Text(each.title) for each in rules.categories if each.key == GENERAL), Text(""))
    yield from jokers.sentences(five_alike, rules.hundreds_need_first)
    if not rules.first_general_is_joker:
        yield T("The first five alike that a player writes are no joker, only those after them.")
    yield from _tiers(rules)
    for each in rules.categories:
        if each.may_win:
            yield T("{cell} with a turn's first throw wins the game at once.", cell=Text(each.title))


def _difference(rules: SheetRules) -> Iterator[Text]:
    titles = {each.key: Text(each.title) for each in rules.categories}
    if rules.difference:
        first, second, times = (titles[key] for key in rules.difference)
        yield T(
            "{first} and {second} count by their difference alone: {first} less {second}, times the points for {times},"
            " once all three are written.",
            first=first,
            second=second,
            times=times,
        )


def _tiers(rules: SheetRules) -> Iterator[Text]:
    for each in rules.categories:
        if each.tiers and each.counts_hits:
            times = [T("{points} from {count} times on", points=more, count=least) for least, more in each.tiers]
            yield T("Points for {cell} by how often it fits: {tiers}.", cell=Text(each.title), tiers=times)
        elif each.tiers:
            yield T("Points for {cell} by its sum: {tiers}.", cell=Text(each.title), tiers=_tier_texts(each.tiers))
    if rules.tiers:
        yield T("The sum of all cells brings points: {tiers}.", tiers=_tier_texts(rules.tiers))
        yield T("Only these points count in the end, not those in the cells.")


def _tier_texts(tiers: Tiers) -> list[Text]:
    return [T("{points} from {least} on", points=points, least=least) for least, points in tiers]


def _describe(category: Category) -> Text:
    title = Text(category.title)
    return title if category.what is None else T("{title}: {what}", title=title, what=category.what)
