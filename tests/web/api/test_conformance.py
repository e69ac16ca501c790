"""The server answers as the OpenAPI document says, to what schemathesis makes of it: in the long form 2,000 times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings

from tests.web.apps import create_app
from tests.web.phones import start
from web.pages.openapi import listed_operations
from web.services import services
from web.store.server_tokens import create_token

pytestmark = pytest.mark.whole

schemathesis = pytest.importorskip("schemathesis")

REQUESTS = 2100  # asked for; for short lists of parameters it makes fewer
EACH = -(-REQUESTS // len(listed_operations()))
# What the document cannot say: which actions a game allows now, and which token is right.
UNTOLD = ("positive_data_acceptance", "ignored_auth", "use_after_free", "ensure_resource_availability")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app(tmp_path_factory.mktemp("data"))
    yield made
    services(made).close()


@pytest.mark.parametrize("name", [each.name for each in listed_operations()])
@pytest.mark.parametrize("requests", [20, pytest.param(EACH, marks=pytest.mark.slow)])
def test_each_operation_answers_as_it_is_described(app: Flask, name: str, requests: int) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    described = next(
        each.ok() for each in schema.get_all_operations() if each.ok().definition.raw["operationId"] == name
    )
    data: Path = app.config["DATA"]
    token = {"Authorization": f"Bearer {create_token(data, name)}"}
    table = start(app.test_client(), "zilch", "Ada", "Bob").rpartition("/")[2]
    there = {"table": table, "game": "zilch"}
    sent = 0

    @given(case=described.as_strategy())
    @settings(max_examples=requests, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def check(case: Any) -> None:
        nonlocal sent
        if sent % 8:  # what is there, most of the time: strings that were made up name nothing
            case.path_parameters.update({key: there[key] for key in case.path_parameters.keys() & there.keys()})
        left_out = [each for each in schemathesis.checks.CHECKS.get_all() if each.__name__ in UNTOLD]
        case.call_and_validate(headers=token, excluded_checks=left_out)
        sent += 1

    check()
    assert sent >= requests // 2
