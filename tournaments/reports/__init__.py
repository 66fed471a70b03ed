"""What the report of a run is made of: gathered from its store, a pass for each kind."""
