"""Proper, but deaf to SIGTERM, SIGINT, SIGHUP and the end of its input."""

import signal
import time

from proper import replies

for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(ignored, signal.SIG_IGN)
for reply in replies():
    print(reply, flush=True)
time.sleep(60)
