-- Expand. Steps that held the thread until the process was ended, as the thread beside it noted.
CREATE TABLE millrace.hung_steps (
  run_seq bigint NOT NULL,
  node    text NOT NULL,
  hung_at bigint NOT NULL
);

CREATE INDEX hung_steps_by_run ON millrace.hung_steps (run_seq);
