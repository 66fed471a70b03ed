"""What a run folder keeps: the database, its readers and its one writer, and the hold on it."""
