"""Where the packed program begins."""

import os
import sys

from rollcall import main

# The browser that `--open` starts must find the system's libraries, not those that are packed here.
before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
os.environ.pop("LD_LIBRARY_PATH", None)
if before is not None:
    os.environ["LD_LIBRARY_PATH"] = before

sys.exit(main())
