"""Bots as programs: found, taken out of git, hashed, copied, built."""
