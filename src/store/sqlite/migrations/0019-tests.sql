-- Runs of drafts, to try them out: each keeps the document that it began with, which is no version, for as long as the run.
-- A test is marked with 1; of all others SQLite stores nothing for the column but that it is null.
ALTER TABLE runs ADD COLUMN is_test INTEGER;

CREATE TABLE test_documents (
  run_seq  INTEGER PRIMARY KEY,
  document TEXT NOT NULL
) STRICT;
