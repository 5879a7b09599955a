"""List what coders coded differently: ``packet disagreements``."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coding.coder_sheets import to_csv
from coding.state import ItemState
from coding.textmap import TextMap
from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.store.database import open_study
from director_gui.study.blind.adjudicating import (
    ELSEWHERE,
    Adjudication,
    Disagreement,
    disagreements,
)
from director_gui.study.blind.keys import mended, packet_id_of

DISAGREEMENTS = "disagreements"
Commands = Any  # argparse keeps the type of its sub-commands to itself


def configure_disagreements(commands: Commands) -> None:
    """Add ``disagreements``."""
    lists = commands.add_parser(DISAGREEMENTS, help="what coders coded differently")
    lists.add_argument("study", type=Path, metavar="STUDY")
    lists.add_argument("packet", metavar="PACKET", help="its file or its id")
    lists.add_argument("-o", dest="out", type=Path, metavar="FILE", help="write a CSV")
    lists.add_argument("--json", action="store_true", help="print JSON")


def run_disagreements(args: argparse.Namespace) -> int:
    """Print the disagreements, and write them as a table when that is asked for."""
    with open_study(args.study, read_only=True) as study:
        found = disagreements(study, packet_id_of(args.packet))
    if args.out is not None:
        _write(args.out, found)
    if args.json:
        print_json(_value(found))
    else:
        print_lines(_lines(found))
    return 0


def _value(found: Adjudication) -> dict[str, object]:
    return {
        "packet": found.packet.id,
        "coders": list(found.coders),
        "settled": found.settled,
        "disagreements": [
            {
                "item": item,
                "fields": list(one.fields),
                "said": [
                    {"coder": said.coder, **_state(said.state)} for said in one.said
                ],
                "adjudicated": _state(found.states[item]),
            }
            for item, one in found.items.items()
        ],
    }


def _state(state: ItemState) -> dict[str, object]:
    quotes = {
        name: {"start": q.start, "end": q.end, "text": q.text}
        for name, q in state.quotes.items()
        if q != ELSEWHERE
    }
    return {"codes": dict(state.values), "quotes": quotes, "note": state.note}


def _lines(found: Adjudication) -> Iterator[str]:
    count = len(found.items)
    yield f"{count} items coded differently, {found.settled} settled"
    for item, one in found.items.items():
        for field in one.fields:
            said = ", ".join(
                f"{s.coder} {s.state.values.get(field, '–')}" for s in one.said
            )
            final = found.states[item].values.get(field, "open")
            yield f"{item[:8]} {field}: {said}; adjudicated {final}"


def _write(path: Path, found: Adjudication) -> None:
    head = ["item", "text", "field", *found.coders, "adjudicated"]
    rows = [row for one in found.items.values() for row in _rows(one, found)]
    with mended():
        # As in coder sheets: nothing in a cell may become a formula.
        data = to_csv([head, *rows])
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UserError(
            f"the table cannot be written ({error.strerror})", where=str(path)
        ) from error
    note(f"wrote {path}")


def _rows(one: Disagreement, found: Adjudication) -> Iterator[list[str]]:
    # As coders saw it: offsets of quotes are of that text.
    text = TextMap(found.packet.item(one.item).text).display
    said = {s.coder: s.state.values for s in one.said}
    for field in one.fields:
        codes = [said.get(coder, {}).get(field, "") for coder in found.coders]
        final = found.states[one.item].values.get(field, "")
        yield [one.item, text, field, *codes, final]
