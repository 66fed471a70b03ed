"""Exits before it has read anything."""

import sys

sys.exit(3)
