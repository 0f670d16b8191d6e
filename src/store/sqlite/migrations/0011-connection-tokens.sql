-- What providers gave to connections that sign in by OAuth, sealed; and which process is getting it anew.
CREATE TABLE connection_tokens (
  connection_id TEXT PRIMARY KEY,
  tokens        TEXT NOT NULL,
  holder        TEXT,
  held_until    INTEGER NOT NULL,
  revision      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
