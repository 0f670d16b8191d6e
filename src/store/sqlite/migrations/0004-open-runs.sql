-- A run from `open_from` on that has no outcome is open, and `queue` has a row only for what the mark must not wait
-- for: a parked run, one that was opened again, one that has been overtaken by a million others; see open-runs.ts.
-- A store of before has a row for every open run, so the mark begins after all of them.
INSERT INTO meta (name, value) SELECT 'open_from', value + 1 FROM meta WHERE name = 'last_number';

-- Read into memory at the start and by number after that.
DROP INDEX queue_waiting;

-- Whether a message is there already is asked only of a run that was opened again: its id need not be in the index.
DROP INDEX messages_by_run;
CREATE INDEX messages_by_run ON messages (run_seq);
