"""Sets as files and back: export, CLEVR-like scenes, glTF, sheets, import."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from math import radians
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from director_gui.errors import UserError
from director_gui.geometry.camera import picture_point
from director_gui.geometry.visibility import sights_of
from director_gui.render.gltf import gltf_bytes
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS
from director_gui.scene.serialize import (
    canonical_bytes,
    file_bytes,
    read_file,
    read_scene,
    scene_hash,
)
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study
from director_gui.store.marks import Mark, add_marks
from director_gui.study.checking import DepthSights, check_scene, to_json
from director_gui.study.clevr import clevr_scene
from director_gui.study.contact_sheet import pdf_of, sheet_of
from director_gui.study.set_export import KEY_COLUMNS, export_sets
from director_gui.study.set_import import Foreign, foreign_scenes, import_set, take
from director_gui.study.set_rows import keep_scene
from director_gui.study.set_tallies import every_scene, tallies_of
from director_gui.study.stimulus_work import Made, Picture
from director_gui.study.verifying import verify_study

pytestmark = pytest.mark.render

EXAMPLE = example_scene()


def png(color: str, size: tuple[int, int] = (8, 6)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, color).save(file, "PNG")
    return file.getvalue()


def made(index: int) -> Made:
    """The example under other names, with pictures of one colour."""
    scene = replace(EXAMPLE, name=f"set-{index + 1:04}")
    picture = Picture(png("red"), "0" * 64, "none", 8, 6)
    facts = to_json(check_scene(scene))
    pictures = {"model": picture, "director": replace(picture, png=png("blue"))}
    return Made(
        index,
        scene.name,
        canonical_bytes(scene),
        None,
        index,
        {"overlap": index},
        facts,
        pictures,
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    path = tmp_path_factory.mktemp("files") / "s.study"
    with create_study(path, "s") as study:
        rows.add_set(study, "id", name="set", family="# hi\n", count=3, seed=1)
        for index in range(3):
            keep_scene(study, "id", made(index))
        yield study


@pytest.fixture(scope="module")
def folder(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "export"
    export_sets(study, out)
    return out


def test_every_file_is_listed_with_its_hash(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    listed = {item["path"]: item["sha256"] for item in manifest["files"]}
    there = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert listed == there
    (about,) = manifest["sets"]
    assert about["renderers"] == ["none"]
    assert about["program"]
    assert about["tallies"]["scenes"] == 3
    for name in ("keys.csv", "keys.jsonl", "clevr_scenes.json", "set.toml"):
        assert f"set/{name}" in listed
    assert "set/contact-sheet-001.pdf" in listed


def test_two_exports_are_the_same_bytes(
    study: Study, folder: Path, tmp_path: Path
) -> None:
    first = json.loads((folder / "manifest.json").read_bytes())
    export_sets(study, tmp_path / "again")
    assert json.loads((tmp_path / "again/manifest.json").read_bytes()) == first
    # Into the same folder again: an earlier export is replaced.
    export_sets(study, tmp_path / "again")


def test_scenes_and_pictures_come_out_untouched(folder: Path) -> None:
    scene = read_file(folder / "set/scenes/set-0002.json")
    assert scene == replace(EXAMPLE, name="set-0002")
    assert (folder / "set/images/set-0002-model.png").read_bytes() == png("red")
    assert (folder / "set/images/set-0002-director.png").read_bytes() == png("blue")


def test_keys_as_csv_and_lines_say_the_same(folder: Path) -> None:
    text = (folder / "set/keys.csv").read_text()
    table = list(csv.DictReader(io.StringIO(text)))
    lines = [
        json.loads(line)
        for line in (folder / "set/keys.jsonl").read_text().splitlines()
    ]
    assert tuple(table[0]) == KEY_COLUMNS
    for row, line in zip(table, lines, strict=True):
        assert (row["hidden"], line["hidden"]) == ("3", 3)
        assert (row["director_view"], row["model_view"]) == ("5", "3")
        assert (row["director_sees"], line["director_sees"]) == ("5 8", [5, 8])
        assert row["hidden_rank"] == line["hidden_rank"] == "largest"
        assert row["apparent_size_confound"] == "0"
        assert line["hash"] == row["hash"]
        assert line["facts"]["key"]["hidden"] == 3


def test_a_dropped_scene_is_told_with_its_reason(tmp_path: Path) -> None:
    with create_study(tmp_path / "m.study", "m") as study:
        rows.add_set(study, "id", name="set", family="", count=2, seed=1)
        for index in range(2):
            keep_scene(study, "id", made(index))
        first, _ = every_scene(study, "id")
        add_marks(study, "id", [Mark(first.scene, "drop", "too dark, alas")])
        export_sets(study, tmp_path / "out")
    table = list(
        csv.DictReader((tmp_path / "out/set/keys.csv").read_text().splitlines())
    )
    assert [row["mark"] for row in table] == ["drop", ""]
    assert table[0]["mark_reason"] == "too dark, alas"


def test_an_earlier_export_leaves_nothing_behind(study: Study, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_sets(study, out)
    manifest = json.loads((out / "manifest.json").read_bytes())
    for name in ("set/old.png", "../outside"):
        (out / name).write_text("old")
        manifest["files"].append({"path": name})
    manifest["files"].append({"path": "set"})
    (out / "set/mine").write_text("mine")
    (out / "manifest.json").write_text(json.dumps(manifest))
    export_sets(study, out)
    assert not (out / "set/old.png").exists()
    assert (out / "set/mine").exists()
    assert (tmp_path / "outside").read_text() == "old"


def cut_short(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the disk be full after some files."""
    left = iter(range(after))
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if next(left, None) is None:
            write(path, data[:7])
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)


@pytest.mark.parametrize("earlier", [False, True])
def test_an_export_that_was_cut_short_is_made_again_in_its_folder(
    study: Study, folder: Path, tmp_path: Path, *, earlier: bool
) -> None:
    out = tmp_path / "out"
    if earlier:
        export_sets(study, out)
    for after in (0, 4):
        with pytest.MonkeyPatch.context() as patch:
            cut_short(patch, after)
            with pytest.raises(UserError, match="No space left"):
                export_sets(study, out)
        assert not (out / "manifest.json").exists()  # for it is not complete
    export_sets(study, out)
    assert files(out) == files(folder)


def files(top: Path) -> dict[Path, bytes]:
    found = (path for path in top.rglob("*") if path.is_file())
    return {path.relative_to(top): path.read_bytes() for path in found}


def test_what_others_put_beside_an_unfinished_export_stays(
    study: Study, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:
        cut_short(patch, 3)
        with pytest.raises(UserError):
            export_sets(study, out)
    (tmp_path / "outside").write_text("mine")
    (out / "mine").write_text("mine")
    with (out / "unfinished.txt").open("a") as note:
        note.write("../outside\n")
    export_sets(study, out)
    assert (tmp_path / "outside").read_text() == (out / "mine").read_text() == "mine"
    assert not (out / "unfinished.txt").exists()


@pytest.mark.parametrize("what", ["file", "full"])
def test_a_folder_of_other_things_is_left_alone(
    study: Study, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "x"
    if what == "file":
        path.write_text("mine")
    else:
        path.mkdir()
        (path / "mine").write_text("mine")
    with pytest.raises(UserError):
        export_sets(study, path)
    assert [p.name for p in tmp_path.rglob("*")] in (["x"], ["x", "mine"])


def test_a_study_without_sets_has_nothing_to_export(tmp_path: Path) -> None:
    with (
        create_study(tmp_path / "e.study", "e") as empty,
        pytest.raises(UserError, match="no set of scenes"),
    ):
        export_sets(empty, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_study_without_sets_has_nothing_to_verify(empty: Study) -> None:
    with pytest.raises(UserError, match="no set of scenes"):
        verify_study(empty)


def _facts() -> dict[str, Any]:
    return {"sees": {"director": [5, 8], "model": [3, 5, 8]}, "key": {"hidden": 3}}


def test_clevr_relations_are_the_models() -> None:
    scene = clevr_scene(EXAMPLE, 7, "x.png", _facts())
    assert scene["image_index"] == 7
    # 3 stands left, 8 right; from the camera x runs to the right.
    assert scene["relationships"]["right"] == [[1, 2], [2], []]
    assert scene["relationships"]["left"] == [[], [0], [0, 1]]
    for one, other in (("left", "right"), ("front", "behind")):
        for i, found in enumerate(scene["relationships"][one]):
            assert all(i in scene["relationships"][other][j] for j in found)
    assert [item["hidden"] for item in scene["objects"]] == [True, False, False]
    first = scene["objects"][0]
    spot = picture_point(EXAMPLE.camera, EXAMPLE.picture.aspect, (-0.32, 0.06, 0.1))
    assert spot is not None
    assert first["pixel_coords"][0] == pytest.approx(spot[0] * 1024)
    assert first["3d_coords"] == [-0.32, 0.06, 0.1]


def test_gltf_is_read_by_another_program(tmp_path: Path) -> None:
    """VTK's own importer, which shares nothing with the writer."""
    from vtkmodules.vtkIOImport import vtkGLTFImporter
    from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

    path = tmp_path / "scene.gltf"
    path.write_bytes(gltf_bytes(EXAMPLE))
    window, renderer = vtkRenderWindow(), vtkRenderer()
    window.SetOffScreenRendering(1)
    window.AddRenderer(renderer)
    importer = vtkGLTFImporter()
    importer.SetFileName(str(path))
    importer.SetRenderWindow(window)
    importer.Update()
    bounds = [np.array(actor.GetBounds()) for actor in renderer.GetActors()]
    assert len(bounds) == 3 + 1 + 1
    # Block 3 of 20 cm, turned by 12 degrees: y is up, our y points to -z.
    reach = 0.1 * (np.cos(radians(12)) + np.sin(radians(12)))
    x, y = -0.32, 0.06
    expected = [x - reach, x + reach, 0.0, 0.2, -y - reach, -y + reach]
    assert np.abs(np.array(bounds) - expected).max(1).min() < 1e-5


def test_gltf_cameras_are_the_two_eyes() -> None:
    value = json.loads(gltf_bytes(EXAMPLE))
    node = next(n for n in value["nodes"] if n["name"] == "director view")
    assert node["matrix"][12:15] == list(EXAMPLE.director.eye)
    lens = value["cameras"][node["camera"]]["perspective"]
    assert lens["yfov"] == pytest.approx(radians(60))
    assert gltf_bytes(EXAMPLE) == gltf_bytes(EXAMPLE)


def test_a_sheet_shows_both_views_side_by_side() -> None:
    page = sheet_of([("a ü →", [png("red", (400, 300)), png("blue", (400, 300))])] * 5)
    colors = {color for _, color in page.getcolors(10_000) or []}
    assert {(255, 0, 0), (0, 0, 255), (255, 255, 255)} <= colors
    left, right = page.getpixel((20, 20)), page.getpixel((300, 20))
    assert (left, right) == ((255, 0, 0), (0, 0, 255))
    assert pdf_of(page).startswith(b"%PDF")
    assert b"Date" not in pdf_of(page)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder as somebody else might send it: two scenes, no keys."""
    path = tmp_path / "theirs"
    (path / "scenes").mkdir(parents=True)
    for i in range(2):
        scene = replace(EXAMPLE, name=f"s{i}", picture=replace(EXAMPLE.picture))
        (path / "scenes" / f"{i}.json").write_bytes(file_bytes(scene))
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "i.study", "i") as study:
        yield study


def test_a_foreign_set_is_taken_in_once(foreign: Path, empty: Study) -> None:
    (foreign / "keys.csv").write_text(
        "scene,hidden,director_view,model_view,director_sees\n"
        "s0,3,5,3,8 5\ns1,3,5,3,5 8\n"
    )
    told: list[tuple[int, int]] = []
    item = import_set(empty, foreign, progress=lambda *n: told.append(n), workers=1)
    assert (item.name, item.count, told) == ("theirs", 2, [(1, 2), (2, 2)])
    assert tallies_of(empty, item.id)["hidden_rank"]["largest"] == 2
    for row in every_scene(empty, item.id):
        shown = stored.stimulus(empty, row.scene)
        assert shown is not None
        assert stored.image(empty, shown.image).width == 1024
        assert row.scene == scene_hash(
            read_file(foreign / "scenes" / f"{row.position}.json")
        )
    assert import_set(empty, foreign, workers=1) == item
    assert len(told) == 2


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ({"hidden": 5}, "hidden = 5, but it is 3"),
        ({"hidden": None}, "hidden = None, but it is 3"),
        ({"director_view": 8}, "director_view = 8, but it is 5"),
        ({"director_sees": [3, 5, 8]}, "director_sees"),
        ({"model_view": "3"}, "model_view"),
        ({"model_sees": [3, "5", None, {}]}, "model_sees"),
        ({"apparent_size_confound": True}, "confound = True, but it is False"),
        ({"hidden_rank": "smallest"}, "hidden_rank = smallest, but it is largest"),
        ({"hidden_has_largest_digit": True}, "hidden_has_largest_digit"),
        ({"smaller_visible_has_larger_digit": False}, "smaller_visible"),
        ({"digits": [5, 8]}, "digits"),
        ({"blocks": 4}, "blocks = 4, but it is 3"),
        ({"hash": "0" * 64}, "hash"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(key: dict[str, object], words: str) -> None:
    picture = Picture(png("red"), "0" * 64, "none", 8, 6)

    def took(row: dict[str, Any]) -> Made:
        item = Foreign(0, "1.json", EXAMPLE, row)
        return take(item, echo, lambda _scene, _view: picture)

    assert took({"scene": "s", "hidden": 3, "director_sees": [8, 5]}).index == 0
    with pytest.raises(UserError, match=words) as caught:
        took(key)
    assert caught.value.where == "1.json"


@pytest.mark.parametrize(
    ("column", "value", "right"),
    [
        ("apparent_size_confound", "1", False),
        ("apparent_size_confound", "yes", False),
        ("apparent_size_confound", "0", True),
        ("apparent_size_confound", "", True),
        ("hidden_rank", "middle", False),
        ("hidden_rank", "largest", True),
        ("digits", "3 8 5", True),
        ("digits", "3 5", False),
        ("hash", "0" * 64, False),
        ("blocks", "3", True),
    ],
)
def test_any_column_of_a_table_that_does_not_fit_is_refused(
    foreign: Path, column: str, value: str, *, right: bool
) -> None:
    (foreign / "keys.csv").write_text(f"scene,hidden,{column}\ns0,3,{value}\n")
    item = foreign_scenes(foreign)[0]
    picture = Picture(png("red"), "0" * 64, "none", 8, 6)
    if right:
        assert take(item, echo, lambda _scene, _view: picture).index == 0
        return
    with pytest.raises(UserError, match=f"the key says {column} = "):
        take(item, echo, lambda _scene, _view: picture)


def test_a_scene_that_was_moved_after_its_key_was_written_is_refused(
    foreign: Path,
) -> None:
    path = foreign / "scenes/0.json"
    key = {"scene": "s0", "hash": scene_hash(read_file(path)), "hidden": 3}
    (foreign / "keys.jsonl").write_text(json.dumps(key))
    picture = Picture(png("red"), "0" * 64, "none", 8, 6)
    assert take(foreign_scenes(foreign)[0], echo, lambda *_: picture).index == 0
    scene = read_file(path)
    (board,) = scene.partitions
    moved = replace(scene, partitions=(replace(board, x=board.x + 0.005),))
    path.write_bytes(file_bytes(moved))
    with pytest.raises(UserError, match="the key says hash"):
        take(foreign_scenes(foreign)[0], echo, lambda *_: picture)


def test_a_row_of_a_table_may_end_early(foreign: Path) -> None:
    (foreign / "keys.csv").write_text("scene,hidden,digits,model_sees\ns0,3\n")
    item = foreign_scenes(foreign)[0]
    picture = Picture(png("red"), "0" * 64, "none", 8, 6)
    with pytest.raises(UserError, match=r"model_sees = \[\], but it is"):
        take(item, echo, lambda *_: picture)


@pytest.mark.parametrize("second", ["keys.jsonl", "keys.csv"])
def test_two_keys_of_one_scene_that_differ_are_refused(
    foreign: Path, second: str
) -> None:
    rows = [{"scene": "s0", "hidden": 3}, {"scene": "s1", "hidden": 3}]
    (foreign / "keys.jsonl").write_text("\n".join(map(json.dumps, rows)))
    if second == "keys.csv":
        (foreign / second).write_text("scene,hidden\ns0,3\ns1,3\n")
        assert len(foreign_scenes(foreign)) == 2
        (foreign / second).write_text("scene,hidden\ns0,3\ns1,5\n")
    else:
        twice = [*rows, rows[0], {"scene": "s1", "hidden": 5}]
        (foreign / second).write_text("\n".join(map(json.dumps, twice)))
    with pytest.raises(UserError, match="keys of s1 say hidden = 3 and 5") as caught:
        foreign_scenes(foreign)
    assert caught.value.where == str(foreign / second)


def echo(data: bytes) -> DepthSights:
    """A second witness that repeats the first."""
    return {view: sights_of(read_scene(data), view) for view in VIEWS}


def test_a_refused_set_leaves_nothing(foreign: Path, empty: Study) -> None:
    lines = [{"scene": "s0", "hidden": 3}, {"scene": "s1", "hidden": 5}]
    (foreign / "keys.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(UserError, match="hidden = 5, but it is 3"):
        import_set(empty, foreign, workers=1)
    assert rows.sets(empty) == []
    assert stored.scenes(empty) == []


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"hidden": 3}', '{"scene": "other"}', "9" * 5000]
)
def test_a_broken_keys_file_is_refused(foreign: Path, empty: Study, text: str) -> None:
    (foreign / "keys.jsonl").write_text(text)
    with pytest.raises(UserError):
        import_set(empty, foreign)


def test_a_folder_without_scenes_is_refused(tmp_path: Path, empty: Study) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UserError, match="holds 0 scene files"):
            import_set(empty, path)


def test_a_broken_scene_file_is_named(foreign: Path, empty: Study) -> None:
    (foreign / "scenes" / "1.json").write_text("{}")
    with pytest.raises(UserError) as caught:
        import_set(empty, foreign)
    assert "1.json" in caught.value.where
