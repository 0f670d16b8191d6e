-- Long values that the steps of a run put out, in pieces, each written by itself. Steps, journal and messages refer to
-- them, so each is kept once.
CREATE TABLE long_values (
  run_seq INTEGER NOT NULL,
  name    TEXT NOT NULL,
  piece   INTEGER NOT NULL,
  bytes   BLOB NOT NULL,
  UNIQUE (run_seq, name, piece)
) STRICT;

ALTER TABLE messages ADD COLUMN long TEXT;
