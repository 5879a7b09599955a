"""The codebook editor, driven by keys and clicks on a real study."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from coding.book_edits import fresh_book
from coding.book_files import read_book
from coding.codebook import Codebook
from coding.packet import read_packet
from coding.training import cards
from director_gui.store.codebooks import stored_codebooks
from director_gui.store.database import create_study, open_study
from director_gui.study.blind.codebooks import codebooks
from director_gui.study.blind.sealing import default_codebook
from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_files import with_suffix
from director_gui.ui.coordinator.codebook_page import CodebookPage
from director_gui.ui.coordinator.codebook_trial import packet_of
from director_gui.ui.coordinator.codebook_words import passages_of, text_of
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from tests.ui.coordinator.conftest import Bench

if TYPE_CHECKING:
    from director_gui.errors import UserError

K = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
WAIT = 10_000
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


class Editor:
    """A shown page on a study of its own, and what it refused."""

    def __init__(self, qtbot: QtBot, path: Path) -> None:
        self.session, self.jobs = Session(), Jobs()
        self.session.open(path)
        self.refused: list[UserError] = []
        self.page = CodebookPage(self.session, self.jobs, self.refused.append)
        self.page.resize(992, 732)
        self.page.show()
        qtbot.waitExposed(self.page)
        self.page.activateWindow()
        self.page.begin()
        self._qtbot = qtbot
        self.settle()

    def settle(self) -> None:
        """Wait until all that was asked of the study is done."""
        self._qtbot.waitUntil(lambda: not self.jobs.busy, timeout=WAIT)
        QTest.qWait(1)

    def kept(self) -> list[Codebook]:
        return [one.book for one in codebooks(self.session.study)]

    def versions(self) -> list[str]:
        bar = self.page.bar.versions
        return [bar.itemText(at) for at in range(bar.count())]

    def choose(self, field: int, code: int = -1) -> None:
        self.page.outline.tree.choose((field, code))

    def type(self, entry: QWidget, text: str) -> None:
        """Put the caret into an entry and write over what it holds."""
        entry.setFocus()
        QTest.keyClick(entry, K.Key_A, CTRL)
        QTest.keyClicks(entry, text)

    def outline(self) -> list[str]:
        tree = self.page.outline.tree
        tops = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
        return [top.text(0) for top in tops]

    def said(self) -> str:
        found = self.page.remarks
        return "\n".join(found.item(at).text() for at in range(found.count()))


@pytest.fixture
def editor(qtbot: QtBot, tmp_path: Path) -> Iterator[Editor]:
    create_study(tmp_path / "a.study", "books").close()
    made = Editor(qtbot, tmp_path / "a.study")
    yield made
    made.page.close()
    made.jobs.close()
    made.session.close()
    made.page.deleteLater()


def test_it_opens_on_the_programs_codebook(editor: Editor) -> None:
    assert editor.versions() == ["reading, version 1 · built in"]
    labels = [field.label for field in default_codebook().fields]
    assert editor.outline() == [default_codebook().title, *labels]
    assert "An edit makes a new version" in editor.page.bar.state.text()
    assert not editor.page.bar.discard.isEnabled()


def test_typing_makes_a_new_version_that_is_kept(editor: Editor) -> None:
    editor.choose(0, 1)
    form = editor.page.code_form
    assert form.stored.text() == "own-view"
    editor.type(form.shown, "Its own view")
    QTest.qWait(700)  # it rests, then it is kept
    editor.settle()
    assert editor.versions() == ["reading, version 2", "reading, version 1 · built in"]
    newest = editor.kept()[0]
    assert newest.fields[0].codes[1].label == "Its own view"
    assert newest.fields[0].codes[0] == default_codebook().fields[0].codes[0]
    assert "Saved in this study" in editor.page.bar.state.text()
    assert form.shown.text() == "Its own view"
    assert form.shown.hasFocus()


def test_an_edit_that_is_under_way_is_kept_when_the_page_goes(editor: Editor) -> None:
    editor.choose(-1)
    editor.type(editor.page.book_form.title, "Gone in a moment")
    editor.page.close_views()
    assert [one.version for one in stored_codebooks(editor.session.study)] == [2]
    editor.settle()


def test_one_word_is_one_step_of_undo(editor: Editor) -> None:
    editor.choose(0)
    entry = editor.page.field_form.shown
    editor.type(entry, "Word")
    editor.type(editor.page.field_form.question, "Why?")
    assert editor.page.desk.undo_stack.count() == 2
    QTest.keyClick(editor.page.field_form.question, K.Key_Z, CTRL)
    before = default_codebook().fields[0].question
    assert editor.page.desk.draft.fields[0].question == before
    QTest.keyClick(entry, K.Key_Z, CTRL)
    assert editor.page.desk.draft == default_codebook()
    assert entry.text() == "Reading of the request"
    QTest.keyClick(entry, K.Key_Z, CTRL | SHIFT)
    assert entry.text() == "Word"
    editor.page.desk.undo_stack.undo()
    editor.page.desk.save()
    editor.settle()
    assert editor.versions() == ["reading, version 1 · built in"]


def test_what_stops_a_packet_is_told_and_not_kept(editor: Editor) -> None:
    editor.choose(0, 1)
    editor.type(editor.page.code_form.key, "d")
    assert "✗ Key D is on “Director's view” and on “Own view”." in editor.said()
    assert "Not saved yet" in editor.page.bar.state.text()
    editor.page.desk.save()
    assert stored_codebooks(editor.session.study) == []
    # The way to mend it is one click.
    editor.choose(-1)
    remarks = editor.page.remarks
    spot = remarks.visualItemRect(remarks.item(0)).center()
    QTest.mouseClick(remarks.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert editor.page.outline.place == (0, 1)
    editor.type(editor.page.code_form.key, "w")
    assert "✗" not in editor.said()
    editor.page.desk.save()
    editor.settle()
    assert editor.kept()[0].fields[0].codes[1].key == "w"


def test_fields_of_every_kind_and_codes_are_added_by_mouse(
    editor: Editor, qtbot: QtBot
) -> None:
    outline = editor.page.outline
    menu = outline.add_field.menu()
    for act in menu.actions():
        act.trigger()
    kinds = [field.kind for field in editor.page.desk.draft.fields[4:]]
    assert kinds == ["one_of", "yes_no", "yes_no_not_said", "quote", "text"]
    assert not outline.add_code.isEnabled()  # a text has no codes
    editor.choose(4)
    for _ in range(3):
        qtbot.mouseClick(outline.add_code, Qt.MouseButton.LeftButton)
    assert len(editor.page.desk.draft.fields[4].codes) == 5
    assert editor.page.code_form.shown.hasFocus()
    assert outline.place == (4, 4)
    editor.page.desk.save()
    editor.settle()
    assert len(editor.kept()[0].fields) == 9


def test_parts_are_moved_and_removed_by_keys(editor: Editor) -> None:
    tree = editor.page.outline.tree
    editor.choose(0, 0)
    tree.setFocus()
    QTest.keyClick(tree, K.Key_Down, ALT)
    names = editor.page.desk.draft.fields[0].code_names()
    assert names[:2] == ("own-view", "director-view")
    assert editor.page.outline.place == (0, 1)  # it stays chosen
    QTest.keyClick(tree, K.Key_Delete)
    assert "director-view" not in editor.page.desk.draft.fields[0].code_names()
    editor.choose(3)
    QTest.keyClick(tree, K.Key_Up, ALT)
    assert editor.page.desk.draft.fields[2].name == "works_out"
    QTest.keyClick(tree, K.Key_Delete)
    names = tuple(field.name for field in editor.page.desk.draft.fields)
    assert names == ("reading", "quote", "sees_choice")
    for _ in range(4):
        QTest.keyClick(tree, K.Key_Z, CTRL)
    assert editor.page.desk.draft == default_codebook()


def test_a_yes_and_a_no_stay(editor: Editor) -> None:
    editor.choose(3, 0)
    outline = editor.page.outline
    assert not outline.remove.isEnabled()
    assert not editor.page.code_form.stored.isEnabled()
    QTest.keyClick(outline.tree, K.Key_Delete)
    assert editor.page.desk.draft == default_codebook()
    editor.type(editor.page.code_form.shown, "It does")
    assert editor.page.desk.draft.fields[3].codes[0].label == "It does"


def test_a_kind_is_chosen_by_keys(editor: Editor) -> None:
    editor.choose(3)
    box = editor.page.field_form.kind
    box.setFocus()
    QTest.keyClick(box, K.Key_Down)
    assert editor.page.desk.draft.fields[3].kind == "yes_no_not_said"
    assert len(editor.page.desk.draft.fields[3].codes) == 3


def test_passages_are_an_empty_line_apart(editor: Editor) -> None:
    editor.choose(0, 0)
    entry = editor.page.code_form.examples
    entry.setFocus()
    QTest.keyClick(entry, K.Key_A, CTRL)
    QTest.keyClicks(entry, "one")
    for _ in range(2):
        QTest.keyClick(entry, K.Key_Return)
    assert entry.toPlainText() == "one\n\n"  # the empty line may be typed
    QTest.keyClicks(entry, "two")
    assert editor.page.desk.draft.fields[0].codes[0].examples == ("one", "two")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()), ("a", ("a",)), ("a\nb", ("a\nb",)), ("a\n\n\n\nb\n", ("a", "b")),
        ("\n\n \n\n", ()),
    ],
)  # fmt: skip
def test_a_text_falls_into_its_passages(text: str, parts: tuple[str, ...]) -> None:
    assert passages_of(text) == parts
    assert passages_of(text_of(parts)) == parts


def test_a_free_key_is_shown_in_grey_and_a_colour_is_chosen(editor: Editor) -> None:
    editor.choose(0, 0)
    form = editor.page.code_form
    editor.type(form.key, " ")
    form.key.setFocus()
    QTest.keyClick(form.key, K.Key_A, CTRL)
    QTest.keyClick(form.key, K.Key_Delete)
    assert form.key.placeholderText() not in ("", "none is free")
    form.color.setFocus()
    QTest.keyClick(form.color, K.Key_Down)
    assert editor.page.desk.draft.fields[0].codes[0].color == "#c0562f"
    assert "have one colour" in editor.said()


def test_a_new_codebook_can_be_used_and_discarded(editor: Editor, qtbot: QtBot) -> None:
    qtbot.mouseClick(editor.page.bar.new, Qt.MouseButton.LeftButton)
    editor.settle()
    editor.settle()
    assert editor.page.desk.draft.name == "codebook-1"
    assert editor.versions()[0] == "codebook-1, version 1"
    qtbot.mouseClick(editor.page.bar.discard, Qt.MouseButton.LeftButton)
    editor.settle()
    editor.settle()
    assert editor.versions() == ["reading, version 1 · built in"]
    assert editor.page.desk.draft == default_codebook()


@pytest.mark.parametrize("suffix", [".toml", ".qdc", ".json"])
def test_out_and_in_again(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    editor.choose(-1)
    editor.type(editor.page.book_form.title, "Sent out")
    path = tmp_path / f"out{suffix}"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", staticmethod(lambda *_: (str(path), ""))
    )
    editor.page.bar.send_out.click()
    assert read_book(path).title == "Sent out"
    editor.page.desk.undo_stack.undo()
    editor.page.desk.save()
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(path), ""))
    )
    editor.page.bar.bring_in.click()
    editor.settle()
    editor.settle()
    assert editor.page.desk.draft.title == "Sent out"
    assert editor.versions()[0] == "reading, version 2"


def test_a_trial_is_the_coders_window_and_leaves_nothing(
    editor: Editor, qtbot: QtBot
) -> None:
    editor.choose(-1)
    editor.type(editor.page.book_form.title, "On trial")
    qtbot.mouseClick(editor.page.bar.trial, Qt.MouseButton.LeftButton)
    trial = editor.page.files.trial
    assert trial is not None
    qtbot.waitUntil(trial.isActiveWindow, timeout=WAIT)
    assert trial.training.isVisible()
    assert "On trial" in trial.training.book.toPlainText()
    assert trial.windowTitle() == "Trial of reading, version 1"
    trial.training.start.click()
    assert trial.pane is not None
    QTest.keyClick(trial.pane.trace, K.Key_O)
    assert trial.pane.desk.state.values == {"reading": "own-view"}
    folder = trial.pane.desk.session.path.parent
    assert folder.exists()
    trial.close()
    qtbot.waitUntil(lambda: editor.page.files.trial is None, timeout=WAIT)
    assert not folder.exists()
    editor.choose(0, 1)
    editor.type(editor.page.code_form.key, "d")
    assert not editor.page.bar.trial.isEnabled()  # two codes on one key


def test_a_second_trial_closes_the_first(editor: Editor, qtbot: QtBot) -> None:
    editor.page.files.try_out()
    first = editor.page.files.trial
    editor.page.files.try_out()
    assert editor.page.files.trial is not first
    second = editor.page.files.trial
    assert second is not None
    qtbot.wait(20)  # the first one is gone now, and must not take the second along
    assert editor.page.files.trial is second
    second.close()


def test_a_codebook_without_examples_can_be_tried() -> None:
    (item,) = packet_of(fresh_book()).items
    assert "no examples yet" in item.text
    texts = {item.text for item in packet_of(default_codebook()).items}
    assert len(texts) == 12
    assert texts <= {card.text for card in cards(default_codebook())}


def test_files_that_cannot_be_are_refused_with_the_reason(
    editor: Editor, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.qdc"
    bad.write_bytes(b"<!DOCTYPE x><CodeBook/>")
    editor.page.desk.bring_in(bad)
    editor.settle()
    assert "document type" in editor.refused[0].what
    editor.page.files.export(tmp_path / "no" / "such" / "folder.toml")
    assert "not written" in editor.refused[1].what
    editor.page.files.export(tmp_path / "book.docx")
    assert "no kind of codebook file" in editor.refused[2].what
    assert editor.page.desk.draft == default_codebook()


@pytest.mark.parametrize(
    ("path", "kind", "wanted"),
    [
        ("a", "TOML (*.toml)", "a.toml"),
        ("a", "REFI-QDA Codebook (*.qdc)", "a.qdc"),
        ("a.json", "TOML (*.toml)", "a.json"),
    ],
)
def test_a_file_without_a_suffix_gets_the_kinds(
    path: str, kind: str, wanted: str
) -> None:
    assert with_suffix(Path(path), kind) == Path(wanted)


def test_another_version_is_shown_and_the_last_edit_is_not_lost(editor: Editor) -> None:
    editor.choose(-1)
    editor.type(editor.page.book_form.title, "Second")
    bar = editor.page.bar.versions
    bar.setFocus()
    editor.page.desk.open(editor.page.desk.known[0])  # as choosing it does
    editor.settle()
    assert editor.page.desk.draft == default_codebook()
    assert editor.versions()[0] == "reading, version 2"
    QTest.keyClick(bar, K.Key_Up)
    assert editor.page.desk.draft.title == "Second"
    assert not editor.page.desk.undo_stack.canUndo()  # its history is its own


def test_a_study_that_is_read_only_shows_but_takes_nothing(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.study"
    create_study(path, "books").close()
    with open_study(path):  # holds the lock
        editor = Editor(qtbot, path)
        assert editor.session.study.read_only
        assert "read-only" in editor.page.bar.state.text()
        assert not editor.page.book_form.isEnabled()
        assert not editor.page.bar.new.isEnabled()
        assert not editor.page.outline.add_field.isEnabled()
        editor.page.close()
        editor.jobs.close()
        editor.session.close()


def test_another_study_brings_its_own_codebooks(editor: Editor, tmp_path: Path) -> None:
    editor.choose(-1)
    editor.type(editor.page.book_form.title, "Of the first study")
    editor.page.desk.save()
    editor.page.forget()
    editor.session.create(tmp_path / "b.study")
    editor.page.begin()
    editor.settle()
    assert editor.versions() == ["reading, version 1 · built in"]
    assert editor.page.desk.draft == default_codebook()


def test_everything_has_a_name_and_tab_reaches_it(
    editor: Editor, qapp: QApplication
) -> None:
    editor.choose(0, 0)
    names = []
    for _ in range(40):
        focus = qapp.focusWidget()
        assert focus is not None
        spoken = QAccessible.queryAccessibleInterface(focus)
        # A box of choices is called by its choice there; its own name is a relation.
        name = focus.accessibleName() or spoken.text(QAccessible.Text.Name)
        assert name, focus
        if name in names:
            break
        names.append(name)
        QTest.keyClick(focus, K.Key_Tab)
    wanted = {
        "Fields and codes", "Shown as", "Stored as", "Key", "Colour", "Definition",
        "Examples", "Counter-examples", "Codebook and version", "Export…",
    }  # fmt: skip
    assert wanted <= set(names)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_no_word_of_a_form_is_cut(
    editor: Editor, qapp: QApplication, scale: float
) -> None:
    theme.apply(qapp, "light", scale)
    try:
        editor.page.retheme()
        for field, code in ((-1, -1), (0, -1), (0, 0)):
            editor.choose(field, code)
            QTest.qWait(30)
            assert editor.page.width() == 992
            for label in editor.page.shown.currentWidget().findChildren(QLabel):
                if label.isVisible() and label.wordWrap():
                    assert label.height() >= label.heightForWidth(label.width())
                assert label.width() >= label.minimumSizeHint().width(), label.text()
    finally:
        theme.apply(qapp, "light")


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_remark_can_be_read_whole(
    editor: Editor, qapp: QApplication, scale: float
) -> None:
    theme.apply(qapp, "light", scale)
    try:
        editor.page.retheme()
        editor.choose(0, 1)
        editor.type(editor.page.code_form.key, "d")
        editor.type(editor.page.code_form.definition, "")
        QTest.keyClick(editor.page.code_form.definition, K.Key_Delete)
        QTest.qWait(30)
        remarks = editor.page.remarks
        assert remarks.count() == 3
        bottom = remarks.visualItemRect(remarks.item(2)).bottom()
        assert bottom <= remarks.viewport().height()
        for at in range(3):
            spot = remarks.visualItemRect(remarks.item(at))
            words = remarks.fontMetrics().boundingRect(
                0, 0, spot.width() - 12, 999, Qt.TextFlag.TextWordWrap,
                remarks.item(at).text(),
            )  # fmt: skip
            assert words.height() <= spot.height()
    finally:
        theme.apply(qapp, "light")


def test_a_packet_is_made_with_the_version_that_was_chosen(
    bench: Bench, qtbot: QtBot, ready: Callable[[], None]
) -> None:
    workspace = bench.workspace
    workspace.list.books.click()
    qtbot.waitUntil(lambda: bool(workspace.books.desk.known), timeout=WAIT)
    workspace.books.outline.tree.choose((-1, -1))
    entry = workspace.books.book_form.title
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "Edited before the packet")
    ready()  # leaving keeps the edit
    form = workspace.make.form
    qtbot.waitUntil(lambda: form.book.count() == 2, timeout=WAIT)
    assert form.book.currentText().startswith("reading, version 2")
    qtbot.waitUntil(lambda: workspace.make.prepared is not None, timeout=WAIT)
    workspace.make.seal.click()
    qtbot.waitUntil(workspace.page.isVisible, timeout=WAIT)
    (path,) = bench.folder.glob("*.codepack")
    assert read_packet(path).codebook.title == "Edited before the packet"
    kept = codebooks(bench.session.study)
    assert [(one.book.version, one.packets) for one in kept] == [(2, 1), (1, 0)]


def test_news_of_a_packet_does_not_close_the_editor(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    assert packet.exists()
    bench.workspace.list.books.click()
    qtbot.waitUntil(bench.workspace.books.isVisible, timeout=WAIT)
    bench.workspace.refresh()
    qtbot.wait(300)
    assert bench.workspace.books.isVisible()
    assert "Frozen: 1 packet" in bench.workspace.books.bar.state.text()
