"""The wire between arena and bot: cards and seats, messages, codec, and a loop for Python bots.

`README.md` in this folder is the specification. Nothing here knows the rules of the game.
"""

PROTOCOL_VERSION = 1
"""What `hello` names as `protocol`."""
