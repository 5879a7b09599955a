import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from director_gui.study.results.contrasts import contrasts_of
from director_gui.study.results.shapes import SHAPES
from director_gui.ui.results.contrast_form import ContrastForm
from tests.ui.results.conftest import CONDITIONS, Bench

pytestmark = pytest.mark.gui


def press(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.fixture
def form(bench: Bench) -> ContrastForm:
    work = bench.workspace
    work.tabs.setCurrentWidget(work.contrasts)
    press(work.contrasts.new)
    return work.contrasts.form


def shown(form: ContrastForm) -> list[int]:
    return [at for at, term in enumerate(form.terms) if term.isVisible()]


def choose(form: ContrastForm, *conditions: str) -> None:
    for at, name in zip(shown(form), conditions, strict=True):
        combo = form.terms[at].condition
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Home)
        for _ in range(combo.findText(name)):
            QTest.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentText() == name


def begin_from(form: ContrastForm, words: str) -> None:
    at = form.shape.findText(words)
    assert at >= 0
    form.shape.setCurrentIndex(at)
    form.shape.activated.emit(at)


def test_without_contrasts_the_page_says_what_one_is(bench: Bench) -> None:
    page = bench.workspace.contrasts
    bench.workspace.tabs.setCurrentWidget(page)
    assert bench.says("A contrast weighs several conditions at once")
    assert not page.table.isVisible()
    assert not page.drop.isVisible()


def test_a_difference_of_differences_is_made_and_shown(
    bench: Bench, form: ContrastForm
) -> None:
    assert not form.keep.isEnabled()
    assert "Choose a condition" in form.said.text()
    QTest.keyClicks(form.name, "effects")
    choose(form, "move.ask", "move.plain", "mean.ask", "mean.plain")
    assert form.said.text().startswith("move.ask − move.plain − mean.ask + mean.plain")
    press(form.keep)
    bench.settle()
    page = bench.workspace.contrasts
    assert not form.isVisible()
    rows = bench.texts(page.table)[1:]
    assert [row[1] for row in rows] == ["effects", "effects"]
    assert page.plot.isVisible()
    found = bench.workspace.found
    assert found is not None
    estimate = found.contrasts[0].found
    assert estimate is not None
    assert estimate.estimate is not None
    shown_points = float(rows[0][2].replace("−", "-"))
    assert shown_points == pytest.approx(100 * estimate.estimate, abs=0.051)
    (kept,) = contrasts_of(bench.session.study)
    assert kept.name == "effects"


def test_one_of_the_methods_contrasts_is_ready_made(
    bench: Bench, form: ContrastForm
) -> None:
    begin_from(form, "Visibility less block-count question")
    assert form.name.text() == "Visibility less block-count question"
    # The base of both effects has cancelled.
    assert shown(form) == [0, 1]
    press(form.keep)
    bench.settle()
    (kept,) = contrasts_of(bench.session.study)
    assert kept.weights == {"move.ask": 1.0, "move.count": -1.0}


def test_a_weight_that_does_not_sum_is_told_while_typing(form: ContrastForm) -> None:
    begin_from(form, "One against the mean of two")
    choose(form, "move.ask", "move.plain", "mean.ask")
    assert form.keep.isEnabled()
    assert "0.5 × move.plain" in form.said.text()
    weight = form.terms[0].weight
    weight.setFocus()
    weight.selectAll()
    QTest.keyClicks(weight, "2")
    QTest.keyClick(weight, Qt.Key.Key_Tab)
    assert "the weights sum to 1" in form.said.text()
    assert not form.keep.isEnabled()


def test_more_conditions_can_be_taken_in(form: ContrastForm) -> None:
    before = len(shown(form))
    press(form.add)
    assert len(shown(form)) == before + 1
    for _ in form.terms[before + 1 :]:
        press(form.add)
    assert len(shown(form)) == len(form.terms)
    assert not form.add.isEnabled()


def test_a_name_is_needed_and_taken_once(bench: Bench, form: ContrastForm) -> None:
    choose(form, "move.ask", "move.plain", "mean.ask", "mean.plain")
    press(form.keep)
    assert "needs a name" in bench.workspace.banner.text
    QTest.keyClicks(form.name, "twice")
    press(form.keep)
    bench.settle()
    press(bench.workspace.contrasts.new)
    QTest.keyClicks(form.name, "twice")
    choose(form, "move.ask", "move.plain", "mean.ask", "mean.plain")
    press(form.keep)
    assert "this name is taken" in bench.workspace.banner.text
    assert len(contrasts_of(bench.session.study)) == 1


def test_a_contrast_is_forgotten(bench: Bench, form: ContrastForm) -> None:
    begin_from(form, "Question’s effect, MOVE less MEAN")
    press(form.keep)
    bench.settle()
    page = bench.workspace.contrasts
    press(page.drop)
    bench.settle()
    assert contrasts_of(bench.session.study) == ()
    assert not page.table.isVisible()


def test_a_study_that_cannot_be_written_is_told(
    bench: Bench, form: ContrastForm
) -> None:
    begin_from(form, "Question’s effect, MOVE less MEAN")
    bench.session.study.close()
    press(form.keep)
    assert bench.workspace.banner.text
    assert form.isVisible()


def test_the_form_offers_the_runs_conditions_alone(form: ContrastForm) -> None:
    combo = form.terms[0].condition
    names = [combo.itemText(at) for at in range(combo.count())]
    assert sorted(names) == sorted(CONDITIONS)
    assert form.shape.count() >= len(SHAPES)
    assert all(term.condition.accessibleName() for term in form.terms)


def test_cancel_keeps_nothing(bench: Bench, form: ContrastForm) -> None:
    begin_from(form, "Question’s effect, MOVE less MEAN")
    form.hide()
    assert contrasts_of(bench.session.study) == ()
