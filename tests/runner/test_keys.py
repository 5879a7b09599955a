from dataclasses import replace

import keyring
import keyring.errors
import pytest

from director_gui.errors import UserError
from director_gui.runner.keys import Keys, redact, save_in_keyring
from director_gui.runner.profiles import Profile

MINE = Profile(name="mine", base_url="http://x/v1", model="m")
CANARY = "sk-canary-0123456789"


def test_a_server_without_keys_gets_none() -> None:
    assert Keys().resolve(MINE) is None


def test_an_environment_variable_is_read_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    profile, keys = replace(MINE, key_source="env:MY_KEY"), Keys()
    monkeypatch.setenv("MY_KEY", f" {CANARY}\n")
    assert keys.resolve(profile) == CANARY
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(UserError, match="Set MY_KEY"):
        keys.resolve(profile)


def test_memory_holds_a_key_until_it_is_told_to_forget() -> None:
    profile, keys = replace(MINE, key_source="memory"), Keys()
    with pytest.raises(UserError, match="Enter one"):
        keys.resolve(profile)
    keys.remember("mine", CANARY)
    assert keys.resolve(profile) == CANARY
    assert CANARY not in repr(keys)
    keys.forget("mine")
    with pytest.raises(UserError):
        keys.resolve(profile)


def test_the_system_keyring_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    box: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(keyring, "get_password", lambda *name: box.get(name))
    monkeypatch.setattr(
        keyring, "set_password", lambda s, n, key: box.update({(s, n): key})
    )
    profile = replace(MINE, key_source="keyring")
    with pytest.raises(UserError, match="holds no key"):
        Keys().resolve(profile)
    save_in_keyring("mine", CANARY)
    assert Keys().resolve(profile) == CANARY


def test_a_system_without_keyring_is_told_the_other_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: str) -> None:
        raise keyring.errors.NoKeyringError(CANARY)

    monkeypatch.setattr(keyring, "get_password", fail)
    monkeypatch.setattr(keyring, "set_password", fail)
    for act in (
        lambda: Keys().resolve(replace(MINE, key_source="keyring")),
        lambda: save_in_keyring("mine", CANARY),
    ):
        with pytest.raises(UserError, match="environment variable") as caught:
            act()
        assert CANARY not in str(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("bad", ["sk-a\nb", "sk-ü", "sk a", "sk-\x00"])
def test_a_key_that_no_header_can_hold_is_refused_unseen(bad: str) -> None:
    keys = Keys()
    keys.remember("mine", bad)
    with pytest.raises(UserError) as caught:
        keys.resolve(replace(MINE, key_source="memory"))
    assert bad not in str(caught.value)


def test_redact_removes_each_occurrence() -> None:
    data = f"a {CANARY} b {CANARY}".encode()
    assert CANARY.encode() not in redact(data, CANARY)
    assert redact(data, None) == data
