-- Expand. What processes that share the work need to know of each other.

CREATE TABLE millrace.processes (
  id         text COLLATE "C" PRIMARY KEY,
  role       text NOT NULL,
  host       text NOT NULL,
  pid        integer NOT NULL,
  version    text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Who does what has to be done once, until when, and the backlog as they counted it.
CREATE TABLE millrace.keeping (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  keeper     text,
  until      timestamptz NOT NULL DEFAULT '-infinity',
  backlog    bigint NOT NULL DEFAULT 0,
  counted_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO millrace.keeping DEFAULT VALUES;

-- Worth nothing after a minute: a crash of the database may empty it.
CREATE UNLOGGED TABLE millrace.rate_buckets (
  flow_id   text COLLATE "C" PRIMARY KEY,
  level     double precision NOT NULL,
  granted   integer NOT NULL,
  filled_at timestamptz NOT NULL
);
