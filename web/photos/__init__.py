"""Photos under review: their queue, their readings, and the samples of a table's own dice."""
