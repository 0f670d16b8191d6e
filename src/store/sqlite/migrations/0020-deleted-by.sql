-- Who deleted a flow, for those that look into the bin.
ALTER TABLE flows ADD COLUMN deleted_by TEXT;
