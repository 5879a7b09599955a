"""The editing view's own camera: an orbit around a point, as a frozen value."""

from dataclasses import dataclass, replace
from math import atan2, cos, degrees, hypot, radians, sin, tan

from director_gui.scene.model import Point, Scene, Viewpoint

_FOV = 38.0  # degrees; longer than the model's camera, so that less is distorted
_LOW, _HIGH = 5.0, 88.0  # degrees above the table
_NEAR, _FAR = 0.3, 12.0  # m
_AZIMUTH, _ELEVATION = -65.0, 38.0  # degrees; from the right behind the model


@dataclass(frozen=True, slots=True)
class Orbit:
    """Where the editing camera is, in degrees and metres around `target`."""

    target: Point
    azimuth: float = _AZIMUTH
    elevation: float = _ELEVATION
    distance: float = 3.0

    def viewpoint(self) -> Viewpoint:
        """Return the camera as a viewpoint."""
        a, e = radians(self.azimuth), radians(self.elevation)
        x, y, z = self.target
        flat = self.distance * cos(e)
        eye = (x + flat * cos(a), y + flat * sin(a), z + self.distance * sin(e))
        return Viewpoint(eye, self.target, _FOV)

    def turned(self, right: float, up: float) -> "Orbit":
        """Return the orbit turned by degrees; it never goes under the table."""
        elevation = min(_HIGH, max(_LOW, self.elevation + up))
        return replace(self, azimuth=(self.azimuth - right) % 360, elevation=elevation)

    def zoomed(self, factor: float) -> "Orbit":
        """Return the orbit with its distance times `factor`."""
        return replace(self, distance=min(_FAR, max(_NEAR, self.distance * factor)))

    def panned(self, right: float, up: float) -> "Orbit":
        """Return the orbit moved by fractions of the view's height, on the table."""
        length = 2 * self.distance * tan(radians(_FOV) / 2)
        a = radians(self.azimuth)
        x = self.target[0] + length * (right * sin(a) + up * cos(a))
        y = self.target[1] + length * (-right * cos(a) + up * sin(a))
        return replace(self, target=(_bounded(x), _bounded(y), self.target[2]))

    def axis_steps(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the table axes nearest to "right" and "away" on the screen."""
        quarter = round((self.azimuth + 90.0) / 90.0) % 4
        right = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        return right, (-right[1], right[0])


def fitted(scene: Scene, aspect: float, orbit: Orbit | None = None) -> Orbit:
    """Return an orbit that shows table, director and camera; the angles are kept."""
    base = orbit or Orbit((0.0, 0.0, 0.0))
    eyes = (scene.director.eye, scene.camera.eye)
    xs = [-scene.table.width / 2, scene.table.width / 2, *(eye[0] for eye in eyes)]
    ys = [-scene.table.depth / 2, scene.table.depth / 2, *(eye[1] for eye in eyes)]
    tallest = max(0.3, *(eye[2] for eye in eyes))
    center = (_middle(xs), _middle(ys), tallest / 3)
    radius = hypot(max(xs) - min(xs), max(ys) - min(ys), tallest) / 2
    half = radians(_FOV) / 2
    across = min(half, atan2(tan(half) * aspect, 1.0))
    return replace(base, target=center, distance=0.86 * radius / sin(across))


def facing(orbit: Orbit, view: Viewpoint) -> Orbit:
    """Return the orbit turned so that it looks the way `view` looks."""
    dx, dy = (view.eye[i] - view.look_at[i] for i in (0, 1))
    dz = view.eye[2] - view.look_at[2]
    elevation = degrees(atan2(dz, hypot(dx, dy)))
    return replace(
        orbit,
        azimuth=degrees(atan2(dy, dx)) % 360,
        elevation=min(_HIGH, max(_LOW, elevation)),
    )


def _middle(values: list[float]) -> float:
    return (min(values) + max(values)) / 2


def _bounded(value: float) -> float:
    return min(10.0, max(-10.0, value))
