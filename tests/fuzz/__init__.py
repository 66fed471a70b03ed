"""Anything at all as a bot: properties that hold whatever it writes, and a way to try them long.

python -m tests.fuzz --seconds 60
"""
