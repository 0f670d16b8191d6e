-- Contexts that are made while the service runs. A flow names its context by path, so the path is stored and not a
-- parent: contexts are few and are read once, at the start.
CREATE TABLE contexts (
  id         TEXT PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  settings   TEXT NOT NULL,
  variables  TEXT NOT NULL
) STRICT;
