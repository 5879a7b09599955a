"""The ranges of a scene's numbers, for the reader, the edits and the editor's fields.

INTERFACES holds them. Stored numbers are rounded to 0.1 mm and 0.01 degrees (METHOD
§2), so that scene files come out the same everywhere.
"""

from typing import NamedTuple


class Range(NamedTuple):
    """The least and the greatest value, both allowed."""

    low: float
    high: float

    def clamp(self, value: float) -> float:
        """Return the nearest value inside."""
        return min(max(value, self.low), self.high)


SIZE = Range(0.01, 2.0)  # m, every edge, width, height, depth and thickness
TABLE = SIZE
COORDINATE = Range(-10.0, 10.0)  # m
YAW = Range(-360.0, 360.0)  # degrees
FOV = Range(5.0, 120.0)  # degrees
PIXELS = (64, 8192)  # px
DIGITS = (0, 99)
BLOCKS = (1, 12)
PARTITIONS = (0, 4)
LENGTH_DECIMALS = 4  # m: 0.1 mm
ANGLE_DECIMALS = 2  # degrees
