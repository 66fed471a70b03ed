"""Answers, and leaves its replies in a buffer."""

from proper import replies

for reply in replies():
    print(reply)
