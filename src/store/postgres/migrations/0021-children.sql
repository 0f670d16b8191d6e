-- Expand. Runs that other runs started. What is known of their parents stands apart, so that all others are written as before;
-- a mark keeps them out of the index that lists of a flow go through. That index takes the place of the one of before, or every
-- run would be written into both; processes of the version before go on without it, more slowly.
CREATE TABLE millrace.children (
  seq            bigint PRIMARY KEY,
  parent_seq     bigint NOT NULL,
  node           text COLLATE "C" NOT NULL,
  child_index    integer NOT NULL,
  depth          integer NOT NULL,
  is_awaited     integer NOT NULL,
  -- The run that nobody started above this one.
  root_seq       bigint NOT NULL,
  parent_flow_id text COLLATE "C" NOT NULL,
  parent_id      text COLLATE "C" NOT NULL,
  -- 1 where the parent was deleted while this one was open.
  parent_gone    integer
);

CREATE INDEX children_by_parent ON millrace.children (parent_seq, seq);

CREATE INDEX children_by_node ON millrace.children (parent_seq, node, child_index, seq);

CREATE INDEX children_left_over ON millrace.children (seq) WHERE parent_gone = 1;

-- 1 or null.
ALTER TABLE millrace.runs ADD COLUMN is_child integer;
ALTER TABLE millrace.outcomes ADD COLUMN is_child integer;

CREATE INDEX top_runs_by_flow ON millrace.runs (flow_id, seq) WHERE is_child IS NULL;

DROP INDEX millrace.runs_by_flow;

-- What a wait was woken with, where the journal has been begun anew since.
ALTER TABLE millrace.waits ADD COLUMN entry text;
