"""What a check of a game from outside may cost, and how long its process lives."""

PROCESSOR_S = 3.0  # of one check; the dearest game that comes along takes a tenth of that
WALL_S = 20.0  # likewise by the clock, for systems without that bound, and while other programs have the processors
MEMORY_MB = 256  # of addresses, of the whole process, which takes some 40 of them
IDLE_S = 20.0  # after which the process ends, and its memory returns
NICENESS = 10  # pages come first
MOST_WAITING = 8  # checks at once, of all origins; each holds one of the 16 page places
MOST_OF_ORIGIN = 3  # of these, of one origin
MOST_RESULTS = 64  # results that are kept, of some 20 kB
