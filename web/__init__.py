"""The web application: pages, live updates, the store, languages.

`create_app(data)` makes the Flask application; `web.server.server.serve` is the whole server around it.
"""

from web.app import create_app

__all__ = ["create_app"]
