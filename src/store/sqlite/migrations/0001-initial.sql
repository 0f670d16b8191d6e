-- Numbers. One counter numbers every acceptance, journal entry and ending. A stretch is 1,024 consecutive
-- numbers. Indexes that find rows of one flow begin with the stretch and not with the flow: all
-- writes then land on the few newest pages, however many flows there are, and reading a flow costs one seek
-- per stretch (1,000,000 runs: 2,000 seeks, 30 ms, with pauses). Measured in batches of 90, CPU time of
-- accept + end:
--   flows in a batch             1        10        90       500
--   indexes (flow, number)    27 µs     35 µs     70 µs     79 µs
--   indexes (stretch, flow)   26 µs     29 µs     36 µs     35 µs
-- An integer for the flow id came later, with migration 5.
--
-- There are no foreign keys: a run is written twice and read once, each check would be one more seek, and
-- rows of a run are only ever deleted together, by prune. Large columns stand last, so that a row's other
-- columns are read without following its overflow pages.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES ('last_number', 0), ('ended_runs', 0), ('probes', 0);

CREATE TABLE flows (
  id         TEXT PRIMARY KEY,
  slug       TEXT NOT NULL,
  context    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

CREATE UNIQUE INDEX live_flows_by_slug ON flows (slug) WHERE deleted_at IS NULL;

CREATE TABLE flow_versions (
  flow_id    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  document   TEXT NOT NULL,
  PRIMARY KEY (flow_id, version)
) STRICT;

CREATE TABLE runs (
  seq          INTEGER PRIMARY KEY,
  stretch      INTEGER GENERATED ALWAYS AS (seq >> 10) VIRTUAL,
  id           TEXT NOT NULL UNIQUE,
  flow_id      TEXT NOT NULL,
  flow_version INTEGER NOT NULL,
  trigger      TEXT NOT NULL,
  session      TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  replay_of    TEXT,
  request      TEXT,
  input        BLOB NOT NULL
) STRICT;

-- The run's number follows by itself: it is the row's id.
CREATE INDEX runs_by_flow ON runs (stretch, flow_id);

-- When the runs of a stretch were accepted: from `first_at` to `last_at`. Clocks are set back and forth, so
-- the moment does not follow from the number; this tells which stretches can hold a run of a given time. An
-- index on runs.created_at would say it too, but not in the order of numbers, in which runs are listed and
-- deleted.
CREATE TABLE stretches (
  stretch  INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL
) STRICT;

-- Unfinished runs are here, and only they are. A parked one has `due_at`.
CREATE TABLE queue (
  seq     INTEGER PRIMARY KEY,
  flow_id TEXT NOT NULL,
  due_at  INTEGER
) STRICT;

CREATE INDEX queue_waiting ON queue (flow_id) WHERE due_at IS NULL;
CREATE INDEX queue_parked ON queue (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE journal (
  no      INTEGER PRIMARY KEY,
  stretch INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq INTEGER NOT NULL,
  flow_id TEXT NOT NULL,
  entry   TEXT NOT NULL
) STRICT;

CREATE INDEX journal_by_run ON journal (run_seq);
CREATE INDEX journal_by_flow ON journal (stretch, flow_id);

-- `nodes`: the nodes with an output, a JSON array. A table of pointers from node to run was measured at 3 µs
-- per end with 10 flows in a batch, 9 µs with 90; going back through the flow's outcomes costs nothing here.
CREATE TABLE outcomes (
  seq         INTEGER PRIMARY KEY,
  no          INTEGER NOT NULL,
  stretch     INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  flow_id     TEXT NOT NULL,
  status      TEXT NOT NULL,
  started_at  INTEGER,
  finished_at INTEGER NOT NULL,
  nodes       TEXT NOT NULL,
  error       TEXT,
  steps       TEXT NOT NULL
) STRICT;

CREATE INDEX outcomes_by_flow ON outcomes (stretch, flow_id, no);
-- Most runs succeed: they are found by going through all, and the rare ones through this.
CREATE INDEX outcomes_by_status ON outcomes (status) WHERE status <> 'succeeded';

CREATE TABLE messages (
  no         INTEGER PRIMARY KEY,
  stretch    INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq    INTEGER NOT NULL,
  flow_id    TEXT NOT NULL,
  session    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id         TEXT NOT NULL,
  sender     TEXT NOT NULL,
  text       TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX messages_by_run ON messages (run_seq, id);
CREATE INDEX messages_by_flow ON messages (stretch, flow_id, session);

CREATE TABLE keys (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  hash         TEXT NOT NULL,
  hint         TEXT NOT NULL,
  rights       TEXT NOT NULL,
  flow_id      TEXT,
  context      TEXT,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER
) STRICT;
