-- What the migrations lead to, and a new store begins with. Made by: npx node src/store/sqlite/schema.test-kit.ts

CREATE TABLE children (
  seq         INTEGER PRIMARY KEY,
  parent_seq  INTEGER NOT NULL,
  node        INTEGER NOT NULL,
  child_index INTEGER NOT NULL,
  depth       INTEGER NOT NULL,
  is_awaited  INTEGER NOT NULL,
  root_seq    INTEGER NOT NULL,
  parent_flow INTEGER NOT NULL,
  parent_id   TEXT NOT NULL
, on_its_own INTEGER) STRICT;

CREATE INDEX children_by_node ON children (parent_seq, node, child_index);

CREATE INDEX children_by_parent ON children (parent_seq);

CREATE TABLE connection_tokens (
  connection_id TEXT PRIMARY KEY,
  tokens        TEXT NOT NULL,
  holder        TEXT,
  held_until    INTEGER NOT NULL,
  revision      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  context    TEXT NOT NULL,
  settings   TEXT NOT NULL,
  secrets    TEXT NOT NULL,
  is_trusted INTEGER NOT NULL,
  revision   INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (context, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE contexts (
  id         TEXT PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  settings   TEXT NOT NULL,
  variables  TEXT NOT NULL
) STRICT;

CREATE TABLE deletions (
  seq          INTEGER PRIMARY KEY,
  ended_before INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
  key         TEXT PRIMARY KEY,
  run_id      TEXT NOT NULL,
  body        TEXT,
  accepted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_by_time ON deliveries (accepted_at);

CREATE TABLE ended_sessions (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE flow_drafts (
  flow_id      TEXT PRIMARY KEY,
  revision     INTEGER NOT NULL,
  base_version INTEGER NOT NULL,
  author       TEXT,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  document     TEXT
) STRICT;

CREATE TABLE flow_pins (
  flow_id    TEXT NOT NULL,
  node       TEXT NOT NULL,
  made_of    TEXT NOT NULL,
  author     TEXT,
  updated_at INTEGER NOT NULL,
  outputs    TEXT NOT NULL,
  PRIMARY KEY (flow_id, node)
) STRICT;

CREATE TABLE flow_versions (
  flow_id    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  document   TEXT NOT NULL, origin TEXT, author TEXT, name TEXT, note TEXT, changes TEXT,
  PRIMARY KEY (flow_id, version)
) STRICT;

CREATE TABLE flows (
  id         TEXT PRIMARY KEY,
  slug       TEXT NOT NULL,
  context    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
, paused_mode TEXT, paused_at INTEGER, paused_by TEXT, deleted_by TEXT, revision INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE UNIQUE INDEX live_flows_by_slug ON flows (slug) WHERE deleted_at IS NULL;

CREATE TABLE hung_steps (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  hung_at INTEGER NOT NULL
) STRICT;

CREATE INDEX hung_steps_by_run ON hung_steps (run_seq);

CREATE TABLE "journal" (
  no      INTEGER PRIMARY KEY,
  stretch INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq INTEGER NOT NULL,
  flow    INTEGER NOT NULL,
  entry   TEXT NOT NULL
) STRICT;

CREATE INDEX journal_by_flow ON journal (stretch, flow);

CREATE INDEX journal_by_run ON journal (run_seq);

CREATE TABLE kept_changes (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  change  TEXT NOT NULL,
  result  TEXT,
  PRIMARY KEY (run_seq, node, change)
) STRICT, WITHOUT ROWID;

CREATE TABLE kept_values (
  context    TEXT NOT NULL,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (context, key)
) STRICT;

CREATE INDEX kept_values_by_expiry ON kept_values (expires_at) WHERE expires_at IS NOT NULL;

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

CREATE TABLE long_values (
  run_seq INTEGER NOT NULL,
  name    TEXT NOT NULL,
  piece   INTEGER NOT NULL,
  bytes   BLOB NOT NULL,
  UNIQUE (run_seq, name, piece)
) STRICT;

CREATE TABLE "messages" (
  no         INTEGER PRIMARY KEY,
  stretch    INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq    INTEGER NOT NULL,
  flow       INTEGER NOT NULL,
  session    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id         TEXT NOT NULL,
  sender     TEXT NOT NULL,
  text       TEXT NOT NULL
, long TEXT) STRICT;

CREATE INDEX messages_by_flow ON messages (stretch, flow, session);

CREATE INDEX messages_by_run ON messages (run_seq);

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model_usage (
  run_seq       INTEGER NOT NULL,
  model         TEXT NOT NULL,
  input_tokens  INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (run_seq, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE names (
  no   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE "outcomes" (
  seq         INTEGER PRIMARY KEY,
  no          INTEGER NOT NULL,
  stretch     INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  flow        INTEGER NOT NULL,
  status      TEXT NOT NULL,
  started_at  INTEGER,
  finished_at INTEGER NOT NULL,
  nodes       INTEGER NOT NULL,
  error       TEXT,
  steps       TEXT NOT NULL
, is_child INTEGER) STRICT;

CREATE INDEX outcomes_by_flow ON outcomes (stretch, flow, no);

CREATE INDEX outcomes_by_status ON outcomes (status) WHERE status <> 'succeeded' AND is_child IS NULL;

CREATE INDEX outcomes_failed ON outcomes (no) WHERE status = 'failed' AND is_child IS NULL;

CREATE TABLE queue (
  seq     INTEGER PRIMARY KEY,
  flow_id TEXT NOT NULL,
  due_at  INTEGER
, held INTEGER NOT NULL DEFAULT 0, is_waiting INTEGER, siblings INTEGER, turn INTEGER, root_seq INTEGER, depth INTEGER) STRICT;

CREATE INDEX queue_below ON queue (root_seq, depth, seq) WHERE root_seq IS NOT NULL;

CREATE INDEX queue_held ON queue (flow_id, seq) WHERE held = 1;

CREATE INDEX queue_parked ON queue (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX queue_parked_by_flow ON queue (flow_id, due_at) WHERE due_at IS NOT NULL;

CREATE INDEX queue_siblings ON queue (siblings, due_at) WHERE siblings IS NOT NULL;

CREATE INDEX queue_turns ON queue (siblings, seq) WHERE turn IS NOT NULL;

CREATE INDEX queue_waiting ON queue (seq) WHERE is_waiting = 1;

CREATE TABLE releases (
  siblings INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL
) STRICT;

CREATE TABLE "runs" (
  seq          INTEGER PRIMARY KEY,
  stretch      INTEGER GENERATED ALWAYS AS (seq >> 10) VIRTUAL,
  id           TEXT NOT NULL UNIQUE,
  flow         INTEGER NOT NULL,
  flow_version INTEGER NOT NULL,
  trigger      TEXT NOT NULL,
  session      TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  replay_of    TEXT,
  request      TEXT,
  input        BLOB NOT NULL
, is_test INTEGER, is_child INTEGER) STRICT;

CREATE INDEX child_runs_by_flow ON runs (stretch, flow) WHERE is_child = 1;

CREATE INDEX runs_by_flow ON runs (stretch, flow) WHERE is_child IS NULL;

CREATE TABLE session_secret (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret   TEXT NOT NULL
) STRICT;

CREATE TABLE sign_in_links (
  hash       TEXT PRIMARY KEY,
  key_id     TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE stretches (
  stretch  INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE test_documents (
  run_seq  INTEGER PRIMARY KEY,
  document TEXT NOT NULL
, scope TEXT) STRICT;

CREATE TABLE triggers (
  flow_id   TEXT NOT NULL,
  node      TEXT NOT NULL,
  mark      INTEGER,
  fault     TEXT,
  failed_at INTEGER,
  PRIMARY KEY (flow_id, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE waits (
  no         INTEGER PRIMARY KEY,
  run_seq    INTEGER NOT NULL,
  node       TEXT NOT NULL,
  flow       INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  state      TEXT NOT NULL,
  id         TEXT,
  created_at INTEGER,
  expires_at INTEGER,
  ended_at   INTEGER,
  entry_no   INTEGER,
  question   TEXT,
  answer     TEXT,
  entry      TEXT, children_left INTEGER, children_queued INTEGER, children_failed INTEGER, stops_on_failure INTEGER,
  UNIQUE (run_seq, node)
) STRICT;

CREATE INDEX waits_by_flow ON waits (kind, state, flow, created_at, id) WHERE id IS NOT NULL;

CREATE UNIQUE INDEX waits_by_id ON waits (id) WHERE id IS NOT NULL;

CREATE INDEX waits_by_state ON waits (kind, state, created_at, id) WHERE id IS NOT NULL;

INSERT INTO meta VALUES ('ended_runs', 0);

INSERT INTO meta VALUES ('last_number', 0);

INSERT INTO meta VALUES ('open_from', 1);

INSERT INTO meta VALUES ('probes', 0);

INSERT INTO meta VALUES ('secrets_moved', 0);

PRAGMA user_version = 29;
