from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.store.database import Study, create_study


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my study ü#1.study"


@pytest.fixture
def study(path: Path) -> Iterator[Study]:
    with create_study(path, "a study") as made:
        yield made
