"""Proper, with a megabyte of standard error before each reply."""

import os

from proper import replies

for reply in replies():
    os.write(2, b"x" * 1024 * 1024)
    print(reply, flush=True)
