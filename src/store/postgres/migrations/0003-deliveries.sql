-- Expand. Deliveries that have started a run, by what their senders call them: one that comes again starts nothing,
-- whichever process it comes to. Kept apart from the runs, which retention may delete sooner.
CREATE TABLE millrace.deliveries (
  key         text COLLATE "C" PRIMARY KEY,
  run_id      text NOT NULL,
  body        text,
  accepted_at bigint NOT NULL
);

CREATE INDEX deliveries_by_time ON millrace.deliveries (accepted_at);
