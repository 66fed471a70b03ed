"""Durations, sizes and fractions as they are written in a file: `500ms`, `512MB`, `25/3`."""

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final

from msgspec import Meta

_MILLISECONDS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
_NUMBER: Final = r"[0-9]{1,12}(\.[0-9]{1,12})?"

UNITS: Final = "x-units"
"""The key of a schema under which stand two units, and how much of each a bare number would be."""
NO_LIST: Final = "x-no-list"
"""The key of a schema under which stands what to say of a list that is found there."""

Duration = Annotated[
    str,
    Meta(
        pattern=rf"^{_NUMBER}({'|'.join(_MILLISECONDS)})$",
        title="a time with its unit, such as 500ms, 1.5s or 2m",
        extra_json_schema={UNITS: {"s": 1, "ms": 1000}},
    ),
]
Size = Annotated[
    str,
    Meta(
        pattern=rf"^{_NUMBER}({'|'.join(_BYTES)})$",
        title="a size with its unit, such as 512MB (MB is 1,000,000 bytes)",
        extra_json_schema={UNITS: {"MB": 1, "KB": 1000}},
    ),
]
Rounds = Annotated[int, Meta(ge=1, le=100_000)]
Confidence = Annotated[float, Meta(ge=0.5, le=0.9999, title="a number from 0.5 to 0.9999")]
_FRACTION: Final = rf"-?{_NUMBER}/{_NUMBER}"
_RATIO: Final = "a number (up to 1,000,000) or a fraction such as 25/3"
Number = Annotated[float, Meta(ge=-1e6, le=1e6, title=_RATIO)]
FractionText = Annotated[str, Meta(pattern=f"^{_FRACTION}$", title=_RATIO)]
FractionOrAuto = Annotated[str, Meta(pattern=f"^({_FRACTION}|auto)$", title=f"{_RATIO}, or auto")]


def milliseconds(text: str) -> float:
    """Of a Duration."""
    unit = text.lstrip("0123456789.")
    return float(Decimal(text.removesuffix(unit)) * _MILLISECONDS[unit])


def size(text: str) -> int:
    """Bytes of a Size; a part of one is dropped."""
    unit = text[-2:]
    return int(Decimal(text.removesuffix(unit)) * _BYTES[unit])


def number(written: float | str) -> float:
    """Of a number or a FractionText. Raises ZeroDivisionError."""
    if not isinstance(written, str):
        return float(written)
    above, below = written.split("/")
    return float(Fraction(above) / Fraction(below))
