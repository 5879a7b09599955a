"""Contact sheets: many scenes on a page, the model's view beside the director's."""

import io

from PIL import Image, ImageDraw, ImageFont

SHEET_SCENES = 40  # on one page
_COLUMNS = 4
_THUMB = (200, 150)  # px, the most of one view
_GAP, _LABEL = 8, 14  # px


def sheet_of(scenes: list[tuple[str, list[bytes]]]) -> Image.Image:
    """Return a page of scenes; each has a name and the PNGs of its views."""
    cell = (2 * _THUMB[0] + _GAP, _THUMB[1] + _LABEL + _GAP)
    lines = -(-len(scenes) // _COLUMNS)
    size = (_COLUMNS * (cell[0] + _GAP) + _GAP, lines * (cell[1] + _GAP) + _GAP)
    page = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default_imagefont()
    for i, (name, pictures) in enumerate(scenes):
        line, column = divmod(i, _COLUMNS)
        x, y = _GAP + column * (cell[0] + _GAP), _GAP + line * (cell[1] + _GAP)
        for number, png in enumerate(pictures):
            page.paste(_thumbnail(png), (x + number * (_THUMB[0] + _GAP), y))
        pen.text((x, y + _THUMB[1] + 2), _plain(name), fill="black", font=font)
    return page


def pdf_of(page: Image.Image) -> bytes:
    """Return a page as a PDF file without dates, so equal pages give equal bytes."""
    file = io.BytesIO()
    page.save(file, "PDF", resolution=150.0, creationDate=None, modDate=None)
    return file.getvalue()


def _thumbnail(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as image:
        small = image.convert("RGB")
    small.thumbnail(_THUMB, Image.Resampling.BOX)
    return small


def _plain(name: str) -> str:
    # The built-in font knows Latin-1 alone.
    return name.encode("latin-1", "replace").decode("latin-1")
