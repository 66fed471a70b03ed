"""Closes standard output unused, and ends a little later."""

import os
import sys
import time

os.close(1)
time.sleep(0.05)
sys.exit(4)
