"""Connections, TLS, live streams and limits: what lies below the pages, which it is handed."""
