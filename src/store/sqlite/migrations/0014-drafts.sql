-- What people edit of a flow before it is live. A draft that is gone leaves its number, without a document.
CREATE TABLE flow_drafts (
  flow_id      TEXT PRIMARY KEY,
  revision     INTEGER NOT NULL,
  base_version INTEGER NOT NULL,
  author       TEXT,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  document     TEXT
) STRICT;
