-- Expand. Processes that perform runs, and when each was last heard: what it holds lives as long as it does.
CREATE TABLE millrace.holders (
  process_id text PRIMARY KEY,
  beat_at    timestamptz NOT NULL
);
