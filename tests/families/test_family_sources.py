"""Which file a family comes from, and what is refused on the way there."""

from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.reading import MAX_BYTES
from director_gui.families.writing import changed

TEXT = library.built_in("main").text


def family_file(folder: Path, name: str, text: str = TEXT) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(changed(text, "name", name), encoding="utf-8")
    return path


def rearrangement(folder: Path, name: str, of: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(
        f'format = "director-family/1"\nname = "{name}"\nabout = "x"\n'
        f'rearranges = "{of}"\n'
    )
    return path


def test_a_file_keeps_its_text_and_its_folder(tmp_path: Path) -> None:
    path = family_file(tmp_path, "mine")
    found = library.source_at(path)
    assert found.family.name == "mine"
    assert found.text == path.read_text()
    assert found.folder == tmp_path


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = family_file(tmp_path, "mine")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert library.source_at(path).text.startswith("#")


def test_a_built_in_name_wins_over_a_file_without_a_suffix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main").write_text("no family")
    assert library.source_named("main").folder is None
    Path("other").write_text(changed(TEXT, "name", "other"))
    assert library.source_named("other").family.name == "other"


def test_of_two_of_a_name_the_one_beside_is_meant(tmp_path: Path) -> None:
    family_file(tmp_path, "main", changed(TEXT, "count", 7))
    found = library.source_at(rearrangement(tmp_path, "turned", "main"))
    assert found.family.count == 7
    assert found.beside("main").folder == tmp_path
    # What is not beside it is looked for among the built-in ones.
    assert found.beside("rotated").family == library.family("rotated")


@pytest.mark.parametrize("name", ["turned", "back"])
def test_families_that_rearrange_in_a_circle_are_refused(
    tmp_path: Path, name: str
) -> None:
    rearrangement(tmp_path, "back", "turned")
    rearrangement(tmp_path, "turned", name)
    with pytest.raises(UserError) as caught:
        library.source_at(tmp_path / "turned.toml")
    assert str(caught.value).startswith(f"{tmp_path / 'turned.toml'}: ")


@pytest.mark.parametrize("name", ["../main", "a/b", "..", "nowhere"])
def test_what_is_rearranged_is_beside_the_file_or_built_in(
    tmp_path: Path, name: str
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    family_file(tmp_path, "main")
    with pytest.raises(UserError):
        library.source_at(rearrangement(inner, "turned", name))


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read") as caught:
        library.source_named(str(tmp_path / "none.toml"))
    assert caught.value.where == str(tmp_path / "none.toml")
    with pytest.raises(UserError, match=r"no family 'none'.*Built in are .*main"):
        library.source_named("none")


def test_only_the_beginning_of_a_huge_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    path.write_bytes(TEXT.encode() + b"#" * (MAX_BYTES + 10))
    with pytest.raises(UserError, match=f"larger than {MAX_BYTES} bytes"):
        library.source_at(path)


@pytest.mark.parametrize(
    "extra",
    [
        "z = " + "[" * 5000 + "]" * 5000,
        "z = " + "{a=" * 5000 + "1" + "}" * 5000,
        ".".join("a" * 100_000) + " = 1",
        "[" + ".".join("a" * 100_000) + "]",
        "z = {" + " . ".join("a" * 100_000) + " = 1}",
    ],
)
def test_nesting_without_end_is_refused_at_once(tmp_path: Path, extra: str) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(f"{TEXT}\n{extra}\n")
    with pytest.raises(UserError, match="nested too deeply"):
        library.source_at(path)


def test_dots_in_comments_and_texts_are_no_nesting(tmp_path: Path) -> None:
    text = changed(TEXT, "about", "Three … or four; v1.2.3.4, see a.b.c.")
    path = tmp_path / "dots.toml"
    path.write_text(f"# {'.' * 300}\n{text}")
    assert library.source_at(path).family.name == "main"
