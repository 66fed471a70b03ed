"""What is stored against what it was computed from: records, results, schedule, checkpoints."""
