"""A stream's overlay: a page that only shows a table, by a link that is no right to anything else."""

import json
from collections.abc import Mapping, Sequence

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for

from web.pages.access import link_caller
from web.pages.static import text_addresses
from web.pages.table_api import stream_new_states, table_state
from web.problems.problem import Problem
from web.programs.program import Program
from web.texts.languages import current

# What the address may choose, the usual first. Colours are names, so that no style comes with an address.
LOOKS: Mapping[str, Sequence[str]] = {
    "look": ("sheet", "ticker"),
    "at": ("left", "right", "top", "bottom"),
    "size": ("medium", "small", "large"),
    "colours": ("dark", "light", "green", "blue", "red"),
}

blueprint = Blueprint("overlay", __name__, template_folder="templates")
PROGRAM = Program(install=lambda app: app.register_blueprint(blueprint))


@blueprint.get("/o/<token>")
def show_overlay(token: str) -> Response:
    """The overlay of a table. `?look=`, `?at=`, `?size=` and `?colours=`: of `LOOKS`."""
    caller = link_caller(token)
    look = {name: request.args.get(name, known[0]) for name, known in LOOKS.items()}
    for name, known in LOOKS.items():
        if look[name] not in known:
            raise Problem("bad-request", 400, detail=f"{name} is one of {', '.join(known)}")
    shown = caller.parts.runner.snapshot(caller.key)
    language = current()
    setup = {
        "base": url_for("overlay.show_overlay", token=token),
        "language": language,
        "look": look["look"],
        "texts": text_addresses()[0],
    }
    state = json.loads(msgspec.json.encode(table_state(shown)))
    response = make_response(render_template("overlay.html", setup=setup, state=state, look=look))
    response.headers["Referrer-Policy"] = "no-referrer"  # the address is the link
    return response


@blueprint.get("/o/<token>/events")
def show_changes(token: str) -> Response:
    return stream_new_states(link_caller(token))
