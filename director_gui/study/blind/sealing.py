"""Seal a packet and give it out.

The order is what makes the commitment worth something: key and commitment are in the
study and its log before a file exists that a coder could see.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from coding.canonical import sha256_hex
from coding.codebook import Codebook, read_file
from coding.packet import SUFFIX, Entry, Sealed, seal
from coding.randomness import RandomBytes, system
from director_gui import assets
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.packets import add_packet
from director_gui.study.blind.itemtext import ItemText, storable
from director_gui.study.blind.keys import Opened, mended, opened
from director_gui.study.blind.overview import remember_folder
from director_gui.study.blind.passes import kin, unblinding_of
from director_gui.study.blind.preparing import Prepared
from director_gui.study.blind.scanner import Decision, Finding, resolved

SEALED, RELEASED = "packet sealed", "packet released"
DEFAULT_CODEBOOK = "codebooks/reading.toml"


class UnresolvedHitsError(UserError):
    """Hits of the scanner are not resolved, so the packet is not sealed."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        listed = "; ".join(f"{f.name} ({len(f.hits)}×)" for f in self.findings[:8])
        more = len(self.findings) - 8
        super().__init__(
            "the texts hold what could tell a coder too much",
            where=f"{listed} and {more} more" if more > 0 else listed,
            todo="Look at each and keep it, cut it, or leave the item out",
        )


def default_codebook() -> Codebook:
    """Return the codebook that ships with the program."""
    with mended():
        return read_file(assets.path(DEFAULT_CODEBOOK))


def seal_packet(
    study: Study,
    prepared: Prepared,
    book: Codebook,
    actor: str,
    *,
    decisions: Mapping[str, Decision] | None = None,
    random_bytes: RandomBytes = system,
) -> Opened:
    """Keep a new packet with its key, and log its commitment; no file is made yet.

    Args:
        study: The study.
        prepared: What to seal.
        book: The codebook to freeze into it.
        actor: Who seals it.
        decisions: `Finding.name` to what a person decided about it.
        random_bytes: The system's source, or a seeded one in a test.

    Raises:
        UnresolvedHitsError: A finding has no decision.
        UserError: Nothing is left, a text cannot be carried, the study is read-only.
    """
    decided = decisions or {}
    # Nothing is decided by silence: each finding needs a person's word.
    unresolved = [f for f in prepared.findings if f.name not in decided]
    if unresolved:
        raise UnresolvedHitsError(unresolved)
    texts = resolved(prepared.items, prepared.findings, decided)
    with mended():
        sealed = seal(
            _entries(prepared, texts),
            book,
            random_bytes,
            _about(study, prepared, decided),
        )
    _keep(study, sealed, prepared, actor)
    return opened(study, sealed.packet.id)


def make_folder(folder: Path) -> None:
    """Make the folder for a packet's file, before it is sealed for nothing.

    Raises:
        UserError: There can be no such folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"the packet's folder cannot be made ({error.strerror})",
            where=str(folder),
            todo="Choose another folder",
        ) from error


def release(study: Study, packet_id: str, folder: Path, actor: str) -> Path:
    """Write the packet's file into `folder` under its random name; return the path.

    A crash leaves no file or the whole file. Releasing again writes the same bytes.

    Raises:
        UserError: The study does not hold the packet, or the folder cannot be written.
    """
    found = opened(study, packet_id)
    path = folder / f"{found.stored.id}{SUFFIX}"
    _write(path, found.stored.file)
    add_entry(study, actor, RELEASED, {"packet": found.stored.id})
    remember_folder(study, found.stored.id, folder)
    return path


def _entries(prepared: Prepared, texts: list[ItemText | None]) -> list[Entry]:
    marks: list[Json] = [{} for _ in prepared.traces]
    marks += [{"repeat": True} for _ in prepared.repeats]
    marks += [{"codes": dict(item.codes)} for item in prepared.known]
    listed = zip(prepared.refs, texts, marks, strict=True)
    return [
        Entry(ref, item.text, {"cuts": [cut.value() for cut in item.cuts], **mark})
        for ref, item, mark in listed
        if item is not None
    ]


def _about(study: Study, prepared: Prepared, decisions: Mapping[str, Decision]) -> Json:
    # Nothing that labels move: the key's commitment stands in the packet.
    request = prepared.request
    # A coder of new ids is blind, but whoever hands the packet out is not any more.
    kept = kin(study, request.again) if request.again else ()
    late = any(unblinding_of(study, one.stored.id) for one in kept)
    return {
        "form": request.form,
        "after_unblinding": late,
        # A third pass belongs to the first one's family, whichever it was made from.
        "again": opened(study, request.again).first_pass if request.again else "",
        "practice": prepared.practice,
        "sampling": request.sampling.value(),
        "runs": list(request.wanted.runs),
        "models": list(request.wanted.models),
        "conditions": list(request.wanted.conditions),
        "resolved": {storable(f.name): decisions[f.name] for f in prepared.findings},
    }


def _keep(study: Study, sealed: Sealed, prepared: Prepared, actor: str) -> None:
    packet = sealed.packet
    # One transaction: no packet without its log entry, no entry without a packet.
    key = json.loads(sealed.key)
    with study.write():
        add_packet(
            study,
            packet.id,
            form=prepared.request.form,
            commitment=packet.commitment,
            salt=sealed.salt,
            key=key,
            file=sealed.data,
        )
        # Only what the packet says itself: a log is read by more people than a key.
        detail = {
            "packet": packet.id,
            "items": len(packet.items),
            "commitment": packet.commitment,
            "codebook": packet.codebook.hash,
            "file": sha256_hex(sealed.data),
        }
        add_entry(study, actor, SEALED, detail)


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".packet-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(draft).chmod(0o644)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UserError(
            f"the packet cannot be written ({error.strerror})",
            where=str(path.parent),
            todo="Choose another folder; the packet is kept in the study",
        ) from error
