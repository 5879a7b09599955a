"""Settings outlive the program and survive being spoilt."""

from director_gui import home
from director_gui.ui.settings import Settings


def test_they_are_kept() -> None:
    first = Settings()
    first.theme = "dark"
    first.text_scale = 1.5
    first.add_recent("/a.json")
    first._store.sync()
    second = Settings()
    assert (second.theme, second.text_scale) == ("dark", 1.5)
    assert second.recent() == ["/a.json"]


def test_recent_scenes_are_newest_first_once_and_few() -> None:
    settings = Settings()
    for number in range(12):
        settings.add_recent(f"/{number}.json")
    settings.add_recent("/5.json")
    recent = settings.recent()
    assert recent[0] == "/5.json"
    assert len(recent) == len(set(recent)) == 8
    settings.forget_recent("/5.json")
    assert "/5.json" not in settings.recent()


def test_spoilt_values_fall_back() -> None:
    path = home.settings_folder() / "window.ini"
    path.write_text("[General]\ntheme=purple\ntext_scale=huge\nrecent=5\n")
    settings = Settings()
    assert settings.theme == "system"
    assert settings.text_scale == 1.0
    assert settings.recent() == ["5"]


def test_text_size_is_bounded() -> None:
    settings = Settings()
    settings.text_scale = 9.0
    assert settings.text_scale == 2.0
