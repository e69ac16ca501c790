"""Tells a smart home of the tables, and the network of the server; with the extra `home` alone."""
