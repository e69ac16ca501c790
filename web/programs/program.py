"""What a program is: a way in which others hear of tables, with a folder of its own here.

The folder has all of it: its operations (`web.pages.operations.operation`) and pages, the documents that it takes and
tells, its templates in `templates`, and what it does beside requests. Copy one to add another, and name its `PROGRAM`
in `installed.py`. One that only some hosts have, such as MQTT, is installed by them. It hears of tables by
`Runner.follow`, whose failures are logged alone, and finds the data folder in `app.config["DATA"]`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import Flask


@dataclass(frozen=True)
class Program:
    """`install`: registers its routes, and adds what is to be closed at the end to `Services.programs`. `documents`,
    `requests`: the types that its scripts are told, and that they send."""

    install: Callable[[Flask], None]
    documents: Sequence[type] = ()
    requests: Sequence[type] = ()
