"""``director-gui code``: arguments in, exit code out; the window is tested in ui."""

import argparse
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from director_gui.cli import code


def parsed(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    code.configure(parser)
    return parser.parse_args(argv)


def test_arguments_reach_the_pane(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def open_packet(*args: object) -> int:
        asked.append(args)
        return 1

    pane = SimpleNamespace(open_packet=open_packet)
    monkeypatch.setitem(sys.modules, "director_gui.ui.coder.start", pane)
    assert code.run(parsed("p.codepack", "--alias", "ann", "--results", "out")) == 1
    assert asked == [(Path("p.codepack"), "ann", Path("out"))]
    assert code.run(parsed("p.codepack")) == 1
    assert asked[1] == (Path("p.codepack"), None, None)


def test_a_packet_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parsed()
    assert left.value.code == 2
    assert "PACKET" in capsys.readouterr().err
