"""The command line as a whole: help, exit codes, what never happens."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

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
        (OSError(errno.ENAMETOOLONG, "File name too long", "x" * 5000), 1),
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


def test_a_name_in_a_message_cannot_drive_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_argv: object) -> int:
        raise UserError("is no item", where="\x1b]0;gone\x07\r\x9b2J\u202etxt\u00a0ä")

    monkeypatch.setattr(dispatch, "_run", fail)
    assert dispatch.run([]) == 1
    assert capsys.readouterr().err == (
        "director-gui: \ufffd]0;gone\ufffd\ufffd\ufffd2J\ufffdtxt\u00a0ä: is no item\n"
    )


def test_an_os_error_about_no_file_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_argv: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(dispatch, "_run", fail)
    with pytest.raises(OSError, match="Input/output error"):
        dispatch.run([])


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


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["prompts", "list"], ["prompts", "list", "--json"]])
def test_a_full_disk_behind_stdout_is_told_in_one_line(words: list[str]) -> None:
    command = [sys.executable, "-m", "director_gui", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert b"cannot be written" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_traceback(
    stream: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert dispatch.run(["prompts", "show", "none"]) == 1
    assert dispatch.run(["prompts", "list"]) == (stream == "stdout")
    out, err = capsys.readouterr()
    assert "no standard output" in err if stream == "stdout" else "mean.ask" in out
