-- Expand. Who made a version, by what, what it changed, and what they say about it. Unknown of the versions of before.
ALTER TABLE millrace.flow_versions
  ADD COLUMN origin text, ADD COLUMN author text, ADD COLUMN name text, ADD COLUMN note text, ADD COLUMN changes text;
