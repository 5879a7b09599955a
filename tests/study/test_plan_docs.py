"""The page about plans says what the code does."""

import re
from pathlib import Path

from director_gui.runner.budget import OUTPUT_TOKENS, PICTURE_TOKENS
from director_gui.runner.engine_values import Policy
from director_gui.study.plan_file import _TOP, read_plan

PAGE = (Path(__file__).parents[2] / "docs" / "running.md").read_text("utf-8")


def test_the_plan_on_the_page_is_a_plan(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    plan = read_plan(path)
    assert plan.name == "main run"
    assert len(plan.families[0].pairs) == 2
    # A setting that the page leaves out would be known to nobody.
    used = {re.split(r"[ =\]]", line.lstrip("["))[0] for line in text.splitlines()}
    assert used >= _TOP - {"profile"}
    assert "`[[profile]]`" in PAGE


def test_the_figures_in_the_text() -> None:
    assert f"{PICTURE_TOKENS:,} tokens for the picture" in PAGE
    assert f"or {OUTPUT_TOKENS:,} where" in PAGE
    assert Policy().tries == 6
    assert "up to six times" in PAGE
    assert Policy().give_up_after == 10
    assert "ten failed calls in a row" in PAGE
