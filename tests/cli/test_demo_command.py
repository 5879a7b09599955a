"""The command around the demo: what it prints where, and when it opens the window."""

import argparse
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from director_gui.cli import demo as command
from director_gui.cli.dispatch import run
from director_gui.errors import UserError
from director_gui.study.demo import Demo, Progress, Tell, Wish

COMPARISON = {
    "test": "move.ask", "reference": "move.plain", "estimate": 0.3951,
    "ci_low": 0.282, "ci_high": 0.508, "call": "increase",
}  # fmt: skip
AGREEMENT = [
    {"field": "reading", "agree": 88, "n": 100, "kappa": 0.8011,
     "kappa_undefined": None},
    {"field": "works_out", "agree": 0, "n": 0, "kappa": None,
     "kappa_undefined": "no item coded by both"},
]  # fmt: skip


@pytest.fixture
def wishes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, Wish]]:
    """Put a quick stand-in in the demo's place; return what it was asked for."""
    asked: list[tuple[Path, Wish]] = []

    def make(folder: Path, wish: Wish, tell: Tell) -> Demo:
        asked.append((folder, wish))
        for step, share in (("scenes", 0.0), ("scenes", 0.1), ("report", 1.0)):
            tell(Progress(step, share))
        value = {
            "study": str(folder / "demo.study"), "report": str(folder / "report.html"),
            "seed": wish.seed, "scenes": wish.scenes, "replies": 720,
            "comparisons": [COMPARISON], "agreement": AGREEMENT,
        }  # fmt: skip
        kept = (folder / "report.kept-1.html",)
        places = [folder / n for n in ("demo.study", "report.html", "pictures", "figs")]
        return Demo(*places, kept, value)

    monkeypatch.setattr(command, "make_demo", make)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return asked


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for the window; return the studies it was opened on."""
    paths: list[str] = []
    window = ModuleType("director_gui.ui.start")
    window.open_program = lambda path: paths.append(path) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "director_gui.ui.start", window)
    return paths


def test_json_is_alone_on_stdout(
    wishes: list[tuple[Path, Wish]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--json", "--out", "x"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["comparisons"] == [COMPARISON]
    assert out.count("\n") == 1
    assert "report.kept-1.html" in err
    assert wishes == [(Path("x"), Wish())]


def test_figures_and_places_are_told(
    wishes: list[tuple[Path, Wish]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--out", "there", "--no-window"]) == 0
    out, err = capsys.readouterr()
    assert len(wishes) == 1
    assert out.startswith("Practice demo: 24 scenes, 720 replies")
    assert "move.ask against move.plain" in out
    assert "+39.5  [+28.2, +50.8]    increase" in out
    assert "88 of 100 agree, κ 0.801" in out
    assert "0 of 0 agree, no item coded by both" in out
    for name in ("report.html", "pictures", "figs", "demo.study"):
        assert str(Path("there") / name) in out
    assert "sampling scenes" in err
    assert "done in" in err


def test_the_wish_is_passed_on(wishes: list[tuple[Path, Wish]]) -> None:
    run(["demo", "--scenes", "12", "--seed", "-3", "--no-window"])
    assert wishes == [(Path("director-gui-demo"), Wish(scenes=12, seed=-3))]


@pytest.mark.parametrize("text", ["11", "161", "0", "-12", "twelve", "12.5", ""])
def test_too_few_or_too_many_scenes_are_wrong_usage(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["demo", f"--scenes={text}"])
    assert caught.value.code == 2
    assert "must be 12 to 160" in capsys.readouterr().err


def test_without_a_screen_it_says_so(
    wishes: list[tuple[Path, Wish]],
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert run(["demo", "--out", "x"]) == 0
    assert opened == []
    assert len(wishes) == 1
    assert "no screen here" in capsys.readouterr().err


def test_without_qt_it_says_so(
    wishes: list[tuple[Path, Wish]],
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda _: None)
    assert run(["demo", "--out", "x"]) == 0
    assert opened == []
    assert len(wishes) == 1
    assert "no PySide6 here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "opens"), [((), True), (("--no-window",), False), (("--json",), False)]
)
def test_where_there_is_a_screen_the_program_opens(
    wishes: list[tuple[Path, Wish]],
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    *,
    opens: bool,
) -> None:
    monkeypatch.setenv("DISPLAY", ":9")
    assert run(["demo", "--out", "x", *flags]) == 0
    assert len(wishes) == 1
    assert opened == ([str(Path("x") / "demo.study")] if opens else [])


def test_a_screen_that_does_not_answer_is_no_fault_of_the_demo(
    wishes: list[tuple[Path, Wish]],
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(_: str) -> int:
        raise UserError("the screen :9 does not answer", where="DISPLAY")

    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr(sys.modules["director_gui.ui.start"], "open_program", refuse)
    assert run(["demo", "--out", "x"]) == 0
    assert (len(wishes), opened) == (1, [])
    assert "The demo is made, but" in capsys.readouterr().err


def test_a_fault_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> Demo:
        raise UserError("this folder holds files", where="x", todo="Choose another")

    monkeypatch.setattr(command, "make_demo", refuse)
    assert run(["demo", "--out", "x"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_interruption_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> Demo:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "make_demo", stop)
    assert run(["demo", "--out", "x"]) == 130


def test_a_folder_of_other_files_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    assert run(["demo", "--out", str(tmp_path), "--no-window"]) == 1
    assert "not a demo's" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} <= {"thesis.tex", "home"}


@pytest.mark.parametrize(
    ("seconds", "share", "words"),
    [(0.5, 0.01, "1%"), (10, 0.5, "50%, about 10 s left"), (30, 1.0, "done in 30 s")],
)
def test_time_left_in_words(seconds: float, share: float, words: str) -> None:
    assert command._left(seconds, share) == words


def test_every_step_has_words() -> None:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    assert parser.parse_args([]).out == Path("director-gui-demo")
    assert set(command.STEPS) == {"scenes", "replies", "coding", "report"}
