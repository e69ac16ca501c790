"""Which tables stand in a phone's own lists: those that it has been at and that still let it in."""

from sqlalchemy import ColumnElement, exists

from web.store import schema


def seen_by(device: str) -> ColumnElement[bool]:
    """The rows of `schema.visits` of this phone, except those of tables that no longer let it in (`Door.lets_in`)."""
    visits, owners, phones = schema.visits.c, schema.owners.c, schema.phones.c
    guarded = exists().where(owners.table_id == visits.table_id, owners.guarded, owners.device != device)
    let_in = exists().where(phones.table_id == visits.table_id, phones.device == device, ~phones.out)
    return (visits.device == device) & (~guarded | let_in)
