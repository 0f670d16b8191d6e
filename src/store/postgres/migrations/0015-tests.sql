-- Expand. Runs of drafts, to try them out: each keeps the document that it began with, which is no version, for as long as
-- the run. A test is marked with 1; of all others the column is null.
ALTER TABLE millrace.runs ADD COLUMN is_test integer;

CREATE TABLE millrace.test_documents (
  run_seq  bigint PRIMARY KEY,
  document text NOT NULL
);
