"""The revisions of the store, one after the other, for a file of SQLite and for PostgreSQL alike.

A revision is written out and takes nothing from `web.store.schema`, which later ones change. It is named after the
version of the store, and one that an older Rollcall of that version can do without after it: "5.owners".
"""
