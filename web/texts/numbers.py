"""How languages write numbers and count: by Babel's data, and by the plural rule of each catalogue."""

import functools

from babel import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol

from web.texts.languages import locale, translations

THIN = "\u202f"  # never breaks a line
COUNTED = 201  # every rule's forms occur below


@functools.cache  # bounded: languages of this program
def separators(language: str) -> tuple[str, str]:
    """What stands between thousands, thin if it is a space, and what before decimals."""
    thousands = get_group_symbol(locale(language))
    return THIN if thousands.isspace() else thousands, get_decimal_symbol(locale(language))


@functools.cache  # bounded: languages of this program
def plural_forms(language: str) -> dict[str, int]:
    """The gettext form for each class of numbers that browsers know (`Intl.PluralRules`); fractions take the last."""
    rules, form_of = Locale.parse(locale(language)), translations(language).plural
    forms: dict[str, int] = {}
    for number in range(COUNTED):
        forms.setdefault(rules.plural_form(number), int(form_of(number)))
    return forms
