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
    ink = _ink(str(number), big)
    line = round(big * 0.055) if needs_line(number) else 0
    gap = line + line // 6
    whole = Image.new("L", (ink.width, ink.height + gap + line), 0)
    whole.paste(ink, (0, 0))
    if line:
        foot = ink.height + gap
        whole.paste(255, (0, foot, ink.width, foot + line))
    image = Image.new("L", (big, big), 0)
    image.paste(whole, ((big - whole.width) // 2, (big - whole.height) // 2))
    return image.resize((CELL, CELL), Image.Resampling.BOX)


def _ink(text: str, big: int) -> Image.Image:
    """Return a number alone, cut to its ink, as large as it may be."""
    import matplotlib as mpl

    path = Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans-Bold.ttf"
    size = int(big * HEIGHT / 0.729)  # a digit is 0.729 of the font's size high
    while True:
        image = Image.new("L", (3 * big, 2 * big), 0)
        font = ImageFont.truetype(path, size)
        ImageDraw.Draw(image).text((big // 2, big // 2), text, font=font, fill=255)
        ink = image.crop(image.getbbox())
        if ink.width <= WIDTH * big:
            return ink
        size -= OVERSAMPLE


def main() -> None:
    """Write the sheet into the resources."""
    sheet = Image.new("L", (10 * CELL, 10 * CELL), 0)
    for number in range(100):
        sheet.paste(mask(number), (number % 10 * CELL, number // 10 * CELL))
    sheet.save(Path(__file__).parents[1] / "resources/glyphs/digits.png", optimize=True)


if __name__ == "__main__":
    main()
