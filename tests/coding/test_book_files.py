"""Codebooks as files: TOML, JSON and REFI-QDA, there and back."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from coding import codebook
from coding.book_files import book_data, read_book
from coding.book_toml import to_toml
from coding.codebook import Code, Codebook, Field
from coding.errors import CodingError
from coding.qdc import MARK, SPACE, many_lines, one_line, to_qdc
from coding.qdc_reading import from_qdc
from tests.strategies import QUICK, codebooks

Q = f"{{{SPACE}}}"


@QUICK
@given(codebooks())
def test_toml_gives_the_same_codebook_back(made: Codebook) -> None:
    assert codebook.from_toml(to_toml(made)) == made


@QUICK
@given(codebooks())
def test_qdc_gives_the_same_codebook_back(made: Codebook) -> None:
    assert from_qdc(to_qdc(made)) == made


@QUICK
@given(codebooks())
def test_what_a_strategy_makes_is_a_codebook(made: Codebook) -> None:
    # Else the round trips above would prove nothing about real codebooks.
    assert codebook.from_bytes(codebook.to_bytes(made)) == made


@pytest.mark.parametrize(
    "text", ["", "\\", "\\n", "\n", "a\\\nb", "\\\\n", "x\\n\n\\", "plain"]
)
def test_a_text_on_one_line_comes_back(text: str) -> None:
    assert "\n" not in one_line(text)
    assert many_lines(one_line(text)) == text


@pytest.mark.parametrize("suffix", [".toml", ".json", ".qdc", ".QDC"])
def test_files_are_read_and_written_by_their_suffix(
    book: Codebook, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"book{suffix}"
    path.write_bytes(book_data(book, path))
    assert read_book(path) == book
    assert book_data(read_book(path), path) == path.read_bytes()


def test_another_suffix_is_refused_with_those_that_work(
    book: Codebook, tmp_path: Path
) -> None:
    path = tmp_path / "book.docx"
    with pytest.raises(CodingError) as caught:
        book_data(book, path)
    assert ".toml, .json, .qdc" in caught.value.todo
    path.write_bytes(codebook.to_bytes(book))  # read it is, if it is JSON
    assert read_book(path) == book
    path.write_bytes(b"PK")
    with pytest.raises(CodingError, match="not JSON"):
        read_book(path)


def test_toml_is_made_to_be_read(book: Codebook) -> None:
    text = to_toml(book).decode()
    assert text.startswith('format = "director-codebook/1"\nname = "reading"\n')
    assert text.count("[[fields]]") == 4
    assert text.count("[[fields.codes]]") == 10
    assert 'examples = [\n  "The largest cube in the image' in text


# The standard ------------------------------------------------------------------------


def schema_faults(data: bytes) -> list[str]:
    """Check what the standard's schema asks for, written anew from its rules."""
    faults = []
    root = ET.fromstring(data)  # noqa: S314 - our own bytes
    codes, sets = root.find(f"{Q}Codes"), root.find(f"{Q}Sets")
    order = [child.tag for child in root]
    if root.tag != f"{Q}CodeBook" or order != [f"{Q}Codes", f"{Q}Sets"]:
        faults.append(f"root {root.tag} {order}")
    if set(root.attrib) - {"origin"}:
        faults.append(f"root attributes {root.attrib}")
    assert codes is not None
    assert sets is not None
    if not len(codes) or not len(sets):
        faults.append("an empty list")
    for code in codes.iter(f"{Q}Code"):
        faults += code_faults(code)
    for one in sets:
        tags = [child.tag for child in one]
        if tags != sorted(tags, key=[f"{Q}Description", f"{Q}MemberCode"].index):
            faults.append(f"set {tags}")
        if set(one.attrib) != {"guid", "name"}:
            faults.append(f"set {one.attrib}")
    return faults


def code_faults(code: ET.Element) -> list[str]:
    faults = []
    needed, allowed = {"guid", "name", "isCodable"}, {"color"}
    if not needed <= set(code.attrib) <= needed | allowed:
        faults.append(f"code {code.attrib}")
    if code.get("isCodable") not in ("true", "false"):
        faults.append("isCodable")
    parts = code.get("guid", "").split("-")
    if [len(part) for part in parts] != [8, 4, 4, 4, 12]:
        faults.append("guid")
    if "color" in code.attrib and len(code.get("color", "")) != 7:
        faults.append("color")
    tags = [child.tag for child in code]
    if tags[1:] != [f"{Q}Code"] * (len(tags) - 1) or tags[:1] != [f"{Q}Description"]:
        faults.append(f"code holds {tags}")
    return faults


@QUICK
@given(codebooks())
def test_what_is_written_keeps_to_the_standard(made: Codebook) -> None:
    assert schema_faults(to_qdc(made)) == []


def test_fields_are_codes_that_hold_codes(book: Codebook) -> None:
    root = ET.fromstring(to_qdc(book))  # noqa: S314 - our own bytes
    tops = list(root.find(f"{Q}Codes") or ())
    assert [top.get("name") for top in tops] == [f.label for f in book.fields]
    assert [top.get("isCodable") for top in tops] == ["false", "true", "false", "false"]
    reading = tops[0].findall(f"{Q}Code")
    assert [code.get("color") for code in reading] == [
        code.color for code in book.fields[0].codes
    ]
    said = reading[0].findtext(f"{Q}Description") or ""
    # What people see first in another tool is the definition, in plain words.
    assert said.startswith(book.fields[0].codes[0].definition)
    assert "Such as: Block 3 is behind the screen" in said


def test_guids_are_all_different_and_last_over_versions(book: Codebook) -> None:
    def guids(data: bytes) -> list[str]:
        root = ET.fromstring(data)  # noqa: S314 - our own bytes
        own = [one for one in root.iter() if one.tag != f"{Q}MemberCode"]
        return [one.attrib["guid"] for one in own if "guid" in one.attrib]

    before = guids(to_qdc(book))
    assert len(set(before)) == len(before) == 15
    assert guids(to_qdc(replace(book, version=7, intro="changed"))) == before


def test_a_sign_that_xml_has_not_is_told(book: Codebook) -> None:
    with pytest.raises(CodingError, match="XML cannot carry"):
        to_qdc(replace(book, intro="\uffff"))


# Files of other tools ---------------------------------------------------------------

G = "0b3c5a0e-1111-4222-8333-44445555666{}"


def theirs(codes: str, space: str = SPACE, origin: str = "Another tool 3") -> bytes:
    return (
        f'<?xml version="1.0" encoding="utf-8"?><CodeBook xmlns="{space}" '
        f'origin="{origin}"><Codes>{codes}</Codes></CodeBook>'
    ).encode()


def code(n: int, name: str, inside: str = "", *, codable: str = "true") -> str:
    given = f'guid="{G.format(n)}" name="{name}" isCodable="{codable}"'
    return f"<Code {given}>{inside}</Code>"


GROUPED = code(
    0,
    "Barriers &amp; more",
    "<Description>What gets in the way</Description>"
    + code(1, "Time", "<Description>No time</Description>")
    + code(2, "Cost", code(3, "Travel")),
    codable="false",
)


def test_a_group_of_another_tool_becomes_a_choice() -> None:
    made = from_qdc(theirs(GROUPED))
    (field,) = made.fields
    assert (field.name, field.label) == ("barriers-more", "Barriers & more")
    assert field.kind == "one_of"
    assert field.question == "What gets in the way"
    assert field.code_names() == ("Time", "Cost", "Cost / Travel")
    assert field.codes[0].definition == "No time"
    assert "Another tool 3" in made.title


def test_loose_codes_become_one_choice_and_a_lone_one_a_question() -> None:
    loose = code(1, "A") + code(2, "B")
    (field,) = from_qdc(theirs(loose)).fields
    assert (field.label, field.code_names()) == ("Codes", ("A", "B"))
    grouped, lone = from_qdc(theirs(GROUPED + code(7, "Hope"))).fields
    assert grouped.label == "Barriers & more"
    assert (lone.name, lone.kind) == ("hope", "yes_no")


def test_colours_are_written_out_and_equal_names_numbered() -> None:
    colored = code(1, "Same").replace("isCodable", 'color="#AbC" isCodable')
    (field,) = from_qdc(theirs(colored + code(2, "Same"))).fields
    assert field.codes[0].color == "#aabbcc"
    assert field.code_names() == ("Same", "Same-2")
    assert [one.label for one in field.codes] == ["Same", "Same"]


def test_a_name_that_a_sheet_has_is_not_taken_for_a_field() -> None:
    item = code(0, "Item", code(1, "A") + code(2, "B"), codable="false")
    assert from_qdc(theirs(item)).fields[0].name == "item-code"


def test_the_colon_that_some_tools_write_is_understood() -> None:
    space = "urn:QDA-XML:codebook:1:0"
    assert len(from_qdc(theirs(code(1, "A") + code(2, "B"), space)).fields) == 1


def test_our_file_after_another_tool_took_the_lines_out(book: Codebook) -> None:
    text = to_qdc(book).decode()
    while MARK in text:
        head, _, rest = text.partition(f"\n{MARK}")
        text = head + rest[rest.index("</Description>") :]
    made = from_qdc(text.encode())
    assert made.fields[0].label == "Reading of the request"
    assert [c.label for c in made.fields[0].codes] == [
        c.label for c in book.fields[0].codes
    ]


BOMB = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">
<!ENTITY lol2 "&lol;&lol;&lol;&lol;">]><CodeBook>&lol2;</CodeBook>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://example.invalid/a.dtd">
<CodeBook/>"""
FILE = b"""<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><CodeBook>&x;</CodeBook>"""


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "not XML"),
        (b"<CodeBook>", "not XML"),
        (b"\x00\x01", "not XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "not XML"),
        (BOMB, "document type"),
        (OUTSIDE, "document type"),
        (FILE, "document type"),
        (b"<CodeBook>&undefined;</CodeBook>", "not XML"),
        (b"<CodeBook/>", "no REFI-QDA codebook"),
        (theirs("", "urn:QDA-XML:project:1.0"), "no REFI-QDA codebook"),
        (theirs(""), "at least one field"),
        (theirs('<Code name="A" isCodable="true"/>'), "GUID"),
        (theirs(code(1, " ")), "needs a name"),
        (theirs(code(1, "A", codable="perhaps")), "true or false"),
        (theirs(code(1, "A").replace("name", 'color="red" name')), "colour"),
        (theirs("".join(code(n % 10, f"C{n}") for n in range(60))), "more than 50"),
        (theirs("<x/>" * 6000), "5000 elements"),
        (theirs("<x>" * 40 + "</x>" * 40), "nested deeper"),
        (b"<a>" * 200_000, "nested deeper"),
        (b" " * (codebook.MAX_BYTES + 1), "larger than"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_reason(data: bytes, what: str) -> None:
    with pytest.raises(CodingError) as caught:
        from_qdc(data, "in.qdc")
    assert what in str(caught.value)
    assert caught.value.where.startswith("in.qdc")


def test_a_version_that_is_no_number_is_refused(book: Codebook) -> None:
    wrong = to_qdc(book).replace(b"Version: 1", b"Version: \xd9\xa1")
    with pytest.raises(CodingError, match="must be from 1"):
        from_qdc(wrong)


def test_markup_in_a_name_stays_text() -> None:
    field = Field("f", "<b>&amp;", "one_of", "]]>", codes=(
        Code("a", "'\"<!--"), Code("b", "&#10;")
    ))  # fmt: skip
    made = Codebook("x", 1, "</Set>", "<?pi?>", (field,))
    assert from_qdc(to_qdc(made)) == made
