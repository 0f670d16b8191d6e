-- Expand. Runs that failed, in the order of their ends: triggers go through them. Others, and children of runs, are not in it.
CREATE INDEX outcomes_failed ON millrace.outcomes (no) WHERE status = 'failed' AND is_child IS NULL;
