"""Ends itself, by the signal that nobody can tell from one of the kernel's, instead of a reply."""

import os
import signal
import sys

sys.stdin.readline()
print('{"id": 1}', flush=True)
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGKILL)
