"""The workshop: rendering pictures, training and measuring the detector. It runs from a checkout; players do not
install it."""
