"""The web application: pages, live updates, the store, languages.

`web.app.create_app(data, later)` makes the Flask application; `web.hosts.laptop.serving.serve` is the whole server
around it.
"""
