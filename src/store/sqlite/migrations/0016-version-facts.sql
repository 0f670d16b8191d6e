-- Who made a version, by what, what it changed, and what they say about it. Unknown of the versions of before.
ALTER TABLE flow_versions ADD COLUMN origin TEXT;
ALTER TABLE flow_versions ADD COLUMN author TEXT;
ALTER TABLE flow_versions ADD COLUMN name TEXT;
ALTER TABLE flow_versions ADD COLUMN note TEXT;
ALTER TABLE flow_versions ADD COLUMN changes TEXT;
