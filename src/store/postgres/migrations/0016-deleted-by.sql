-- Expand. Who deleted a flow, for those that look into the bin.
ALTER TABLE millrace.flows ADD COLUMN deleted_by text;
