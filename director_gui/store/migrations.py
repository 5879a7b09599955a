"""The study file's schema, as an append-only list of steps.

A step that was ever released is never edited: a change is a new step at the end. The
number of steps taken is SQLite's ``user_version``; the file says what it is by its
``application_id``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x44495247  # "DIRG"

_FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE scenes (
  hash TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, json BLOB NOT NULL
) STRICT;
CREATE TABLE images (
  sha256 TEXT PRIMARY KEY, pixels_sha256 TEXT NOT NULL, renderer TEXT NOT NULL,
  view TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  png BLOB NOT NULL
) STRICT;
CREATE TABLE stimuli (
  id INTEGER PRIMARY KEY, scene TEXT NOT NULL REFERENCES scenes(hash),
  view TEXT NOT NULL, image TEXT NOT NULL REFERENCES images(sha256),
  UNIQUE (scene, view, image)
) STRICT;
CREATE TABLE conditions (
  hash TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL,
  pieces TEXT NOT NULL
) STRICT;
CREATE TABLE runs (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('probe', 'plan')),
  label TEXT NOT NULL, created TEXT NOT NULL, practice INTEGER NOT NULL,
  settings TEXT NOT NULL
) STRICT;
CREATE TABLE prompts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE calls (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs(id),
  position INTEGER NOT NULL, batch TEXT NOT NULL, condition TEXT NOT NULL,
  condition_hash TEXT NOT NULL REFERENCES conditions(hash),
  scene TEXT NOT NULL REFERENCES scenes(hash),
  image TEXT NOT NULL REFERENCES images(sha256), profile TEXT NOT NULL,
  model TEXT NOT NULL, settings TEXT NOT NULL, sample INTEGER NOT NULL,
  turns TEXT NOT NULL, UNIQUE (run, position)
) STRICT;
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES calls(id),
  turn INTEGER NOT NULL, turns INTEGER NOT NULL, number INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('reply', 'retry', 'failed')),
  terminal INTEGER NOT NULL, started TEXT NOT NULL, latency REAL NOT NULL,
  request_hash TEXT NOT NULL, http_status INTEGER, finish_reason TEXT,
  model_returned TEXT, request_id TEXT, fingerprint TEXT, input_tokens INTEGER,
  output_tokens INTEGER, reasoning_tokens INTEGER, cached_tokens INTEGER, cost REAL,
  sdk TEXT NOT NULL, error_kind TEXT NOT NULL, error_message TEXT NOT NULL,
  text TEXT NOT NULL, reasoning TEXT, body BLOB,
  UNIQUE (call, turn, number)
) STRICT;
CREATE UNIQUE INDEX one_terminal ON attempts(call) WHERE terminal = 1;
CREATE TRIGGER attempts_stay BEFORE UPDATE ON attempts
  BEGIN SELECT RAISE(ABORT, 'attempts are never changed'); END;
CREATE TRIGGER attempts_kept BEFORE DELETE ON attempts
  BEGIN SELECT RAISE(ABORT, 'attempts are never deleted'); END;
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES calls(id),
  created TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL,
  score TEXT NOT NULL
) STRICT;
CREATE TABLE packets (
  id TEXT PRIMARY KEY, created TEXT NOT NULL, form TEXT NOT NULL,
  commitment TEXT NOT NULL, salt BLOB NOT NULL, key TEXT NOT NULL
) STRICT;
CREATE TABLE packet_results (
  packet TEXT NOT NULL REFERENCES packets(id), alias TEXT NOT NULL,
  stored TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (packet, alias)
) STRICT;
CREATE TABLE log (
  id INTEGER PRIMARY KEY, time TEXT NOT NULL, actor TEXT NOT NULL,
  action TEXT NOT NULL, detail TEXT NOT NULL
) STRICT;
CREATE TRIGGER log_stays BEFORE UPDATE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
CREATE TRIGGER log_kept BEFORE DELETE ON log
  BEGIN SELECT RAISE(ABORT, 'the log is never shortened'); END;
"""

# A coder's results are checked against the very packet that was given out.
_PACKET_FILES = "ALTER TABLE packets ADD COLUMN file BLOB NOT NULL DEFAULT x'';"

_SETS = """
CREATE TABLE sets (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL,
  program TEXT NOT NULL, family TEXT NOT NULL, count INTEGER NOT NULL,
  seed INTEGER NOT NULL, original TEXT REFERENCES sets(id)
) STRICT;
CREATE TABLE set_scenes (
  "set" TEXT NOT NULL REFERENCES sets(id), position INTEGER NOT NULL,
  scene TEXT NOT NULL REFERENCES scenes(hash),
  original TEXT REFERENCES scenes(hash), candidate INTEGER NOT NULL,
  rejected TEXT NOT NULL, facts TEXT NOT NULL, PRIMARY KEY ("set", position)
) STRICT;
"""

_OWN_PROMPTS = """
CREATE TABLE own_pieces (
  position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, slot TEXT NOT NULL,
  key TEXT, text TEXT NOT NULL, origin TEXT NOT NULL
) STRICT;
CREATE TABLE own_conditions (
  position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, action TEXT NOT NULL,
  turns INTEGER NOT NULL, pieces TEXT NOT NULL, origin TEXT NOT NULL
) STRICT;
CREATE TABLE own_pairs (
  position INTEGER PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL,
  family TEXT NOT NULL, UNIQUE (first, second)
) STRICT;
"""

_GALLERY = """
CREATE TABLE own_families (
  name TEXT PRIMARY KEY, text TEXT NOT NULL, saved TEXT NOT NULL
) STRICT;
CREATE TABLE scene_marks (
  id INTEGER PRIMARY KEY, "set" TEXT NOT NULL REFERENCES sets(id),
  scene TEXT NOT NULL REFERENCES scenes(hash),
  kind TEXT NOT NULL CHECK (kind IN ('pin', 'drop', 'none')),
  reason TEXT NOT NULL, actor TEXT NOT NULL, created TEXT NOT NULL
) STRICT;
"""

_SENDINGS = """
CREATE TABLE sendings (
  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES calls(id),
  started TEXT NOT NULL, worst REAL, answered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sendings_of_call ON sendings(call);
CREATE TABLE batch_jobs (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs(id), profile TEXT NOT NULL,
  created TEXT NOT NULL, file TEXT, batch TEXT,
  state TEXT NOT NULL CHECK (state IN ('made', 'sent', 'collected', 'dropped'))
) STRICT;
CREATE TABLE batch_calls (
  job TEXT NOT NULL REFERENCES batch_jobs(id), call TEXT NOT NULL REFERENCES calls(id),
  turn INTEGER NOT NULL, turns INTEGER NOT NULL, number INTEGER NOT NULL,
  request_hash TEXT NOT NULL, worst REAL, PRIMARY KEY (job, call)
) STRICT;
"""

# Whether a run has used a condition is asked at each edit of a prompt.
_CALL_CONDITIONS = "CREATE INDEX calls_by_condition ON calls (condition_hash);"

# By hash: two files may call different codebooks by one name and version.
_CODEBOOKS = """
CREATE TABLE codebooks (
  hash TEXT PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL,
  saved TEXT NOT NULL, data BLOB NOT NULL
) STRICT;
"""

# An automatic coder's calls show no scene and no picture, and must never be counted
# with the replies that it codes: the same columns, in tables of their own.
_AUTO_PASSES = """
CREATE TABLE auto_passes (
  id TEXT PRIMARY KEY, packet TEXT NOT NULL REFERENCES packets(id),
  alias TEXT NOT NULL, created TEXT NOT NULL, practice INTEGER NOT NULL,
  settings TEXT NOT NULL, UNIQUE (packet, alias)
) STRICT;
CREATE TABLE auto_calls (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES auto_passes(id),
  position INTEGER NOT NULL, batch TEXT NOT NULL, condition TEXT NOT NULL,
  condition_hash TEXT NOT NULL, scene TEXT NOT NULL, image TEXT NOT NULL,
  profile TEXT NOT NULL, model TEXT NOT NULL, settings TEXT NOT NULL,
  sample INTEGER NOT NULL, turns TEXT NOT NULL, UNIQUE (run, position)
) STRICT;
CREATE TABLE auto_attempts (
  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES auto_calls(id),
  turn INTEGER NOT NULL, turns INTEGER NOT NULL, number INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('reply', 'retry', 'failed')),
  terminal INTEGER NOT NULL, started TEXT NOT NULL, latency REAL NOT NULL,
  request_hash TEXT NOT NULL, http_status INTEGER, finish_reason TEXT,
  model_returned TEXT, request_id TEXT, fingerprint TEXT, input_tokens INTEGER,
  output_tokens INTEGER, reasoning_tokens INTEGER, cached_tokens INTEGER, cost REAL,
  sdk TEXT NOT NULL, error_kind TEXT NOT NULL, error_message TEXT NOT NULL,
  text TEXT NOT NULL, reasoning TEXT, body BLOB,
  UNIQUE (call, turn, number)
) STRICT;
CREATE UNIQUE INDEX one_auto_terminal ON auto_attempts(call) WHERE terminal = 1;
CREATE TRIGGER auto_attempts_stay BEFORE UPDATE ON auto_attempts
  BEGIN SELECT RAISE(ABORT, 'attempts are never changed'); END;
CREATE TRIGGER auto_attempts_kept BEFORE DELETE ON auto_attempts
  BEGIN SELECT RAISE(ABORT, 'attempts are never deleted'); END;
CREATE TABLE auto_sendings (
  id INTEGER PRIMARY KEY, call TEXT NOT NULL REFERENCES auto_calls(id),
  started TEXT NOT NULL, worst REAL, answered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX auto_sendings_of_call ON auto_sendings(call);
"""

# What is derived points at nothing with a foreign key, so that it can never stand in
# the way of what it is derived from.
COUNT_TABLES = """
CREATE TABLE counted_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE,
  basis TEXT NOT NULL, until INTEGER NOT NULL, calls INTEGER NOT NULL
) STRICT;
CREATE INDEX counted_until ON counted_runs(until);
CREATE TABLE cells (
  id INTEGER PRIMARY KEY AUTOINCREMENT, counted INTEGER NOT NULL,
  profile TEXT NOT NULL, batch TEXT NOT NULL, condition TEXT NOT NULL,
  condition_hash TEXT NOT NULL, scene TEXT NOT NULL, calls INTEGER NOT NULL
) STRICT;
CREATE INDEX cells_of_run ON cells(counted);
CREATE TABLE cell_counts (
  cell INTEGER NOT NULL, outcome INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (cell, outcome)
) STRICT, WITHOUT ROWID;
"""

# Attempts are only ever added, each with a higher id than all before. Where that is
# not so, as after INSERT OR REPLACE by another program, counts are forgotten.
_COUNT_TRIGGERS = """
CREATE TRIGGER counts_of_replaced BEFORE INSERT ON attempts
  WHEN EXISTS (SELECT 1 FROM attempts WHERE call = NEW.call AND terminal = 1)
  BEGIN DELETE FROM counted_runs
    WHERE run = (SELECT run FROM calls WHERE id = NEW.call); END;
CREATE TRIGGER counts_of_late AFTER INSERT ON attempts
  WHEN NEW.id <= (SELECT max(until) FROM counted_runs)
  BEGIN DELETE FROM counted_runs; END;
"""

_TRUTHS = """
CREATE TABLE truths (
  scene TEXT PRIMARY KEY, version TEXT NOT NULL, truth TEXT NOT NULL
) STRICT;
"""

# Apart from `prompts`, which a supplement holds whole: these are texts of packets that
# may still be sealed, known-code items among them.
_AUTO_TEXTS = """
CREATE TABLE auto_texts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
"""

MIGRATIONS: tuple[str, ...] = (
    _FIRST,
    _PACKET_FILES,
    _SETS,
    _OWN_PROMPTS,
    _GALLERY,
    _SENDINGS,
    _CALL_CONDITIONS,
    _CODEBOOKS,
    _AUTO_PASSES,
    COUNT_TABLES + _COUNT_TRIGGERS + _TRUTHS,
    _AUTO_TEXTS,
)


def migrate(db: "Database", steps: tuple[str, ...] = MIGRATIONS) -> int:
    """Take the steps that `db` lacks, all of them or none; return how many.

    The connection must be in autocommit mode (``isolation_level=None``).
    """
    (done,) = db.execute("PRAGMA user_version").fetchone()
    todo = steps[done:]
    if not todo:
        return 0
    # executescript would commit before it starts; this keeps all of it in one.
    script = "".join(("BEGIN IMMEDIATE;", *todo, _stamp(len(steps)), "COMMIT;"))
    try:
        db.conn.executescript(script)
    except BaseException:
        if db.conn.in_transaction:
            db.conn.execute("ROLLBACK")
        raise
    return len(todo)


def _stamp(version: int) -> str:
    return f"PRAGMA application_id = {APPLICATION_ID};PRAGMA user_version = {version};"
