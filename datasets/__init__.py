"""Rendered dice, data-set definitions, training and evaluation of the detector."""
