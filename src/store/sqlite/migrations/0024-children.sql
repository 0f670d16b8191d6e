-- Runs that other runs started. What is known of their parents stands apart, so that all others are written as before; a mark
-- keeps them out of the indexes that lists go through. A parent may be deleted while one that it did not wait for goes on.
CREATE TABLE children (
  seq         INTEGER PRIMARY KEY,
  parent_seq  INTEGER NOT NULL,
  node        INTEGER NOT NULL,
  child_index INTEGER NOT NULL,
  depth       INTEGER NOT NULL,
  is_awaited  INTEGER NOT NULL,
  root_seq    INTEGER NOT NULL,
  parent_flow INTEGER NOT NULL,
  parent_id   TEXT NOT NULL
) STRICT;

CREATE INDEX children_by_parent ON children (parent_seq);
CREATE INDEX children_by_node ON children (parent_seq, node, child_index);

-- 1 or null.
ALTER TABLE runs ADD COLUMN is_child INTEGER;
DROP INDEX runs_by_flow;
CREATE INDEX runs_by_flow ON runs (stretch, flow) WHERE is_child IS NULL;
CREATE INDEX child_runs_by_flow ON runs (stretch, flow) WHERE is_child = 1;

ALTER TABLE outcomes ADD COLUMN is_child INTEGER;
DROP INDEX outcomes_by_status;
CREATE INDEX outcomes_by_status ON outcomes (status) WHERE status <> 'succeeded' AND is_child IS NULL;

-- A wait for children: those that have not ended, those of them that wait for their turn, and those that did not succeed.
ALTER TABLE waits ADD COLUMN children_left INTEGER;
ALTER TABLE waits ADD COLUMN children_queued INTEGER;
ALTER TABLE waits ADD COLUMN children_failed INTEGER;
ALTER TABLE waits ADD COLUMN stops_on_failure INTEGER;

-- Every open child has a row. `siblings`: the number of the wait that it is counted in, or minus the number of its parent where
-- that does not wait for it. `turn`: it waits for its turn; 1: and then for its flow, if that is paused; 2: whatever its flow.
ALTER TABLE queue ADD COLUMN siblings INTEGER;
ALTER TABLE queue ADD COLUMN turn INTEGER;
ALTER TABLE queue ADD COLUMN root_seq INTEGER;
ALTER TABLE queue ADD COLUMN depth INTEGER;
CREATE INDEX queue_siblings ON queue (siblings, due_at) WHERE siblings IS NOT NULL;
CREATE INDEX queue_turns ON queue (siblings, seq) WHERE turn IS NOT NULL;
CREATE INDEX queue_below ON queue (root_seq, depth, seq) WHERE root_seq IS NOT NULL;

-- Siblings that are to become due, all that are parked, from this moment on: there may be too many for one commit.
CREATE TABLE releases (
  siblings INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL
) STRICT;
