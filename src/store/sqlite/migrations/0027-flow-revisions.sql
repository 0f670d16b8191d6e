-- The two databases write flows with the same statements.
ALTER TABLE flows ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
