-- A paused flow begins no run. What would begin is held: it has a row in queue, and is in nobody's memory.
ALTER TABLE flows ADD COLUMN paused_mode TEXT;
ALTER TABLE flows ADD COLUMN paused_at INTEGER;
ALTER TABLE flows ADD COLUMN paused_by TEXT;

ALTER TABLE queue ADD COLUMN held INTEGER NOT NULL DEFAULT 0;

CREATE INDEX queue_held ON queue (flow_id, seq) WHERE held = 1;
