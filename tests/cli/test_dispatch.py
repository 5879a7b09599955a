"""The command line as a whole: help, exit codes, what never happens."""

import os
import subprocess
import sys
import time

import pytest

from director_gui.cli import dispatch
from director_gui.errors import CheckFailedError, UserError


def run(*argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "director_gui", *argv],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_names_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in dispatch.COMMANDS)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from director_gui.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'PySide6', 'vtkmodules', 'openai', 'scipy', 'pandas'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", dispatch.COMMANDS)
def test_every_command_has_help(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0, done.stderr
    assert f"director-gui {name}" in done.stdout


def test_wrong_usage_is_two() -> None:
    assert run("score").returncode == 2
    assert run("--no-such-flag").returncode == 2


def test_version() -> None:
    assert run("--version").stdout.strip()


def test_without_a_screen_the_window_says_so() -> None:
    done = run(DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert done.returncode == 1
    assert "no screen" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("bad", where="x", todo="Mend it"), 1),
        (CheckFailedError("no"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_errors_become_exit_codes(
    error: BaseException,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_argv: object) -> int:
        raise error

    monkeypatch.setattr(dispatch, "_run", fail)
    assert dispatch.run([]) == code
    said = capsys.readouterr().err
    assert said.startswith("director-gui: ")
    assert said.count("\n") == 1


def test_a_terminal_without_our_signs_is_no_error() -> None:
    done = run("prompts", "show", "move.state", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "director_gui", "prompts", "list"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        said = done.stderr.read()
        deadline = time.monotonic() + 30
        while done.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
    assert b"Traceback" not in said
