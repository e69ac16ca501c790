"""Texts in Czech, Polish and English."""
