-- What flows keep for later runs, by context and key.
CREATE TABLE kept_values (
  context    TEXT NOT NULL,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (context, key)
) STRICT;

CREATE INDEX kept_values_by_expiry ON kept_values (expires_at) WHERE expires_at IS NOT NULL;

-- Which changes steps have made, so that a step that is tried again makes none of them twice. They go with their run.
CREATE TABLE kept_changes (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  change  TEXT NOT NULL,
  result  TEXT,
  PRIMARY KEY (run_seq, node, change)
) STRICT, WITHOUT ROWID;
