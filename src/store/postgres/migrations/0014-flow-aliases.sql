-- Expand. Slugs that flows had and still answer to, and who called them there.
CREATE TABLE millrace.flow_aliases (
  flow_id text NOT NULL,
  slug text NOT NULL,
  since bigint NOT NULL,
  calls bigint NOT NULL DEFAULT 0,
  last_called_at bigint,
  callers text NOT NULL DEFAULT '[]',
  PRIMARY KEY (flow_id, slug)
);

CREATE INDEX flow_aliases_by_slug ON millrace.flow_aliases (slug);
