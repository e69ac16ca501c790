"""Each file belongs to one capability, and no capability has more lines than its budget."""

import pytest

from tests import capabilities


def test_no_capability_has_more_lines_than_its_budget() -> None:
    found = [each for each in capabilities.capabilities() if each.lines > each.budget]
    assert found == [], "remove as much, or say why and raise it: python -m tests.capabilities set"


def test_the_page_has_the_same_figures() -> None:
    page = capabilities.ARCHITECTURE.read_text(encoding="utf-8")
    assert capabilities.table(capabilities.capabilities()) in page, "python -m tests.capabilities set writes them"


def test_each_pattern_names_a_file() -> None:
    told = capabilities.read_budgets()
    patterns = [each for part in (*told.pop("totals").values(), *told.values()) for each in part["files"]]
    files = capabilities.code_files()
    assert [each for each in patterns if not any(capabilities.matches(file, [each]) for file in files)] == []


def test_the_longest_pattern_names_the_capability() -> None:
    patterns = {"store": ["web/store/*"], "own games": ["web/store/codes.py"], "pages": ["web/pages/*"]}
    assert capabilities.owner_of("web/store/codes.py", patterns) == "own games"
    assert capabilities.owner_of("web/store/deeper/store.py", patterns) == "store"
    assert capabilities.owner_of("tests/conftest.py", patterns) is None
    with pytest.raises(ValueError, match="no capability"):
        capabilities.owner_of("web/new.py", patterns)
    with pytest.raises(ValueError, match="also, store"):
        capabilities.owner_of("web/store/store.py", {**patterns, "also": ["web/store/*"]})
