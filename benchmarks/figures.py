"""Figures with what they are to reach, as a table and as JSON."""

import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct


class Figure(Struct, frozen=True):
    """Something that was measured several times."""

    name: str
    unit: str
    values: list[float]
    least: float | None = None
    """What the median should reach."""
    most: float | None = None
    """What the median should not pass."""

    @property
    def reached(self) -> bool | None:
        """Whether the median is as it should be; None where nothing is asked of it."""
        if self.least is None and self.most is None:
            return None
        found = median(self.values)
        return (self.least is None or found >= self.least) and (
            self.most is None or found <= self.most
        )

    def row(self) -> tuple[str, ...]:
        """The figure as the cells of a table."""
        found = (min(self.values), median(self.values), max(self.values))
        verdict = {None: "", True: "reached", False: "MISSED"}[self.reached]
        return (self.name, self.unit, *map(_rounded, found), self.goal, verdict)

    @property
    def goal(self) -> str:
        """What is asked of the median."""
        if self.least is not None:
            return f">= {_rounded(self.least)}"
        return "" if self.most is None else f"<= {_rounded(self.most)}"

    def plain(self) -> dict[str, Any]:
        """The figure for JSON."""
        return {
            "name": self.name,
            "unit": self.unit,
            "min": min(self.values),
            "median": median(self.values),
            "max": max(self.values),
            "goal": self.goal or None,
            "reached": self.reached,
            "values": self.values,
        }


def ratios(over: Iterable[float], under: Iterable[float]) -> list[float]:
    """Round by round, as a noisy machine slows both of a round."""
    return [a / b for a, b in zip(over, under, strict=True)]


def quantile(values: Iterable[float], part: float) -> float:
    """The smallest of the values that at least this part of them does not pass."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def table(figures: Sequence[Figure]) -> str:
    """All figures, a line each."""
    head = ("figure", "unit", "min", "median", "max", "goal", "")
    rows = [head, *(figure.row() for figure in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 2 or i > 4 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": str(len(models)),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def write_json(file: Path, figures: Sequence[Figure]) -> None:
    """Everything that was measured."""
    found = {"machine": machine(), "figures": [figure.plain() for figure in figures]}
    file.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def _rounded(value: float) -> str:
    """Three digits that count, or a whole number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
