"""Who meets whom: what settings and bots alone come to, and what results draw."""
