-- What stands for the outputs of nodes when a flow is tried out. It stands beside the flow: no version and no draft has it.
CREATE TABLE flow_pins (
  flow_id    TEXT NOT NULL,
  node       TEXT NOT NULL,
  made_of    TEXT NOT NULL,
  author     TEXT,
  updated_at INTEGER NOT NULL,
  outputs    TEXT NOT NULL,
  PRIMARY KEY (flow_id, node)
) STRICT;

-- What a test runs of its document, and which outputs were pinned then, as JSON; null where it runs all of it.
ALTER TABLE test_documents ADD COLUMN scope TEXT;
