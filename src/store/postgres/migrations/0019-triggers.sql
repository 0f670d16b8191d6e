-- Expand. How far the triggers of nodes have got, and why one does not work; and which process has them.
CREATE TABLE millrace.triggers (
  flow_id text NOT NULL,
  node text NOT NULL,
  mark bigint,
  fault text,
  failed_at bigint,
  PRIMARY KEY (flow_id, node)
);

CREATE TABLE millrace.trigger_owner (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  process_id text,
  until timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO millrace.trigger_owner DEFAULT VALUES;
