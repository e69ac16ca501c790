"""What phones and programs may ask of a table's webhooks, as operations of `/api/v1`."""

import math
from collections.abc import Sequence

from flask import Flask, Response, current_app

from web.limits.visitor_limits import STEPS
from web.pages.access import Caller, phone_origin
from web.pages.operations import TOKEN, answer, body, document_of, operation
from web.pages.table_api import post_command
from web.programs.program import Program
from web.programs.webhooks.webhook_sender import (
    ConnectWebhook,
    NewWebhook,
    WebhookBody,
    WebhookSender,
)
from web.services import services
from web.table.commands import DisconnectWebhook
from web.table.json_document import Document

SENDER = "rollcall.webhooks"  # the extension of the application
ONE = {"webhook": "5f0c0e6f2b1d4a77"}
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")
POSTS = {
    "events": (
        WebhookBody,
        {
            "operationId": "take_events",
            "summary": "What happened at a table, signed as standardwebhooks.com has it.",
            "parameters": [
                {"name": name, "in": "header", "required": True, "schema": {"type": "string"}} for name in SIGNED
            ],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookBody"}}},
            },
            "responses": {"200": {"description": "Taken. Any answer but 2xx is tried again later, and 410 is not."}},
        },
    )
}


class ListedWebhook(Document, frozen=True, kw_only=True):
    """An address where a program is told what happens. `failure`: why the last try failed, "" if it did not: the status
    of the answer, or "no-answer", "certificate", "unknown-host", "not-allowed"; `next_try_s`: in how many seconds;
    `given_up`: there is none."""

    webhook: str
    name: str
    address: str
    at: str
    failure: str
    next_try_s: int
    given_up: bool


class WebhookPage(Document, frozen=True, kw_only=True):
    """The addresses where programs are told what happens at a table."""

    items: Sequence[ListedWebhook]
    next: str | None


def install(app: Flask) -> None:
    """Starts to tell the addresses that the store has. Where they may be, the application's config says."""
    sender = app.extensions[SENDER] = WebhookSender(services(app), app.config["WEBHOOKS_TO"])
    services(app).programs.append(sender)


PROGRAM = Program(install, documents=(ListedWebhook, NewWebhook), requests=(ConnectWebhook,), posts=POSTS)


@operation("GET", "/tables/{table}/webhooks", WebhookPage, TOKEN)
def list_webhooks(caller: Caller) -> Response:
    """The addresses where programs are told what happens."""
    access = caller.look().access
    (access.check_host if caller.by_key else access.check_acts)(caller.asker.phone)
    return _list_of(caller)


@operation(
    "POST",
    "/tables/{table}/webhooks",
    NewWebhook,
    TOKEN,
    takes=ConnectWebhook,
    status=201,
    example={"name": "lamp", "address": "http://192.168.1.30:8123/rollcall"},
    answers={**ONE, "secret": "whsec_bGV0IHRoZSBkaWNlIGZhbGwgd2hlcmUgdGhleSBtYXk="},
)
def connect_webhook(caller: Caller) -> Response:
    """Has what happens posted to an address of the same network, signed with the secret, until the token is taken
    back."""
    wanted = body(ConnectWebhook)
    caller.count(STEPS)
    return answer(_sender().connect(caller.key, wanted, caller.asker, phone_origin()), 201)


@operation("POST", "/tables/{table}/webhooks/removed", WebhookPage, TOKEN, takes=DisconnectWebhook, example=ONE)
def disconnect_webhook(caller: Caller) -> Response:
    """Posts nothing more to an address. Gives the others."""
    post_command(DisconnectWebhook, caller)
    return _list_of(caller)


def _list_of(caller: Caller) -> Response:
    items = [
        document_of(ListedWebhook, each, webhook=each.id, next_try_s=math.ceil(each.wait_s))
        for each in _sender().list_of(caller.key)
    ]
    return answer(WebhookPage(items=items, next=None))


def _sender() -> WebhookSender:
    found: WebhookSender = current_app.extensions[SENDER]
    return found
