-- Expand. What flows keep for later runs, by context and key.
CREATE TABLE millrace.kept_values (
  context    text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  value      text NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (context, key)
);

CREATE INDEX kept_values_by_expiry ON millrace.kept_values (expires_at) WHERE expires_at IS NOT NULL;

-- Which changes steps have made, so that a step that is tried again makes none of them twice. They go with their run.
CREATE TABLE millrace.kept_changes (
  run_seq bigint NOT NULL,
  node    text COLLATE "C" NOT NULL,
  change  text COLLATE "C" NOT NULL,
  result  text,
  PRIMARY KEY (run_seq, node, change)
);
