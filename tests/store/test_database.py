import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store import database
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.faults import StorageFullError
from director_gui.store.migrations import APPLICATION_ID, MIGRATIONS, migrate


def test_a_new_study_is_durable_and_knows_its_name(path: Path) -> None:
    with create_study(path, "Ein Name") as study:
        pragma = {
            name: study.db().execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
        assert pragma == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with open_study(path) as study:
        assert study.meta("name") == "Ein Name"
        assert study.meta("program")
        assert study.meta("nothing") is None
        study.set_meta("name", "another")
        assert study.meta("name") == "another"


@pytest.mark.parametrize("sides", [(), ("-wal",), ("-wal", "-shm")])
def test_a_copy_of_an_open_study_is_readable(
    path: Path, tmp_path: Path, sides: tuple[str, ...]
) -> None:
    copy = tmp_path / "copy.study"
    with create_study(path, "first") as study:
        study.set_meta("name", "second")
        for side in ("", *sides):
            shutil.copy(f"{path}{side}", f"{copy}{side}")
    for read_only in (True, False):
        with open_study(copy, read_only=read_only) as study:
            assert study.meta("name") == ("second" if sides else "first")


def test_making_a_study_refuses_a_taken_path_and_a_missing_folder(path: Path) -> None:
    create_study(path, "x").close()
    with pytest.raises(UserError, match="taken"):
        create_study(path, "x")
    with pytest.raises(UserError, match="folder does not exist"):
        create_study(path.parent / "no" / "x.study", "x")


def refused(path: Path, word: str, **options: bool) -> None:
    with pytest.raises(UserError, match=word) as caught:
        open_study(path, **options)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04" * 1000])
def test_another_file_is_no_study(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "not a study")
    assert path.read_bytes() == content


def test_another_programs_database_is_no_study_and_stays_as_it_is(path: Path) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE theirs (a)")
    conn.close()
    before = path.read_bytes()
    refused(path, "not a study", read_only=True)
    refused(path, "not a study")
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_folder_and_a_missing_file_are_told(path: Path) -> None:
    refused(path, "no such study")
    path.mkdir()
    refused(path, "folder")


def test_a_newer_study_is_refused_clearly(path: Path) -> None:
    with create_study(path, "x") as study:
        study.db().execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    refused(path, "newer version")


def test_a_damaged_study_is_told(path: Path) -> None:
    with create_study(path, "x") as study, study.write() as db:
        rows = ({"key": f"k{n}", "value": "v" * 500} for n in range(500))
        db.table("meta").insert_all(rows)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20_000] = b"\xff" * 20_000
    path.write_bytes(data)
    refused(path, "damaged")


def test_a_cut_study_is_told(path: Path) -> None:
    create_study(path, "x").close()
    path.write_bytes(path.read_bytes()[:9000])
    refused(path, "damaged")


def test_a_write_is_all_or_nothing_and_joins_an_outer_one(path: Path) -> None:
    def both(study: Study) -> None:
        with study.write() as db:
            study.set_meta("a", "1")
            db.execute("INSERT INTO meta VALUES ('a', 'again')")

    with create_study(path, "x") as study:
        with pytest.raises(sqlite3.IntegrityError):
            both(study)
        assert study.meta("a") is None
        study.set_meta("a", "2")
        assert study.meta("a") == "2"


def test_a_full_disk_is_told_and_harms_nothing(path: Path) -> None:
    with create_study(path, "x") as study:
        pages = study.db().execute("PRAGMA page_count").fetchone()[0]
        study.db().execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFullError, match="disk is full"):
            study.set_meta("big", "x" * 1_000_000)
        assert study.meta("name") == "x"
        study.db().execute("PRAGMA max_page_count = 100000")
        study.set_meta("big", "fits")


@pytest.mark.skipif(os.name == "nt", reason="Windows holds on to an open file")
def test_a_study_that_is_gone_is_written_no_more(path: Path) -> None:
    away = path.with_name("away")
    told: list[str] = []

    def write(study: Study) -> None:
        try:
            study.set_meta("name", "lost")
        except UserError as error:
            told.append(str(error))

    with create_study(path, "x") as study:
        path.rename(away)
        write(study)
        # Nor does a thread of its own make an empty file in its place.
        thread = threading.Thread(target=write, args=(study,))
        thread.start()
        thread.join()
        assert not path.exists()
        shutil.copy(away, path)
        write(study)
        assert len(told) == 3
        assert all("moved, deleted or replaced" in words for words in told)
        path.unlink()
        away.rename(path)
        study.set_meta("name", "back")
    with open_study(path) as study:
        assert study.meta("name") == "back"


def test_each_thread_has_its_own_connection(path: Path) -> None:
    with create_study(path, "x") as study:
        found: list[object] = []
        threads = [
            threading.Thread(target=lambda: found.append(study.db())) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
            thread.join()
        assert len({id(db) for db in [*found, study.db()]}) == 4
        assert study.db() is study.db()


def test_writers_in_many_threads_wait_for_each_other(path: Path) -> None:
    def add(study: Study, name: int) -> None:
        for number in range(20):
            study.set_meta(f"{name}-{number}", "x")

    with create_study(path, "x") as study:
        threads = [threading.Thread(target=add, args=(study, n)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        count = study.query("SELECT count(*) AS n FROM meta")[0]["n"]
        assert count == 3 + 80


def test_a_block_that_reads_first_keeps_its_right_to_write(path: Path) -> None:
    with create_study(path, "x") as study:
        other = threading.Thread(target=lambda: study.set_meta("other", "1"))
        with study.write():
            assert study.meta("other") is None
            other.start()
            other.join(0.2)
            study.set_meta("ours", "1")  # fails if the other went in between
        other.join()
        assert (study.meta("ours"), study.meta("other")) == ("1", "1")


def test_a_closed_study_says_so(path: Path) -> None:
    study = create_study(path, "x")
    study.close()
    study.close()
    with pytest.raises(UserError, match="closed"):
        study.meta("name")


OTHER = """
import sys
from pathlib import Path
from director_gui.errors import UserError
from director_gui.store.database import open_study
path = Path(sys.argv[1])
try:
    open_study(path)
except UserError as error:
    print(error)
with open_study(path, read_only=True) as study:
    print(study.meta("name"))
    try:
        study.set_meta("name", "stolen")
    except UserError as error:
        print(error)
"""


def test_a_second_process_is_told_and_can_read(path: Path) -> None:
    with create_study(path, "mine") as study:
        study.set_meta("name", "newest")
        done = subprocess.run(
            [sys.executable, "-c", OTHER, str(path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        told, name, refusal = done.stdout.splitlines()
        assert f"already open in process {os.getpid()}" in told
        assert "open it read-only" in told
        assert name == "newest"
        assert "read-only" in refusal
        assert study.meta("name") == "newest"


def test_a_reader_sees_what_is_written_meanwhile(path: Path) -> None:
    with create_study(path, "x") as study, open_study(path, read_only=True) as reader:
        study.set_meta("name", "later")
        assert reader.meta("name") == "later"


def test_the_lock_is_free_again_after_closing(path: Path) -> None:
    create_study(path, "x").close()
    open_study(path).close()
    open_study(path).close()


@pytest.mark.skipif(os.name == "nt", reason="rights work otherwise there")
def test_a_folder_that_cannot_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_study(path, "x").close()
    path.with_name(path.name + ".lock").unlink()
    if os.geteuid() == 0:  # root may write anywhere: let the system say no
        real = Path.open

        def no_lock(self: Path, mode: str = "r", **more: object) -> object:
            if self.suffix == ".lock":
                raise PermissionError(13, "Permission denied")
            return real(self, mode, **more)

        monkeypatch.setattr(Path, "open", no_lock)
    else:
        path.parent.chmod(0o555)
    try:
        refused(path, "cannot be written")
        with open_study(path, read_only=True) as study:
            assert study.meta("name") == "x"
    finally:
        path.parent.chmod(0o755)


def test_an_older_study_is_brought_up_to_date_all_or_nothing(path: Path) -> None:
    create_study(path, "x").close()
    good = (*MIGRATIONS, "ALTER TABLE meta ADD COLUMN note TEXT;")
    bad = (*good, "CREATE TABLE half (a); SELECT nonsense FROM nowhere;")
    with open_study(path) as study:
        with pytest.raises(sqlite3.OperationalError):
            migrate(study.db(), bad)
        assert study.query("SELECT * FROM meta LIMIT 1")[0].keys() == {"key", "value"}
        assert study.query("PRAGMA user_version")[0]["user_version"] == len(MIGRATIONS)
        assert migrate(study.db(), good) == 1
        assert migrate(study.db(), good) == 0
        assert study.query("SELECT note FROM meta LIMIT 1") == [{"note": None}]
        assert (
            study.query("PRAGMA application_id")[0]["application_id"] == APPLICATION_ID
        )


def test_reading_an_older_study_asks_to_open_it_for_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_study(path, "x").close()
    monkeypatch.setattr("director_gui.store.database.MIGRATIONS", (*MIGRATIONS, ""))
    refused(path, "older version", read_only=True)


def test_importing_the_store_stays_light() -> None:
    code = (
        "import sys, director_gui.store.session, director_gui.store.frames\n"
        "print([m for m in ('pandas', 'openai', 'sqlite_utils', 'PySide6', 'numpy',"
        " 'httpx2', 'keyring') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_study_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.study"

    def killed(_db: object) -> None:
        assert not path.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(database, "migrate", killed)
    with pytest.raises(KeyboardInterrupt):
        create_study(path, "a")
    assert not path.exists()
    monkeypatch.undo()
    # What a kill left beside it is no trouble, whatever it is.
    for ending in ("", "-wal", "-journal"):
        path.with_name(f"a.study.new{ending}").write_bytes(b"half a page")
    with create_study(path, "a") as study:
        assert study.meta("name") == "a"
        # Its lock, and the log that an open study has, are all that stands beside it.
        assert not list(tmp_path.glob("*.new*"))
    with open_study(path) as again:
        assert again.meta("name") == "a"
