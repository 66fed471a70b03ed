"""What the figures on speed and memory are measured with."""
