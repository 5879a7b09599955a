"""Model profiles: what is typed, what is refused, where keys go."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringError
from PySide6.QtWidgets import QLineEdit

from director_gui.home import settings_folder
from director_gui.runner.keys import SERVICE
from director_gui.runner.profiles import (
    FILE_NAME,
    Profile,
    load_profiles,
    presets,
    save_profiles,
)
from director_gui.ui.probe.profile_dialog import ProfileDialog
from director_gui.ui.probe.profile_fields import (
    Typed,
    faults_in,
    profile_from,
    typed_of,
)
from tests.ui.probe.desk import Desk

pytestmark = pytest.mark.gui
CANARY = "sk-canary-91c7"
PRESET = next(p for p in presets() if p.name == "OpenAI gpt-6-sol")


@pytest.mark.parametrize("profile", presets(), ids=lambda p: p.name)
def test_what_the_form_shows_is_the_profile(profile: Profile) -> None:
    typed = typed_of(profile)
    assert faults_in(typed, ()) == {}
    assert profile_from(typed, profile) == profile


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "taken"}, "name"),
        ({"base_url": "api.openai.com"}, "base_url"),
        ({"base_url": "https://"}, "base_url"),
        ({"model": ""}, "model"),
        ({"source": "env", "variable": ""}, "variable"),
        ({"source": "env", "variable": "sk-live-key"}, "variable"),
        ({"input_price": "cheap"}, "input_price"),
        ({"output_price": "-1"}, "output_price"),
        ({"cached_price": "nan"}, "cached_price"),
        ({"output_price": "inf"}, "output_price"),
        ({"input_price": "", "output_price": "3"}, "input_price"),
        ({"input_price": "3", "output_price": ""}, "output_price"),
    ],
)
def test_faults_stand_beside_their_field(change: dict[str, Any], field: str) -> None:
    typed = replace(typed_of(PRESET), **change)
    faults = faults_in(typed, {"taken"})
    assert list(faults) == [field]
    assert faults[field]


def test_typed_values_become_the_profile() -> None:
    typed = Typed(
        name=" my model ",
        base_url=" http://127.0.0.1:1/v1 ",
        model="x",
        wire="chat",
        effort="",
        source="env",
        variable="MY_KEY",
        input_price="1,5",
        cached_price="",
        output_price="2",
        concurrency=3,
        timeout=9.0,
    )
    before = replace(PRESET, max_tokens=77)
    made = profile_from(typed, before)
    assert (made.name, made.base_url) == ("my model", "http://127.0.0.1:1/v1")
    assert (made.effort, made.key_source) == (None, "env:MY_KEY")
    assert (made.input_price, made.cached_price, made.output_price) == (1.5, None, 2)
    assert (made.concurrency, made.timeout, made.max_tokens) == (3, 9.0, 77)


@pytest.fixture
def dialog(desk: Desk) -> Iterator[ProfileDialog]:
    desk.open()
    desk.press(desk.drawer.compose, "Manage…")
    made = desk.drawer.findChild(ProfileDialog)
    assert made.isVisible()
    yield made
    made.close()


def names(dialog: ProfileDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_presets_of_every_kind_of_server_are_offered(dialog: ProfileDialog) -> None:
    offered = [entry.text() for entry in dialog.new.menu().actions()]
    for maker in ("OpenAI", "OpenRouter", "vLLM", "Ollama", "LM Studio", "Practice"):
        assert any(name.startswith(maker) for name in offered)


def test_a_new_profile_is_made_from_a_preset(desk: Desk, dialog: ProfileDialog) -> None:
    entry = next(a for a in dialog.new.menu().actions() if a.text() == PRESET.name)
    entry.trigger()
    assert dialog.form.lines["name"].text() == f"{PRESET.name} 2"
    assert load_profiles() == ()
    dialog.form.lines["name"].setText("mine")
    dialog.form.lines["model"].setText("gpt-7")
    desk.click(dialog.save)
    assert [(p.name, p.model) for p in load_profiles()] == [("mine", "gpt-7")]
    models = desk.drawer.compose.models
    shown = [models.item(row).text() for row in range(models.count())]
    assert any(text.startswith("mine") for text in shown)


def test_an_edited_preset_can_be_taken_back(desk: Desk, dialog: ProfileDialog) -> None:
    dialog.choose(PRESET.name)
    dialog.form.lines["model"].setText("other")
    desk.click(dialog.save)
    assert PRESET.name in names(dialog)
    assert dialog.delete.text() == "Back to the preset"
    desk.click(dialog.delete)
    assert load_profiles() == ()
    assert f"{PRESET.name} · preset" in names(dialog)
    desk.press(dialog.notice, "Undo")
    assert [p.model for p in load_profiles()] == ["other"]


def test_a_rename_takes_the_old_ones_place(desk: Desk, dialog: ProfileDialog) -> None:
    save_profiles((replace(PRESET, name="a"), replace(PRESET, name="b")))
    dialog._load("a")
    dialog.form.lines["name"].setText("c")
    desk.click(dialog.save)
    assert [p.name for p in load_profiles()] == ["c", "b"]


def test_a_refused_form_saves_nothing(desk: Desk, dialog: ProfileDialog) -> None:
    dialog.choose(PRESET.name)
    dialog.form.lines["base_url"].setText("ftp://x")
    desk.click(dialog.save)
    assert load_profiles() == ()
    fault = dialog.form.faults["base_url"]
    assert fault.isVisible()
    assert fault.text() == "Begins with http:// or https://"
    dialog.form.lines["base_url"].setText("https://x")
    desk.click(dialog.save)
    assert not fault.isVisible()
    assert len(load_profiles()) == 1


def choose_source(dialog: ProfileDialog, source: str) -> None:
    dialog.choose(PRESET.name)
    dialog.form.source.setCurrentIndex(dialog.form.source.findData(source))


def test_fields_follow_the_key_source(dialog: ProfileDialog) -> None:
    for source, fields in (
        ("none", (False, False)),
        ("env", (True, False)),
        ("keyring", (False, True)),
        ("memory", (False, True)),
    ):
        choose_source(dialog, source)
        shown = (dialog.form.lines["variable"], dialog.form.key)
        assert tuple(field.isVisible() for field in shown) == fields


def test_a_key_for_this_session_is_kept_in_memory_alone(
    desk: Desk, dialog: ProfileDialog
) -> None:
    choose_source(dialog, "memory")
    assert dialog.form.key.echoMode() is QLineEdit.EchoMode.Password
    desk.qtbot.keyClicks(dialog.form.key, CANARY)
    assert CANARY not in dialog.form.key.displayText()
    desk.click(dialog.save)
    assert desk.session.keys.resolve(load_profiles()[0]) == CANARY
    texts = [line.text() for line in dialog.findChildren(QLineEdit)]
    assert all(CANARY not in text for text in texts)
    dialog.form.key.undo()
    assert dialog.form.key.text() == ""
    assert CANARY not in (settings_folder() / FILE_NAME).read_text()


def test_a_typed_key_does_not_stray_to_another_profile(dialog: ProfileDialog) -> None:
    choose_source(dialog, "memory")
    dialog.form.key.setText(CANARY)
    dialog.choose("OpenAI gpt-6-luna")
    assert dialog.form.key.text() == ""


class Ring(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self, *, broken: bool = False) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = broken

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.broken:
            raise KeyringError(password)
        self.kept[service, username] = password

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))


@pytest.fixture
def _own_ring() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("_own_ring")
def test_a_key_goes_to_the_keyring(desk: Desk, dialog: ProfileDialog) -> None:
    ring = Ring()
    keyring.set_keyring(ring)
    choose_source(dialog, "keyring")
    dialog.form.key.setText(CANARY)
    desk.click(dialog.save)
    desk.wait(lambda: ring.kept == {(SERVICE, PRESET.name): CANARY})
    assert load_profiles()[0].key_source == "keyring"
    assert desk.session.keys.resolve(load_profiles()[0]) == CANARY


@pytest.mark.usefixtures("_own_ring")
def test_a_broken_keyring_is_told_without_the_key(
    desk: Desk, dialog: ProfileDialog
) -> None:
    keyring.set_keyring(Ring(broken=True))
    choose_source(dialog, "keyring")
    dialog.form.key.setText(CANARY)
    desk.click(dialog.save)
    desk.wait(lambda: "keyring does not work" in dialog.notice.text)
    assert CANARY not in dialog.notice.text


def test_the_practice_readers_address_is_the_programs(dialog: ProfileDialog) -> None:
    dialog.choose("Practice reader")
    assert not dialog.form.lines["base_url"].isEnabled()
    dialog.choose(PRESET.name)
    assert dialog.form.lines["base_url"].isEnabled()
