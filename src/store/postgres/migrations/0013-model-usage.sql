-- Expand. Tokens that ended runs used of language models. A run that asked none has no row, and pays nothing.
CREATE TABLE millrace.model_usage (
  run_seq       bigint NOT NULL,
  model         text COLLATE "C" NOT NULL,
  input_tokens  bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (run_seq, model)
);
