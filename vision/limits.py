"""What is taken of a photo: for those who ask before anything of pictures is loaded."""

MAX_BYTES = 40 << 20
