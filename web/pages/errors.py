"""One shape of errors for scripts and programs (RFC 9457: `problems.as_details`), and one page for people."""

import logging
import re
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

import scorer
from scorer.texts import CountedReason
from vision.reasons import PhotoError
from web.problems.problem import DETAILS, WANTS_TOKEN, Problem, Refused, as_details, as_json, disk_problem
from web.texts.formats import points
from web.texts.languages import say, say_count, say_with
from web.texts.script_texts import all_reasons

TYPED = re.compile(r"-?[0-9]{4,12}")  # a long number that somebody typed
logger = logging.getLogger(__name__)

HTTP_REASONS = {404: "not-found", 405: "method", 413: "too-much"}


def wants_json() -> bool:
    """Whether a script or a program sent this request: to the API, or because it prefers JSON to HTML."""
    if request.path.startswith("/api/") or request.is_json:
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], default="text/html")
    return best == "application/json"


def describe(refusal: Refused) -> dict[str, Any]:
    """A refusal as JSON, its message in the language of the request."""
    return as_json(refusal, sentence(refusal))


def sentence(refusal: Refused) -> str:
    """A refusal as a sentence in the language of the request."""
    text: Any = getattr(refusal, "text", None)
    params = {name: _format_number(value) for name, value in refusal.params.items()}
    if hasattr(text, "render"):  # of scorer: parameters may be texts themselves
        if text.many:
            params["count"] = text.params["count"]
        say_own = say_with(getattr(refusal, "wordings", {}))
        return _capital(type(text)(text.template, params, text.many).render(say_own, say_count))
    template = all_reasons().get(refusal.reason, "{text}")
    if isinstance(template, CountedReason):
        return _capital(say_count(template.one, template.many, refusal.params[template.by], **params))
    return _capital(say(template, **{"text": str(refusal), **params}))


def _format_number(value: Any) -> Any:
    """A number, also as a typed text, with its thousands separated; any other value unchanged."""
    if type(value) is int or (isinstance(value, str) and TYPED.fullmatch(value)):
        return points(int(value))
    return value


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def answer(refusal: Refused) -> Response:
    """The response to a refused request, as JSON or as a page."""
    said, status = sentence(refusal), getattr(refusal, "status", 422)
    if wants_json():
        response = jsonify(as_details(refusal, said, status))
        response.mimetype = DETAILS
    else:
        response = make_response(render_template("error.html", message=said, status=status, refusal=refusal))
        if refusal.reason == "table-deleted" and not refusal.params["final"] and request.method == "GET":
            # Until nobody may undo it any more. The phone that may is not disturbed meanwhile.
            response.headers["Refresh"] = "60" if refusal.params["undo"] else "10"
    response.status_code = status
    if status == 401:
        response.headers["WWW-Authenticate"] = WANTS_TOKEN
    if again_s := getattr(refusal, "again_s", 0):
        response.headers["Retry-After"] = str(again_s)
    return response


def install(app: Flask) -> None:
    """Makes `app` answer all errors in that one shape."""

    @app.errorhandler(Problem)
    @app.errorhandler(scorer.Refusal)
    @app.errorhandler(PhotoError)
    def refusal(error: Problem | scorer.Refusal | PhotoError) -> Response:
        if isinstance(error, scorer.Refusal) and error.__cause__ is not None:  # our fault, met by the file of a game
            logger.error("%s %s: %s", request.method, request.url_rule, error, exc_info=error.__cause__)
        return answer(error)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response | HTTPException:
        code = error.code or 500
        if code < 400:
            return error  # redirects are no errors
        limit = app.config["MAX_CONTENT_LENGTH"] or 0
        if isinstance(error, RequestEntityTooLarge) and (request.content_length or 0) > limit:
            return answer(Problem("upload-too-large", 413, limit=limit >> 20))
        response = answer(Problem(HTTP_REASONS.get(code, "not-understood" if code < 500 else "internal"), code))
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
        return response

    @app.errorhandler(OSError)
    def disk(error: OSError) -> Response:
        problem = disk_problem(error)
        if problem is None:
            return unexpected_error(error)
        logger.warning("%s %s: %s", request.method, request.url_rule, error)
        return answer(problem)

    @app.errorhandler(Exception)
    def unexpected_error(error: Exception) -> Response:
        logger.exception("%s %s failed", request.method, request.url_rule)  # the path has the table's key
        return answer(Problem("internal", 500))
