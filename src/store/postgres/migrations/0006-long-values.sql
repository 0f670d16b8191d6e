-- Expand. Long values that the steps of a run put out, in pieces, each written by itself. Steps, journal and messages
-- refer to them, so each is kept once.
CREATE TABLE millrace.long_values (
  run_seq bigint NOT NULL,
  name    text COLLATE "C" NOT NULL,
  piece   integer NOT NULL,
  bytes   bytea NOT NULL,
  PRIMARY KEY (run_seq, name, piece)
);

ALTER TABLE millrace.messages ADD COLUMN long text;
