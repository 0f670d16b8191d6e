-- Expand. A paused flow begins no run. The jobs of runs that would begin are blocked, which is a column of pg-boss's.
ALTER TABLE millrace.flows
  ADD COLUMN paused_mode text,
  ADD COLUMN paused_at bigint,
  ADD COLUMN paused_by text;
