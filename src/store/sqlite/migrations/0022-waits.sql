-- What steps of runs wait for, one row per run and node. `id` is null where a call came before its run has come to wait for
-- it. `entry_no`: the journal entry that woke it; `entry` holds that text where the journal has been begun anew since.
CREATE TABLE waits (
  no         INTEGER PRIMARY KEY,
  run_seq    INTEGER NOT NULL,
  node       TEXT NOT NULL,
  flow       INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  state      TEXT NOT NULL,
  id         TEXT,
  created_at INTEGER,
  expires_at INTEGER,
  ended_at   INTEGER,
  entry_no   INTEGER,
  question   TEXT,
  answer     TEXT,
  entry      TEXT,
  UNIQUE (run_seq, node)
) STRICT;

CREATE UNIQUE INDEX waits_by_id ON waits (id) WHERE id IS NOT NULL;
-- For lists, newest first: of all flows, and of some.
CREATE INDEX waits_by_state ON waits (kind, state, created_at, id) WHERE id IS NOT NULL;
CREATE INDEX waits_by_flow ON waits (kind, state, flow, created_at, id) WHERE id IS NOT NULL;

-- 1 where a parked run has a step that waits, and does not only pause between two attempts.
ALTER TABLE queue ADD COLUMN is_waiting INTEGER;
CREATE INDEX queue_waiting ON queue (seq) WHERE is_waiting = 1;
