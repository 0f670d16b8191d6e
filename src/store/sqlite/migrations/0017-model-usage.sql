-- Tokens that ended runs used of language models. A run that asked none has no row, and pays nothing.
CREATE TABLE model_usage (
  run_seq       INTEGER NOT NULL,
  model         TEXT NOT NULL,
  input_tokens  INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (run_seq, model)
) STRICT, WITHOUT ROWID;
