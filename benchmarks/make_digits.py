"""Make resources/glyphs/digits.png: the masks of the numbers 0 to 99 that blocks carry.

The masks ship with the program, so that no upgrade of a font moves a pixel. Run this
only to change how digits look; then every picture and its hash changes.

    python benchmarks/make_digits.py

The sheet is 10 x 10 cells of 192 px; number n stands in row n // 10, column n % 10.
White is ink. The font is DejaVu Sans Bold, which matplotlib carries.
"""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

CELL = 192  # px
OVERSAMPLE = 4  # drawn larger and averaged: smoother than the font's own edges
HEIGHT = 0.62  # of a single digit, in cells
WIDTH = 0.80  # the widest a number may be, in cells
TURNABLE = set("01689")  # digits that are digits upside down


def needs_line(number: int) -> bool:
    """Tell whether a number could be misread upside down and so gets a line."""
    text = str(number)
    return set(text) <= TURNABLE and bool(set(text) & set("69"))


def mask(number: int) -> Image.Image:
    """Return the mask of one number, white on black."""
    big = CELL * OVERSAMPLE
    image = Image.new("L", (big, big), 0)
    draw = ImageDraw.Draw(image)
    left, top, right, bottom, font = _fitted(draw, str(number), big)
    line = big * 0.055 if needs_line(number) else 0
    gap = line * 1.15
    drop = (gap + line) / 2  # number and line are centred together
    x = (big - (right - left)) / 2 - left
    y = (big - (bottom - top)) / 2 - top - drop
    draw.text((x, y), str(number), font=font, fill=255)
    if line:
        foot = y + bottom + gap
        draw.rectangle((x + left, foot, x + right, foot + line), fill=255)
    return image.resize((CELL, CELL), Image.Resampling.BOX)


def _fitted(
    draw: ImageDraw.ImageDraw, text: str, big: int
) -> tuple[float, float, float, float, ImageFont.FreeTypeFont]:
    import matplotlib as mpl

    path = Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans-Bold.ttf"
    size = int(big * HEIGHT / 0.729)  # a digit is 0.729 of the font's size high
    while True:
        font = ImageFont.truetype(path, size)
        left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
        if right - left <= WIDTH * big:
            return left, top, right, bottom, font
        size -= OVERSAMPLE


def main() -> None:
    """Write the sheet into the resources."""
    sheet = Image.new("L", (10 * CELL, 10 * CELL), 0)
    for number in range(100):
        sheet.paste(mask(number), (number % 10 * CELL, number // 10 * CELL))
    sheet.save(Path(__file__).parents[1] / "resources/glyphs/digits.png", optimize=True)


if __name__ == "__main__":
    main()
