"""Design tokens, the palette and the one stylesheet of every theme.

Spacing goes in steps of 4 px, there is one corner radius and one accent colour. Sizes
are given at 100 % and follow the user's text size.
"""

from dataclasses import dataclass, fields, replace
from string import Template
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from director_gui import assets
from director_gui.ui.marks import mark_urls

Mode = Literal["light", "dark", "contrast", "system"]
BODY, CAPTION, TITLE = 13, 11, 16  # px at 100 %
S1, S2, S3, S4, S6 = 4, 8, 12, 16, 24  # px


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme; every pair that carries text has 4.5 : 1 or more."""

    window: str  # behind everything
    panel: str  # surfaces that hold content
    sunken: str  # fields, wells, the rail
    line: str  # hairlines between surfaces
    strong_line: str  # borders of fields and buttons
    text: str
    muted: str  # captions, units, placeholders
    off: str  # what cannot be used now
    accent: str  # primary action and selection
    accent_text: str  # on accent
    accent_soft: str  # selected rows
    sees: str
    hidden: str
    ambiguous: str
    cut: str
    error: str
    error_soft: str
    warning_soft: str
    lit: str  # the differing span of a pair
    practice: str


LIGHT = Tokens(
    window="#f3f4f6",
    panel="#ffffff",
    sunken="#eceef1",
    line="#dcdfe4",
    strong_line="#b4bac4",
    text="#1c2026",
    muted="#5b6470",
    off="#b4bac4",
    accent="#2457c5",
    accent_text="#ffffff",
    accent_soft="#dbe6fb",
    sees="#1b7a3d",
    hidden="#8a3ab9",
    ambiguous="#9a5b00",
    cut="#b3261e",
    error="#b3261e",
    error_soft="#fbe3e1",
    warning_soft="#fdf0d5",
    lit="#ffe49a",
    practice="#7a4d00",
)
DARK = Tokens(
    window="#17191d",
    panel="#1f2227",
    sunken="#14161a",
    line="#30343b",
    strong_line="#555c68",
    text="#e7e9ed",
    muted="#a2aab6",
    off="#555c68",
    accent="#7ba7ff",
    accent_text="#0c1730",
    accent_soft="#263a5e",
    sees="#6fd08c",
    hidden="#d3a1f2",
    ambiguous="#f0b95c",
    cut="#ff9a90",
    error="#ff9a90",
    error_soft="#452522",
    warning_soft="#40341d",
    lit="#6a5312",
    practice="#f0c377",
)
# Lines as strong as text, and nothing muted: every pair has 7 : 1 or more.
HIGH_LIGHT = replace(
    LIGHT,
    window="#ffffff",
    sunken="#ffffff",
    line="#4a4f57",
    strong_line="#000000",
    text="#000000",
    muted="#30343b",
    off="#767b84",
    accent="#0b3aa0",
    accent_soft="#e3ecff",
    sees="#0b5424",
    hidden="#5f1c86",
    ambiguous="#633a00",
    cut="#8c1009",
    error="#8c1009",
    error_soft="#ffecea",
    warning_soft="#fff6e2",
    lit="#ffe9ad",
    practice="#573700",
)
HIGH_DARK = replace(
    DARK,
    window="#000000",
    panel="#000000",
    sunken="#000000",
    line="#aab1bd",
    strong_line="#ffffff",
    text="#ffffff",
    muted="#dfe3ea",
    off="#8b919b",
    accent="#a9c7ff",
    accent_text="#000000",
    accent_soft="#1d3050",
    sees="#8ee6a8",
    hidden="#e3c2fa",
    ambiguous="#ffd083",
    cut="#ffc0ba",
    error="#ffc0ba",
    error_soft="#3d1512",
    warning_soft="#33280f",
    lit="#503d05",
    practice="#ffd995",
)


class _State:
    """What the running program shows now; set by `apply` alone."""

    tokens: Tokens = LIGHT
    scale: float = 1.0


def tokens() -> Tokens:
    """Return the tokens of the theme that is shown now."""
    return _State.tokens


def px(size: float) -> int:
    """Return a size given at 100 % in the user's text size, in px."""
    return round(size * _State.scale)


def apply(app: QApplication, mode: Mode = "system", scale: float = 1.0) -> None:
    """Give the whole program the theme `mode` and text at `scale` (1.0 = 100 %)."""
    resized = scale != _State.scale
    _State.tokens = _tokens_of(app, mode)
    _State.scale = scale
    # Over an old sheet Qt polishes each widget once for every one above it: 1.8 s with
    # all workspaces open. Without one the same change takes 0.2 s.
    app.setStyleSheet("")
    if app.style().name() != "fusion":
        app.setStyle(QStyleFactory.create("Fusion"))
    app.setPalette(_palette(_State.tokens))
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(px(BODY))
    app.setFont(font)
    app.setStyleSheet(_stylesheet(_State.tokens))
    if resized:
        _inherit_fonts(app)


def _inherit_fonts(app: QApplication) -> None:
    """Give widgets that still have a size of the last sheet that of their parent.

    The sheet meets widgets in no order; a child that it meets before its parent may
    keep the size that both had.
    """
    sizes = {px(size) for size in (BODY, CAPTION, TITLE)}
    old = [
        widget
        for widget in app.allWidgets()
        if not widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        and widget.font().pixelSize() not in sizes
    ]
    for widget in sorted(old, key=_depth):  # parents first
        widget.setFont(QFont())
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def _depth(widget: QWidget) -> int:
    parent = widget.parentWidget()
    return 0 if parent is None else 1 + _depth(parent)


def _tokens_of(app: QApplication, mode: Mode) -> Tokens:
    hints = app.styleHints()
    follows = mode in ("system", "contrast")
    dark = mode == "dark" or (follows and hints.colorScheme() == Qt.ColorScheme.Dark)
    wanted = hints.accessibility().contrastPreference()
    high = mode == "contrast" or (
        mode == "system" and wanted == Qt.ContrastPreference.HighContrast
    )
    if high:
        return HIGH_DARK if dark else HIGH_LIGHT
    return DARK if dark else LIGHT


def mono(size: int = BODY) -> QFont:
    """Return the fixed-pitch font for digits and codes."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(px(size))
    return font


def _stylesheet(t: Tokens) -> str:
    values = {f.name: getattr(t, f.name) for f in fields(t)}
    sizes = {f"px{n}": f"{px(n)}px" for n in range(1, 129)}
    marks = mark_urls(tick=t.accent_text, arrow=t.muted)
    urls = {f"{name}_url": f'url("{path}")' for name, path in marks.items()}
    sheet = Template(assets.read_text("style/app.qss"))
    return sheet.substitute(values, **sizes, **urls)


def _palette(t: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: t.window,
        role.WindowText: t.text,
        role.Base: t.panel,
        role.AlternateBase: t.window,
        role.Text: t.text,
        role.Button: t.panel,
        role.ButtonText: t.text,
        role.ToolTipBase: t.panel,
        role.ToolTipText: t.text,
        role.PlaceholderText: t.muted,
        role.Highlight: t.accent,
        role.HighlightedText: t.accent_text,
        role.Link: t.accent,
        role.Accent: t.accent,
    }
    for where, color in pairs.items():
        palette.setColor(where, QColor(color))
    for where in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(t.off))
    return palette
