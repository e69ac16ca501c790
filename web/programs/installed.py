"""The programs that come along. Each has a folder here, with its pages, its texts and what it keeps.

`install(app)` registers its routes, and adds what is to be closed to `Services.programs`. `SENT`: what it sends to
others by itself, for the OpenAPI document: by name the type of the body, and the entry. Another program is another
folder, and a line here. One that only some hosts have, such as MQTT, is installed by them.
"""

from web.programs.overlay import overlay_page
from web.programs.webhooks import webhook_operations

PROGRAMS = (webhook_operations, overlay_page)
