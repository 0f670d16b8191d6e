-- Links that sign somebody in to the page once, by the hash of their token; and the secret that sessions are signed
-- with, which is a table of one row so that of two proposals exactly one is kept.
CREATE TABLE sign_in_links (
  hash       TEXT PRIMARY KEY,
  key_id     TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session_secret (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret   TEXT NOT NULL
) STRICT;
