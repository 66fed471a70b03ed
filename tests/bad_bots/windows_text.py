"""Proper, with a byte order mark, blank lines and line ends as on Windows."""

import os

from proper import replies

os.write(1, b"\xef\xbb\xbf\r\n")
for reply in replies():
    os.write(1, b"\r\n \n%s\r\n\n" % reply.encode())
