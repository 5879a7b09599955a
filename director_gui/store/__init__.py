"""One SQLite file per study."""
