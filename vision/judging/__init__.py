"""From what an eye saw to a reading. Pure Python: no NumPy, no OpenCV, no pixels."""
