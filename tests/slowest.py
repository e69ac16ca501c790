"""Prints what the slowest tests prove: after `pytest --junitxml=FILE ...`, `python -m tests.slowest FILE`.

A line for each of the hundred slowest: its seconds, with those of its fixtures, its file, and its name as a sentence.
"""

import sys
import xml.etree.ElementTree as ET

MOST = 100


def main(path: str) -> None:
    cases = sorted(ET.parse(path).iter("testcase"), key=lambda each: -float(each.get("time", 0)))
    whole = sum(float(each.get("time", 0)) for each in cases)
    for each in cases[:MOST]:
        sentence = each.get("name", "").removeprefix("test_").replace("_", " ")
        print(f"{float(each.get('time', 0)):6.1f} s  {each.get('classname', '').replace('.', '/')}.py  {sentence}")
    shown = sum(float(each.get("time", 0)) for each in cases[:MOST])
    print(f"{shown:.0f} of {whole:.0f} s are those of {min(MOST, len(cases))} of {len(cases)} tests")


if __name__ == "__main__":
    main(sys.argv[1])
