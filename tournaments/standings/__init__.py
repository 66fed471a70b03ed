"""Ratings and meetings put together: the standings at the end, on the way, and match by match."""
