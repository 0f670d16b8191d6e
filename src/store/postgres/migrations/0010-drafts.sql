-- Expand. What people edit of a flow before it is live. A draft that is gone leaves its number, without a document.
CREATE TABLE millrace.flow_drafts (
  flow_id      text COLLATE "C" PRIMARY KEY,
  revision     integer NOT NULL,
  base_version integer NOT NULL,
  author       text,
  created_at   bigint NOT NULL,
  updated_at   bigint NOT NULL,
  document     text
);
