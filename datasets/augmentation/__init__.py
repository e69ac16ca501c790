"""Training pictures made from photos: crops, mixtures, distractors, and what cameras do to a picture."""
