"""Plays a card that it has and that is not legal, as soon as there is one."""

import sys

from proper import listed, reply_to

for line in sys.stdin:
    if reply := reply_to(line):
        legal = listed(line, "legal")
        forbidden = [card for card in listed(line, "hand") if card not in legal]
        if '"type":"play"' in line and forbidden:
            reply = reply.replace(legal[0], forbidden[0])
        print(reply, flush=True)
