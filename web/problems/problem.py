"""What the application will not do: one exception for all of `web`. `web.pages.errors` tells people and programs."""

import errno
import json
from http import HTTPStatus
from typing import Any, Protocol, runtime_checkable

from web.problems.reasons import REASONS

DETAILS = "application/problem+json"
WANTS_TOKEN = 'Bearer realm="rollcall"'  # for WWW-Authenticate, with 401
SPENT_S = "rollcall.spent_s"  # in the environ: processor seconds of other processes for a request
GONE = "rollcall.gone"  # in the environ: tells whether nobody waits for the answer any more, from any thread
BODY_LOST = "rollcall.body_lost"  # in the environ: the OSError or Problem that kept a request's body from us, or None


class Problem(Exception):  # noqa: N818 - "problem" is what it is called everywhere
    """Something that the web application will not do: a key of `web.problems.reasons` with its parameters."""

    def __init__(self, reason: str, status: int = 422, again_s: int = 0, **params: Any) -> None:
        """`again_s`: after how many seconds to ask again, for `Retry-After`; 0: nothing is said of that."""
        super().__init__(REASONS[reason].format(**params))
        self.reason = reason
        self.status = status
        self.again_s = again_s
        self.params = params


@runtime_checkable
class Refused(Protocol):
    """What the refusals of `scorer` and `vision` have in common."""

    reason: str
    params: dict[str, Any]


def as_json(refusal: Refused, message: str) -> dict[str, Any]:
    """A refusal within another document. `message`: what it says, in the language of who asks."""
    params = {name: _sendable(value) for name, value in refusal.params.items()}
    return {"reason": refusal.reason, "params": params, "message": _sendable(message)}


def as_details(refusal: Refused, message: str, status: int) -> dict[str, Any]:
    """The body of an answer that refuses: RFC 9457, with our reason and parameters."""
    said = as_json(refusal, message)
    about = {"type": f"/api#{said['reason']}", "title": HTTPStatus(status).phrase, "status": status}
    return {**about, "detail": said["message"], "reason": said["reason"], "params": said["params"]}


def as_body(problem: Problem) -> bytes:
    """The same as bytes, in English, where no page is asked."""
    return json.dumps(as_details(problem, str(problem), problem.status), ensure_ascii=False).encode()


def _sendable(value: Any) -> Any:
    """A parameter as JSON can hold it: what a phone sent may stand in it, lone surrogates and all."""
    if isinstance(value, (list, tuple)):
        return [_sendable(item) for item in value]
    if hasattr(value, "render"):
        value = str(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def disk_problem(error: OSError) -> Problem | None:
    """What is told when a file could not be written, or None for any other error of the system.

    Where photos lie in no file, what their store said is the error's cause, and is told.
    """
    if isinstance(error.__cause__, Problem):
        return error.__cause__
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Problem("store-full", 503)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO):
        return Problem("store-failed", 503)
    return None
