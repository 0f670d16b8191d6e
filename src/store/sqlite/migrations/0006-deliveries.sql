-- Deliveries that have started a run, by what their senders call them: one that comes again starts nothing. Kept apart
-- from the runs, which retention may delete sooner.
CREATE TABLE deliveries (
  key         TEXT PRIMARY KEY,
  run_id      TEXT NOT NULL,
  body        TEXT,
  accepted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_by_time ON deliveries (accepted_at);
