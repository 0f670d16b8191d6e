-- Slugs that flows had and still answer to, and who called them there.
CREATE TABLE flow_aliases (
  flow_id        TEXT NOT NULL,
  slug           TEXT NOT NULL,
  since          INTEGER NOT NULL,
  calls          INTEGER NOT NULL DEFAULT 0,
  last_called_at INTEGER,
  callers        TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (flow_id, slug)
) STRICT, WITHOUT ROWID;

CREATE INDEX flow_aliases_by_slug ON flow_aliases (slug);
