"""The programs that each host has."""

from web.programs.overlay import overlay_page
from web.programs.webhooks import webhook_operations

PROGRAMS = (webhook_operations.PROGRAM, overlay_page.PROGRAM)
