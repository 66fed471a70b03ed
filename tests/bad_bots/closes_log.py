"""Proper, without standard error."""

import os

from proper import replies

os.close(2)
for reply in replies():
    print(reply, flush=True)
