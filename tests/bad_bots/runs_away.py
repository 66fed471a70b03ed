"""Proper, while a child of its forks into new sessions and exits, on and on for 20 s."""

import os
import time

from proper import replies

end = time.monotonic() + 20
if os.fork() == 0:
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
        os.setsid()
    os._exit(0)
for reply in replies():
    print(reply, flush=True)
