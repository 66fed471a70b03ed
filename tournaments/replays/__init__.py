"""Replays in a terminal: a match step by step, or as plain text."""
