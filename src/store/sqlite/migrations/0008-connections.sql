-- Addresses with what it takes to get in. The secrets are sealed before they come here.
CREATE TABLE connections (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  context    TEXT NOT NULL,
  settings   TEXT NOT NULL,
  secrets    TEXT NOT NULL,
  is_trusted INTEGER NOT NULL,
  revision   INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (context, name)
) STRICT, WITHOUT ROWID;
