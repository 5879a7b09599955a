import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.home import settings_folder
from director_gui.runner.prices import priced, prices
from director_gui.runner.profiles import (
    FILE_NAME,
    Profile,
    find_profile,
    load_profiles,
    presets,
    profile_of,
    save_profiles,
)

MINE = Profile(name="mine", base_url="http://127.0.0.1:1/v1", model="m")


def test_presets_cover_the_servers_and_the_papers_models() -> None:
    names = " ".join(profile.name for profile in presets())
    for server in ("OpenAI", "OpenRouter", "vLLM", "Ollama", "LM Studio", "Practice"):
        assert server in names
    models = " ".join(profile.model for profile in presets()).lower()
    for model in ("gpt-6-sol", "gpt-6-luna", "gpt-5.6-luna", "grok-4.6"):
        assert model in models
    assert "qwen3.8-27b" in models
    assert "muse-glimmer-30b" in models


def test_presets_follow_the_method() -> None:
    for profile in presets():
        assert profile.effort == "medium"
        assert profile.practice == profile.name.startswith("Practice")
        assert find_profile(profile.name) == profile


def test_list_prices_join_presets_and_never_replace_own_ones() -> None:
    listed = prices()["gpt-6-sol"]
    assert find_profile("OpenAI gpt-6-sol").output_price == listed.output
    own = replace(MINE, model="gpt-6-sol", input_price=7.0, output_price=8.0)
    assert priced(own) == own
    assert not priced(replace(MINE, model="unheard-of")).price_known


def test_profiles_survive_saving(tmp_path: Path) -> None:
    others = (MINE, replace(MINE, name="zwei ü", effort=None, max_tokens=50))
    save_profiles(others)
    assert load_profiles() == others
    assert find_profile("zwei ü") == others[1]
    assert settings_folder() == tmp_path / "home" / "settings"
    assert sorted(p.name for p in settings_folder().iterdir()) == [FILE_NAME]


def test_profiles_of_an_earlier_version_are_found_and_moved_on(tmp_path: Path) -> None:
    save_profiles((MINE,))
    new, old = settings_folder() / FILE_NAME, tmp_path / "home" / FILE_NAME
    new.rename(old)
    assert load_profiles() == (MINE,)
    later = (MINE, replace(MINE, name="another"))
    save_profiles(later)
    # What is saved now goes before what lay there: an old file never comes back.
    assert load_profiles() == later
    assert json.loads(old.read_bytes())[0]["name"] == MINE.name


def test_no_saved_profiles_is_no_error() -> None:
    assert load_profiles() == ()


@pytest.mark.parametrize("text", ["{", "{}", '[{"name": "x"}]', "[3]"])
def test_a_broken_settings_file_is_named(text: str) -> None:
    (settings_folder() / FILE_NAME).write_text(text)
    with pytest.raises(UserError) as caught:
        load_profiles()
    assert FILE_NAME in caught.value.where


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"base_url": "localhost:8000"}, "http"),
        ({"base_url": ""}, "base_url"),
        ({"model": 3}, "model"),
        ({"wire": "soap"}, "wire"),
        ({"key_source": "sk-123"}, "key source"),
        ({"key_source": "env:"}, "key source"),
        ({"input_price": -1}, "price"),
        ({"output_price": "free"}, "price"),
        ({"concurrency": 0}, "concurrency"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"key": "sk-123"}, "unknown setting"),
    ],
)
def test_a_profile_that_cannot_be_is_refused(
    change: dict[str, object], word: str
) -> None:
    with pytest.raises(UserError, match=word) as caught:
        profile_of(asdict(MINE) | change, "here")
    assert "sk-123" not in str(caught.value)


def test_two_profiles_of_one_name_are_refused() -> None:
    with pytest.raises(UserError, match="name"):
        save_profiles((MINE, MINE))


def test_an_unknown_profile_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match="Practice reader"):
        find_profile("nobody")


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"effort": "high"}, False),
        ({"wire": "responses"}, False),
        ({"max_tokens": 9}, False),
        ({"summary": "auto"}, False),
        ({"base_url": "http://elsewhere/v1"}, False),
        ({"input_price": 3.0}, True),
        ({"concurrency": 1, "timeout": 5.0}, True),
        ({"key_source": "memory"}, True),
    ],
)
def test_the_settings_hash_holds_what_shapes_a_reply(
    change: dict[str, object], *, same: bool
) -> None:
    assert (replace(MINE, **change).settings_hash == MINE.settings_hash) is same


def test_the_practice_readers_port_means_nothing() -> None:
    one = replace(MINE, practice=True)
    assert one.settings_hash == replace(one, base_url="http://x:2/v1").settings_hash


def test_the_file_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-canary")
    save_profiles((replace(MINE, key_source="env:MY_KEY"),))
    text = (settings_folder() / FILE_NAME).read_text()
    assert "sk-canary" not in text
    assert json.loads(text)[0]["key_source"] == "env:MY_KEY"
