"""A gate: the tournament of two bots that ends with a verdict."""
