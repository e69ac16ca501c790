"""Photos under review: their queue, their readings, and what a table learns of its own dice."""
