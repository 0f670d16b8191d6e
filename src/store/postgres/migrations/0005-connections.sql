-- Expand. Addresses with what it takes to get in. The secrets are sealed before they come here.
CREATE TABLE millrace.connections (
  id         text COLLATE "C" PRIMARY KEY,
  name       text NOT NULL,
  kind       text NOT NULL,
  context    text NOT NULL,
  settings   text NOT NULL,
  secrets    text NOT NULL,
  is_trusted integer NOT NULL,
  revision   integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (context, name)
);

INSERT INTO millrace.revisions (name, value) VALUES ('connections', 0);
