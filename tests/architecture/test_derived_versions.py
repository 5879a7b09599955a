"""What is kept of scores and truths names a version: it must move with the code.

The code of the rules is hashed without comments, docstrings and layout. When a hash
differs, think: can any score, or any truth, come out otherwise than before? If so,
raise the version that stands beside it; then put the new hash here in either case.
"""

import ast
from pathlib import Path

import pytest

import director_gui
from director_gui.ids import sha256_hex
from director_gui.scoring.score import SCORER_VERSION
from director_gui.study.kept_truths import GEOMETRY_VERSION

ROOT = Path(director_gui.__file__).parent
RULES = {
    "director_gui.scoring.score": (SCORER_VERSION, 1, "849012eeab032726"),
    "director_gui.geometry.truth": (GEOMETRY_VERSION, 1, "001c7dea2866e52d"),
}
_FLOORS = ("scoring", "geometry", "scene", "runner")


def tree_of(module: str) -> ast.Module:
    path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def used(module: str, known: dict[str, ast.Module]) -> dict[str, ast.Module]:
    """The module and all of ours that it imports, however far down."""
    if module not in known:
        known[module] = tree_of(module)
        for node in ast.walk(known[module]):
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                if parts[0] == "director_gui" and parts[1:2] and parts[1] in _FLOORS:
                    used(node.module, known)
    return known


def bare(tree: ast.Module) -> str:
    for node in ast.walk(tree):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def hash_of(module: str) -> str:
    trees = used(module, {})
    return sha256_hex("".join(bare(trees[name]) for name in sorted(trees)).encode())[
        :16
    ]


@pytest.mark.parametrize("module", RULES)
def test_the_version_is_the_one_that_the_code_had(module: str) -> None:
    version, recorded, known = RULES[module]
    assert (version, hash_of(module)) == (recorded, known)


def test_the_hash_sees_code_and_nothing_else() -> None:
    plain = 'def f():\n    """Say."""\n    return 1  # one\n'
    same = 'def f():\n\n    """Say more."""\n    return (1)\n'
    other = 'def f():\n    """Say."""\n    return 2\n'
    assert bare(ast.parse(plain)) == bare(ast.parse(same))
    assert bare(ast.parse(plain)) != bare(ast.parse(other))


def test_the_rules_reach_what_they_are_made_of() -> None:
    scorer = used("director_gui.scoring.score", {})
    assert {"director_gui.scoring.scan", "director_gui.scoring.clean"} <= scorer.keys()
    truth = used("director_gui.geometry.truth", {})
    assert {
        "director_gui.geometry.visibility", "director_gui.scene.model"
    } <= truth.keys()  # fmt: skip
