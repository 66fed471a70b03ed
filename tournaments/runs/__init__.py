"""A run: what is missing is played, people see how it goes on, nothing is left behind."""
