"""Reads all forms: each field that it gives has a name and a text or a file."""

import logging
from typing import IO, Any

from flask import Request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.formparser import FormDataParser

from web.common.problems import Problem

logger = logging.getLogger(__name__)

Parsed = tuple[IO[bytes], MultiDict[str, str], MultiDict[str, Any]]


class FormReader(FormDataParser):
    """Werkzeug's parser with failures as status 400. It leaves broken parts out, as Werkzeug does."""

    def parse(
        self, stream: IO[bytes], mimetype: str, content_length: int | None, options: dict[str, str] | None = None
    ) -> Parsed:
        """Raises `Problem`, and OSError if a file of the form could not be stored."""
        try:
            stream, form, files = super().parse(stream, mimetype, content_length, options)
        except (HTTPException, OSError):
            raise
        except Exception as error:
            logger.warning("a form could not be read: %s: %s", type(error).__name__, error)
            raise Problem("bad-request", 400, detail="the form cannot be read") from error
        if any(name is None for name in (*form, *files)):  # RFC 7578, section 4.2: each part has a name
            for _, file in files.items(multi=True):
                file.close()
            raise Problem("bad-request", 400, detail="a field of the form has no name")
        return stream, form, files


class FormRequest(Request):
    """A request whose form `FormReader` reads."""

    form_data_parser_class = FormReader
