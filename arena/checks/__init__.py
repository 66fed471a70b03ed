"""Is this a sound bot? Named checks, from conversations with its real process."""

from arena.checks.catalogue import CHECKS, Check
from arena.checks.examination import examine
from arena.checks.findings import Finding, Status

__all__ = ["CHECKS", "Check", "Finding", "Status", "examine"]
