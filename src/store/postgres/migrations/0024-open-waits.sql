-- Expand. Runs that wait, in the order in which they are listed, however many have waited before.
CREATE INDEX waits_open ON millrace.waits (run_seq) WHERE state = 'open';

-- What indexes are ordered by compares byte by byte, as all other text here. These tables are small.
ALTER TABLE millrace.flow_aliases ALTER COLUMN flow_id TYPE text COLLATE "C", ALTER COLUMN slug TYPE text COLLATE "C";
ALTER TABLE millrace.connections ALTER COLUMN context TYPE text COLLATE "C", ALTER COLUMN name TYPE text COLLATE "C";
ALTER TABLE millrace.triggers ALTER COLUMN flow_id TYPE text COLLATE "C", ALTER COLUMN node TYPE text COLLATE "C";
ALTER TABLE millrace.holders ALTER COLUMN process_id TYPE text COLLATE "C";
