-- How far the triggers of nodes have got, and why one does not work.
CREATE TABLE triggers (
  flow_id   TEXT NOT NULL,
  node      TEXT NOT NULL,
  mark      INTEGER,
  fault     TEXT,
  failed_at INTEGER,
  PRIMARY KEY (flow_id, node)
) STRICT, WITHOUT ROWID;
