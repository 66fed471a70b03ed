"""Proper, with a byte order mark, blank lines and line ends as on Windows."""

import os
import sys

os.write(1, b"\xef\xbb\xbf\r\n")
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    os.write(1, b'\r\n \n{"id": %d, "bid": 3}\r\n\n' % number)
