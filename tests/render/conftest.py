"""One window for all stills: opening it is the dear part."""

from collections.abc import Iterator

import pytest

from director_gui.render.still import StillRenderer


@pytest.fixture(scope="session")
def stills() -> Iterator[StillRenderer]:
    with StillRenderer() as renderer:
        yield renderer
