-- Expand. Whether the signing secrets of flows have been moved into connections, and which processes read them there:
-- older ones write no level, and as long as one of them is alive the secrets stay where they are.
ALTER TABLE millrace.installation ADD COLUMN secrets_moved boolean NOT NULL DEFAULT false;
ALTER TABLE millrace.processes ADD COLUMN level integer NOT NULL DEFAULT 0;
