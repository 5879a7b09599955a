"""Fixtures and rules for every test: no slow test by default, no screen needed."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A user's own settings are never read or written by a test.
os.environ.pop("OPENAI_API_KEY", None)

DATA = Path(__file__).parent / "data"


def pytest_addoption(parser: pytest.Parser) -> None:
    for name in ("slow", "live"):
        parser.addoption(f"--{name}", action="store_true", help=f"run {name} tests too")


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    for item in items:
        if "slow" in item.keywords and not item.get_closest_marker("timeout"):
            # A hundred kills take minutes; the common limit is for one hang.
            item.add_marker(pytest.mark.timeout(1500))
        for name in ("slow", "live"):
            if name in item.keywords and not config.getoption(f"--{name}"):
                item.add_marker(pytest.mark.skip(reason=f"needs --{name}"))


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def data() -> Path:
    """The folder of test inputs with known right values."""
    return DATA
