"""Plan files: what they may say, and what is told about one that says more."""

from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.runner.plan import Batch
from director_gui.runner.profiles import find_profile
from director_gui.study.plan_file import DeclaredFamily, SceneChoice, read_plan

SMALL = """
profiles = ["Practice reader"]
[[batch]]
conditions = ["move.plain"]
"""
WHOLE = """
format = "director-plan/1"
name = "main run"
profiles = ["Practice reader"]
samples = 3
order_seed = 7
cost_ceiling = 12.5
transport = "batch"
batch_price_factor = 0.5

[scenes]
sets = ["main"]
names = ["mine"]

[[profile]]
name = "own"
base_url = "http://127.0.0.1:1/v1"
model = "m"
practice = true

[[batch]]
name = "one"
conditions = ["move.ask", "move.plain"]

[[batch]]
conditions = ["mean.plain"]

[[family]]
name = "effect"
pairs = [["move.ask", "move.plain"]]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my plan.toml"


def plan_of(path: Path, text: str) -> object:
    path.write_text(text, encoding="utf-8")
    return read_plan(path)


def test_a_small_plan_takes_the_papers_defaults(path: Path) -> None:
    path.write_text(SMALL)
    plan = read_plan(path)
    assert plan.name == "my plan"
    assert plan.scenes == SceneChoice()
    assert plan.batches == (Batch("1", ("move.plain",)),)
    assert plan.profiles == (find_profile("Practice reader"),)
    assert (plan.samples, plan.order_seed, plan.ceiling) == (5, None, None)
    assert (plan.families, plan.transport) == ((), "live")


def test_a_whole_plan(path: Path) -> None:
    path.write_text(WHOLE)
    plan = read_plan(path)
    assert plan.name == "main run"
    assert plan.scenes == SceneChoice(("main",), ("mine",))
    assert [b.name for b in plan.batches] == ["one", "2"]
    assert [p.name for p in plan.profiles] == ["Practice reader", "own"]
    assert (plan.samples, plan.order_seed, plan.ceiling) == (3, 7, 12.5)
    assert plan.families == (DeclaredFamily("effect", (("move.ask", "move.plain"),)),)
    assert (plan.transport, plan.batch_price_factor) == ("batch", 0.5)


def test_a_byte_order_mark_does_no_harm(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.encode())
    assert read_plan(path).samples == 5


def test_only_how_it_is_sent_leaves_the_identity_alone(path: Path) -> None:
    path.write_text(WHOLE)
    first = read_plan(path).identity
    same = WHOLE.replace("12.5", "99").replace('"batch"', '"live"').replace("0.5", "1")
    same = same.replace("practice = true", "practice = true\nconcurrency = 3") + "# x\n"
    path.write_text(same)
    assert read_plan(path).identity == first
    for old, new in [
        ("samples = 3", "samples = 4"),
        ("order_seed = 7", "order_seed = 8"),
        ('"move.ask", "move.plain"]\n\n', '"move.ask"]\n\n'),
        ("[[family]]", "[[family]]\npairs = [['a', 'b']]\n[[family]]"),
        ('names = ["mine"]', ""),
        ('model = "m"', 'model = "n"'),
        ('model = "m"', 'model = "m"\neffort = "high"'),
    ]:
        assert old in WHOLE
        path.write_text(WHOLE.replace(old, new))
        assert read_plan(path).identity != first, new


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (("samples = 3", "samples = 0"), "samples"),
        (("samples = 3", "samples = true"), "samples"),
        (("samples = 3", 'samples = "3"'), "samples"),
        (("samples = 3", "sampels = 3"), "sampels"),
        (("12.5", "-1"), "cost_ceiling"),
        (("12.5", "nan"), "cost_ceiling"),
        (('"batch"', '"pigeon"'), "transport"),
        (("plan/1", "plan/2"), "format"),
        (('name = "main run"', 'name = " "'), "name"),
        (('["main"]', '"main"'), "scenes.sets"),
        (('sets = ["main"]', "all = true"), "scenes"),
        (('sets = ["main"]\nnames = ["mine"]', ""), "scenes"),
        (('["mean.plain"]', "[]"), "batch[1].conditions"),
        (('conditions = ["mean.plain"]', "condition = 1"), "batch[1].condition"),
        (('[["move.ask", "move.plain"]]', "[]"), "family[0].pairs"),
        (('[["move.ask", "move.plain"]]', '[["move.ask"]]'), "family[0].pairs"),
        (('["Practice reader"]', '["own"]'), "own"),
        (('name = "own"', 'name = "Practice reader"'), "profiles"),
        (('model = "m"', "modell = 1"), "profile[0]"),
    ],
)
def test_a_wrong_plan_is_refused_at_its_place(
    path: Path, change: tuple[str, str], where: str
) -> None:
    assert change[0] in WHOLE
    with pytest.raises(UserError) as told:
        plan_of(path, WHOLE.replace(*change))
    assert where in told.value.where


@pytest.mark.parametrize(
    "text", ["a =", "\x00", "a = " + "9" * 5000, "a = " + "[" * 5000]
)
def test_what_is_no_toml_is_told(path: Path, text: str) -> None:
    with pytest.raises(UserError, match="not TOML"):
        plan_of(path, text)


def test_missing_parts_are_told(path: Path) -> None:
    with pytest.raises(UserError, match="batch"):
        plan_of(path, 'profiles = ["Practice reader"]')
    with pytest.raises(UserError, match="profile"):
        plan_of(path, "[[batch]]\nconditions = ['move.ask']")
    with pytest.raises(UserError, match="cannot be read"):
        read_plan(path.with_name("gone.toml"))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not TOML"):
        read_plan(path)
