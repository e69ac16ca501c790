"""From labelled photos to the files in `models/`."""
