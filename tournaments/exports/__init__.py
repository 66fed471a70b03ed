"""What a run and a check have come to, written for other programs and for people."""
