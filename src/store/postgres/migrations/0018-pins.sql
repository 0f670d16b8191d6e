-- Expand. What stands for the outputs of nodes when a flow is tried out. It stands beside the flow: no version and no draft
-- has it.
CREATE TABLE millrace.flow_pins (
  flow_id    text COLLATE "C" NOT NULL,
  node       text COLLATE "C" NOT NULL,
  made_of    text NOT NULL,
  author     text,
  updated_at bigint NOT NULL,
  outputs    text NOT NULL,
  PRIMARY KEY (flow_id, node)
);

-- What a test runs of its document, and which outputs were pinned then, as JSON; null where it runs all of it.
ALTER TABLE millrace.test_documents ADD COLUMN scope text;
