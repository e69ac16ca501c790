"""What the site is made of: pinned as the rest of Rollcall is."""

import re

import tests.conftest
from web.hosts.phone.site.build import HERE, PINNED, SHELL, TEXTS, bill_of_materials, shell_texts


def test_packages_have_the_versions_that_rollcall_was_tested_with() -> None:
    constraints = (tests.conftest.ROOT / "constraints.txt").read_text(encoding="utf-8")
    tested = re.findall(r"^([\w.-]+)==([^ \n]+)", constraints, re.MULTILINE)
    known = {(name.lower().replace("_", "-"), version) for name, version in tested}
    lines = [each for each in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines() if each[0] != "#"]
    pinned = {PINNED.fullmatch(line).groups()[:2] for line in lines}  # type: ignore[union-attr]
    assert pinned
    assert pinned - known == set()


def test_the_bill_lists_each_package() -> None:
    listed = bill_of_materials()["components"]
    assert isinstance(listed, list)
    assert {each["name"] for each in listed} >= {"flask", "msgspec", "sqlalchemy", "pyodide", "qr"}


def test_the_shell_speaks_each_language() -> None:
    texts = shell_texts()
    assert (SHELL / "texts.js").read_text(encoding="utf-8").count(TEXTS) == 1
    assert texts["cs"]["Rollcall is starting."] == "Rollcall se spouští."
    assert texts["pl"].keys() == texts["cs"].keys()
