-- Steps that held the thread until the process was ended, as the thread beside it noted.
CREATE TABLE hung_steps (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  hung_at INTEGER NOT NULL
) STRICT;

CREATE INDEX hung_steps_by_run ON hung_steps (run_seq);
