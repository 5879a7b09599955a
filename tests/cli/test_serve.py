"""`serve` as a user starts it: the first line is the base URL, Ctrl+C ends it."""

import base64
import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from director_gui.cli import dispatch
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store import scenes as stored
from director_gui.store.database import create_study

PNG = b"\x89PNG\r\n\x1a\n of a test"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "a.study"
    scene = example_scene()
    with create_study(path, "a") as made:
        image = stored.add_image(
            made,
            PNG,
            pixels_sha256="",
            renderer="test",
            view="model",
            width=8,
            height=6,
        )
        scene_hash = stored.add_scene(made, scene.name, canonical_bytes(scene))
        stored.add_stimulus(made, scene_hash, "model", image)
    return path


def ask(base_url: str, picture: bytes) -> tuple[int, str]:
    url = "data:image/png;base64," + base64.b64encode(picture).decode()
    content = [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": 'Which block will you move? Key "choice".'},
    ]
    body = {
        "model": "practice-reader",
        "messages": [{"role": "user", "content": content}],
    }
    request = urllib.request.Request(  # noqa: S310 - our own server on loopback
        base_url + "/chat/completions", json.dumps(body).encode()
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:  # noqa: S310
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_it_serves_a_study_until_it_is_interrupted(study: Path) -> None:
    command = [sys.executable, "-m", "director_gui", "serve", "--study", str(study)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        base_url = program.stdout.readline().strip()
        assert base_url.startswith("http://127.0.0.1:")
        status, text = ask(base_url, PNG)
        assert (status, json.loads(text)["model"]) == (200, "practice-reader")
        status, text = ask(base_url, b"another picture")
        assert status == 400
        assert "does not know this picture" in text
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=20)
    assert program.returncode == dispatch.EXIT_INTERRUPTED
    assert out == ""
    assert "Traceback" not in err


def test_a_missing_study_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch.run(["serve", "--study", str(tmp_path / "none")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "no such study" in err


def test_an_empty_study_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_study(tmp_path / "a.study", "a").close()
    assert dispatch.run(["serve", "--study", str(tmp_path / "a.study")]) == 1
    assert "no scenes" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "x", "1.5", ""])
def test_a_port_that_is_none_is_wrong_usage(
    port: str, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        dispatch.run(["serve", "--study", str(study), f"--port={port}"])
    assert caught.value.code == dispatch.EXIT_USAGE
    assert "0-65535" in capsys.readouterr().err


def test_the_study_can_be_open_elsewhere_meanwhile(study: Path) -> None:
    from director_gui.store.database import open_study
    from director_gui.study.catalogue import catalogue_of

    with open_study(study), open_study(study, read_only=True) as again:
        assert len(catalogue_of(again)) == 1
