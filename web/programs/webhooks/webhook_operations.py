"""What phones and programs may ask of a table's webhooks, as operations of `/api/v1`."""

import secrets
from base64 import b64encode
from collections.abc import Sequence
from typing import Annotated

from flask import Flask, Response, current_app
from msgspec import Meta, Struct

from web.limits.origins import has_any_address
from web.limits.visitor_limits import STEPS
from web.pages.access import Caller, phone_origin
from web.pages.operations import TOKEN, answer, body, operation
from web.programs.program import Program
from web.programs.webhooks.webhook_sender import Delivery, WebhookSender
from web.services import services
from web.table.commands import AddWebhook
from web.table.json_document import Document, document_of

SENDER = "rollcall.webhooks"  # the extension of the application


class ConnectWebhook(Struct, frozen=True):
    """Has a program told what happens, at this address. Who may: as with `NewProgram`."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    address: Annotated[str, Meta(min_length=1, max_length=300)]


class NewWebhook(Document, frozen=True, kw_only=True):
    """A new address. `secret`: what is told there is signed with it; it is shown this once."""

    webhook: str
    secret: str


class ListedWebhook(Document, frozen=True, kw_only=True):
    """An address where a program is told what happens. `failure`: why the last try failed, or "": the answer's status,
    "no-answer", "certificate", "unknown-host" or "not-allowed"; `missed`: events it was not told, since the start."""

    webhook: str
    name: str
    address: str
    at: str
    failure: str
    missed: int


class WebhookPage(Document, frozen=True, kw_only=True):
    """The addresses where programs are told what happens at a table."""

    items: Sequence[ListedWebhook]
    next: str | None


def install(app: Flask) -> None:
    """Starts to tell the addresses of tables. Where they may be, `ServerSettings` says."""
    app.extensions[SENDER] = WebhookSender(services(app))
    services(app).programs.append(app.extensions[SENDER])


PROGRAM = Program(install, (ListedWebhook, NewWebhook), (ConnectWebhook,))


@operation("GET", "/tables/{table}/webhooks", WebhookPage, TOKEN)
def list_webhooks(caller: Caller) -> Response:
    """The addresses where programs are told what happens."""
    state = caller.look()
    (state.access.check_host if caller.by_key else state.access.check_acts)(caller.asker.phone)
    items = []
    for id_, webhook in state.webhooks.items():
        told = current_app.extensions[SENDER].deliveries.get(id_) or Delivery(caller.key, id_, webhook.origin)
        items.append(document_of(ListedWebhook, webhook, webhook=id_, failure=told.failure, missed=told.missed))
    return answer(WebhookPage(items=items, next=None))


@operation(
    "POST",
    "/tables/{table}/webhooks",
    NewWebhook,
    TOKEN,
    takes=ConnectWebhook,
    status=201,
    example={"name": "lamp", "address": "http://192.168.1.30:8123/rollcall"},
    answers={"webhook": "5f0c0e6f2b1d4a77", "secret": "whsec_bGV0IHRoZSBkaWNlIGZhbGwgd2hlcmUgdGhleSBtYXk="},
)
def connect_webhook(caller: Caller) -> Response:
    """Has what happens posted to an address of the same network, signed, until the token is taken back."""
    wanted = body(ConnectWebhook)
    caller.count(STEPS)
    caller.parts.settings.webhooks_to.check(wanted.address)
    origin = "fe80::" if has_any_address(phone_origin()) else phone_origin()  # one share, whichever a device takes
    id_, secret = secrets.token_hex(8), secrets.token_bytes(32)
    caller.do(AddWebhook(id_, wanted.name, wanted.address, secret.hex(), origin))
    return answer(NewWebhook(webhook=id_, secret="whsec_" + b64encode(secret).decode()), 201)
