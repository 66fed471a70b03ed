"""What people write in YAML: read with the place of each value, checked against types."""
