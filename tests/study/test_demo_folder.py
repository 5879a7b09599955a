"""The demo's folder: what is not the demo's own is never touched."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.store.database import create_study, open_study
from director_gui.study.demo_folder import LIST, WORK, Place, place_for

STUDY = "x.study"


def fill(place: Place, text: str = "one", *more: str) -> tuple[Path, ...]:
    (place.work / "figures").mkdir()
    for name in ("report.html", "figures/a.svg", *more):
        (place.work / name).write_text(text)
    return place.publish()


def make(folder: Path, text: str = "one", *more: str) -> tuple[Path, ...]:
    with place_for(folder, STUDY) as place:
        return fill(place, text, *more)


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock" and path.name != LIST
    }


@pytest.mark.parametrize("exists", [False, True])
def test_a_new_or_an_empty_folder_is_filled(tmp_path: Path, *, exists: bool) -> None:
    folder = tmp_path / "a" / "b"
    if exists:
        folder.mkdir(parents=True)
    assert make(folder) == ()
    assert contents(folder) == {"report.html": "one", "figures/a.svg": "one"}
    assert not (folder / WORK).exists()


def test_its_own_files_are_replaced_and_the_gone_ones_removed(tmp_path: Path) -> None:
    make(tmp_path / "d", "one", "figures/old.svg")
    assert make(tmp_path / "d", "two") == ()
    assert contents(tmp_path / "d") == {"report.html": "two", "figures/a.svg": "two"}


def test_others_files_stay(tmp_path: Path) -> None:
    make(tmp_path / "d")
    (tmp_path / "d" / "notes.txt").write_text("mine")
    (tmp_path / "d" / "figures" / "b.svg").write_text("mine")
    make(tmp_path / "d", "two")
    found = contents(tmp_path / "d")
    assert found["notes.txt"] == found["figures/b.svg"] == "mine"


def test_a_changed_file_is_set_aside_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    make(folder)
    for number in (1, 2):
        (folder / "report.html").write_text(f"edited {number}")
        (kept,) = make(folder, "two")
        assert kept == folder / f"report.kept-{number}.html"
        assert kept.read_text() == f"edited {number}"
    assert (folder / "report.html").read_text() == "two"
    assert (folder / "report.kept-1.html").read_text() == "edited 1"


def test_a_stranger_under_a_needed_name_is_set_aside(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    make(folder)
    (folder / "figures" / "new.svg").write_text("mine")
    (kept,) = make(folder, "two", "figures/new.svg")
    assert kept.read_text() == "mine"
    assert (folder / "figures" / "new.svg").read_text() == "two"


@pytest.mark.parametrize("name", ["thesis.tex", "report.html", "sub/x", ".hidden"])
def test_a_folder_of_other_files_is_refused_untouched(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / "d" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(UserError, match="not a demo's") as caught:
        make(tmp_path / "d")
    assert "--out" in caught.value.todo
    assert contents(tmp_path / "d") == {name: "mine"}


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "nonsense", '{"format": "else", "files": {}}',
        '{"format": "director-demo/1", "files": []}',
        '{"format": "director-demo/1", "files": {"../x": ["1"]}}',
        '{"format": "director-demo/1", "files": {"/etc/x": ["1"]}}',
        '{"format": "director-demo/1", "files": {"a/../../x": ["1"]}}',
        '{"format": "director-demo/1", "files": {"a": 1}}',
    ],
)  # fmt: skip
def test_a_list_that_is_not_ours_is_not_followed(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / LIST).write_text(text)
    (tmp_path / "x").write_text("outside")
    with pytest.raises(UserError, match="not a demo's"):
        make(folder)
    assert (tmp_path / "x").read_text() == "outside"


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").write_text("mine")
    with pytest.raises(UserError, match="this is a file"):
        make(tmp_path / "d")
    assert (tmp_path / "d").read_text() == "mine"


@pytest.mark.parametrize("call", ["mkdir", "iterdir", "write_text"])
def test_what_the_disk_refuses_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "no")

    make(tmp_path / "d")
    (tmp_path / "d" / "mine.txt").write_text("mine")
    with monkeypatch.context() as patch:
        patch.setattr(Path, call, refuse)
        with (
            pytest.raises(UserError, match="cannot be used") as caught,
            place_for(tmp_path / "d", STUDY) as place,
        ):
            place.publish()
    assert caught.value.where == str(tmp_path / "d")
    assert contents(tmp_path / "d")["mine.txt"] == "mine"


def interrupted(folder: Path) -> None:
    with place_for(folder, STUDY) as place:
        (place.work / "half.txt").write_text("half")
        raise KeyboardInterrupt


def test_an_interrupted_demo_leaves_the_old_one_and_starts_over(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    make(folder)
    with pytest.raises(KeyboardInterrupt):
        interrupted(folder)
    found = contents(folder)
    assert found.pop(f"{WORK}/half.txt") == "half"
    assert found == {"report.html": "one", "figures/a.svg": "one"}
    make(folder, "two")
    assert contents(folder) == {"report.html": "two", "figures/a.svg": "two"}


def test_a_first_demo_that_was_interrupted_starts_over(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    with pytest.raises(KeyboardInterrupt):
        interrupted(folder)
    assert make(folder) == ()


def test_a_kill_while_moving_leaves_nothing_strange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "d"
    make(folder)
    replace, done = Path.replace, []

    def killed(self: Path, target: Path) -> Path:
        # The list is written first; the first file moves, the second does not.
        done.append(self.name)
        if len(done) == 3:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            make(folder, "two")
    assert make(folder, "three") == ()
    assert contents(folder) == {"report.html": "three", "figures/a.svg": "three"}


def test_two_demos_at_once_are_refused(tmp_path: Path) -> None:
    with place_for(tmp_path / "d", STUDY) as place:
        (place.work / "mine.txt").write_text("x")
        with pytest.raises(UserError, match="being made in this folder"):
            make(tmp_path / "d")
        assert (place.work / "mine.txt").exists()


def test_a_study_is_replaced_only_as_it_was_made(tmp_path: Path) -> None:
    folder = tmp_path / "d"

    def once() -> tuple[Path, ...]:
        with place_for(folder, STUDY) as place:
            create_study(place.work / STUDY, "s").close()
            return place.publish()

    assert once() == ()
    assert once() == ()
    (folder / STUDY).write_bytes(b"no study any more")
    (kept,) = once()
    assert kept.read_bytes() == b"no study any more"


def test_nobody_opens_a_study_that_is_about_to_be_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    with place_for(folder, STUDY) as place:
        create_study(place.work / STUDY, "s").close()
        place.publish()
    with place_for(folder, STUDY), pytest.raises(UserError, match="already open"):
        open_study(folder / STUDY)
    open_study(folder / STUDY).close()


def test_what_lies_beside_a_damaged_study_goes_along(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    with place_for(folder, STUDY) as place:
        create_study(place.work / STUDY, "s").close()
        place.publish()
    (folder / STUDY).write_bytes(b"damaged")
    (folder / f"{STUDY}-wal").write_bytes(b"unsaved")
    with place_for(folder, STUDY) as place:
        create_study(place.work / STUDY, "s").close()
        (kept,) = place.publish()
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"unsaved"
    assert not (folder / f"{STUDY}-wal").exists()


NAMES = st.sampled_from(["report.html", "figures/a.svg", "b.txt", "c/d.txt"])


@given(edits=st.dictionaries(NAMES, st.text("xyz", min_size=1, max_size=3)))
def test_no_text_that_is_not_ours_is_ever_lost(
    tmp_path_factory: pytest.TempPathFactory, edits: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("f") / "d"
    make(folder)
    for name, text in edits.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    make(folder, "two")
    left = list(contents(folder).values())
    for text in edits.values():
        assert text in left
    assert left.count("two") == 2


def test_the_list_names_every_file_with_its_hash(tmp_path: Path) -> None:
    make(tmp_path / "d")
    value = json.loads((tmp_path / "d" / LIST).read_text())
    assert set(value["files"]) == {"report.html", "figures/a.svg"}
    assert all(len(hashes) == 1 for hashes in value["files"].values())
