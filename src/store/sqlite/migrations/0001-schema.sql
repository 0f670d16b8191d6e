-- There are no foreign keys: a run is written twice and read once, each check would be one more seek, and rows of a run are
-- only ever deleted together, by prune. Large columns stand last, so that a row's other columns are read without following its
-- overflow pages. A column that hardly any row has (`is_test`, `is_child`, `on_its_own`) is 1 or null: a null takes no bytes.

-- The number by which every store of Millrace is known; `user_version` numbers its schema.
PRAGMA application_id = 1296649292;

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A run from `open_from` on that has no outcome is open, and `queue` has a row only for what the mark must not wait for: a
-- parked run, one that was opened again, one that has been overtaken by a million others; see open-runs.ts.
INSERT INTO meta (name, value) VALUES ('last_number', 0), ('ended_runs', 0), ('probes', 0), ('open_from', 1);


-- Flows and what belongs to them.

-- A paused flow begins no run.
CREATE TABLE flows (
  id          TEXT PRIMARY KEY,
  slug        TEXT NOT NULL,
  context     TEXT NOT NULL,
  version     INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  deleted_at  INTEGER,
  paused_mode TEXT,
  paused_at   INTEGER,
  paused_by   TEXT,
  deleted_by  TEXT,
  revision    INTEGER NOT NULL DEFAULT 0,
  -- What its triggers missed before this moment is none of their business: it refused it, or was deleted.
  triggers_from INTEGER
) STRICT;

CREATE UNIQUE INDEX live_flows_by_slug ON flows (slug) WHERE deleted_at IS NULL;

-- Who made a version, by what, what it changed, and what they say about it.
CREATE TABLE flow_versions (
  flow_id    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  document   TEXT NOT NULL,
  origin     TEXT,
  author     TEXT,
  name       TEXT,
  note       TEXT,
  changes    TEXT,
  PRIMARY KEY (flow_id, version)
) STRICT;

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

-- Drafts whose place something else has taken: a restored version, or nothing. They never were live, so they are no versions.
CREATE TABLE flow_kept_drafts (
  flow_id      TEXT NOT NULL,
  number       INTEGER NOT NULL,
  base_version INTEGER NOT NULL,
  author       TEXT,
  updated_at   INTEGER NOT NULL,
  because      TEXT NOT NULL,
  document     TEXT NOT NULL,
  PRIMARY KEY (flow_id, number)
) STRICT;

-- What stands for the outputs of nodes when a flow is tried out. It stands beside the flow: no version and no draft has it.
CREATE TABLE flow_rehearsals (
  flow_id     TEXT NOT NULL PRIMARY KEY,
  id          TEXT NOT NULL,
  revision    INTEGER,
  asked       INTEGER NOT NULL,
  author      TEXT,
  started_at  INTEGER NOT NULL,
  finished_at INTEGER,
  result      TEXT
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

-- What a flow is expected to do with something that came once: every publish holds the draft against it.
CREATE TABLE flow_expectations (
  flow_id    TEXT NOT NULL,
  id         TEXT NOT NULL,
  name       TEXT NOT NULL,
  run_id     TEXT NOT NULL,
  author     TEXT,
  created_at INTEGER NOT NULL,
  expects    TEXT NOT NULL,
  recording  TEXT NOT NULL,
  PRIMARY KEY (flow_id, id)
) STRICT;

CREATE TABLE flow_comments (
  flow_id    TEXT NOT NULL,
  id         TEXT NOT NULL,
  node       TEXT,
  text       TEXT NOT NULL,
  author     TEXT,
  created_at INTEGER NOT NULL,
  done_at    INTEGER,
  done_by    TEXT,
  PRIMARY KEY (flow_id, id)
) STRICT;

-- What is kept of conversations besides their messages: how people call one, and what sums up its older turns.
CREATE TABLE session_notes (
  flow_id     TEXT NOT NULL,
  session     TEXT NOT NULL,
  title       TEXT,
  summary     TEXT,
  up_to_no    INTEGER,
  up_to_place INTEGER,
  run_id      TEXT,
  PRIMARY KEY (flow_id, session)
) STRICT, WITHOUT ROWID;

-- What models cost: prices that somebody has set, what may be spent, and what was, all in millionths. It stays when runs go.
CREATE TABLE model_prices (
  model  TEXT NOT NULL PRIMARY KEY,
  input  INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  output INTEGER NOT NULL
) STRICT;

CREATE TABLE budgets (
  context   TEXT NOT NULL PRIMARY KEY,
  per_month INTEGER,
  per_run   INTEGER
) STRICT;

CREATE TABLE spending (
  day      TEXT NOT NULL,
  context  TEXT NOT NULL,
  flow_id  TEXT NOT NULL,
  model    TEXT NOT NULL,
  calls    INTEGER NOT NULL,
  input    INTEGER NOT NULL,
  cached   INTEGER NOT NULL,
  output   INTEGER NOT NULL,
  cost     INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  PRIMARY KEY (day, context, flow_id, model)
) STRICT;

-- Of runs that no other one started, with all that is below them.
CREATE TABLE run_costs (
  run_seq INTEGER NOT NULL PRIMARY KEY,
  cost    INTEGER NOT NULL
) STRICT;

-- The last write of each process that adds to what was spent: one whose answer was lost comes again, and counts once.
CREATE TABLE spending_writers (
  writer  TEXT NOT NULL PRIMARY KEY,
  last_no INTEGER NOT NULL,
  at      INTEGER NOT NULL
) STRICT;

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

-- How far the triggers of nodes have got, and why one does not work.
CREATE TABLE triggers (
  flow_id   TEXT NOT NULL,
  node      TEXT NOT NULL,
  mark      INTEGER,
  -- Of one that finds things by looking: what it has found before.
  seen      TEXT,
  fault     TEXT,
  failed_at INTEGER,
  PRIMARY KEY (flow_id, node)
) STRICT, WITHOUT ROWID;

-- What triggers have found and not started yet, in pages: a line for each run. The mark of the first is the number of the page.
CREATE TABLE taken_items (
  flow_id TEXT NOT NULL,
  node    TEXT NOT NULL,
  page    INTEGER NOT NULL,
  items   TEXT NOT NULL,
  PRIMARY KEY (flow_id, node, page)
) STRICT;


-- Contexts, connections, keys.

-- A flow names its context by path, so the path is stored and not a parent: contexts are few and are read once, at the start.
CREATE TABLE contexts (
  id         TEXT PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  settings   TEXT NOT NULL,
  variables  TEXT NOT NULL
) STRICT;

-- Addresses with what it takes to get in. The secrets are sealed before they come here.
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

-- Connections that were deleted: they can be brought back for a while.
CREATE TABLE deleted_connections (
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
  deleted_at INTEGER NOT NULL,
  deleted_by TEXT
) STRICT, WITHOUT ROWID;

-- What providers gave to connections that sign in by OAuth, sealed; and which process is getting it anew.
CREATE TABLE connection_tokens (
  connection_id TEXT PRIMARY KEY,
  tokens        TEXT NOT NULL,
  holder        TEXT,
  leased_until  INTEGER NOT NULL,
  revision      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What an API offers that a connection leads to, by its OpenAPI document; one that is sent anew is another one.
CREATE TABLE connection_documents (
  id            TEXT NOT NULL UNIQUE,
  connection_id TEXT PRIMARY KEY,
  format        TEXT NOT NULL,
  title         TEXT NOT NULL,
  version       TEXT NOT NULL,
  server        TEXT,
  size          INTEGER NOT NULL,
  operations    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Its operations, packed: a piece is what is read at a time.
CREATE TABLE document_pieces (
  document_id TEXT NOT NULL,
  kind        TEXT NOT NULL,
  piece       INTEGER NOT NULL,
  content     TEXT NOT NULL,
  PRIMARY KEY (document_id, kind, piece)
) STRICT;

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

-- Links that sign somebody in to the page once, by the hash of their token.
CREATE TABLE sign_in_links (
  hash       TEXT PRIMARY KEY,
  key_id     TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What sessions are signed with: one row, so that of two proposals exactly one is kept.
CREATE TABLE session_secret (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret   TEXT NOT NULL
) STRICT;

-- Sessions that somebody has ended by signing out: a copy of the cookie must be worth nothing. Kept until it would have expired
-- by itself.
CREATE TABLE ended_sessions (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What flows keep for later runs.
CREATE TABLE kept_values (
  context    TEXT NOT NULL,
  key        TEXT NOT NULL,
  value      TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (context, key)
) STRICT;

CREATE INDEX kept_values_by_expiry ON kept_values (expires_at) WHERE expires_at IS NOT NULL;


-- Knowledge.

-- Collections of texts that are found again. One that was deleted stays until its texts are swept.
CREATE TABLE collections (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  context    TEXT NOT NULL,
  connection TEXT,
  model      TEXT,
  texts      INTEGER NOT NULL,
  chunks     INTEGER NOT NULL,
  revision   INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

CREATE INDEX collections_by_name ON collections (context, name);

CREATE TABLE knowledge_texts (
  collection_id TEXT NOT NULL,
  id            TEXT NOT NULL,
  revision      INTEGER NOT NULL,
  content       TEXT NOT NULL,
  chunks        INTEGER NOT NULL,
  model         TEXT,
  metadata      TEXT NOT NULL,
  updated_at    INTEGER NOT NULL,
  PRIMARY KEY (collection_id, id)
) STRICT, WITHOUT ROWID;

-- What was written since is read in this order.
CREATE UNIQUE INDEX knowledge_texts_by_revision ON knowledge_texts (collection_id, revision);

-- Pieces of texts, with what they mean as a vector.
CREATE TABLE knowledge_chunks (
  content TEXT NOT NULL,
  place   INTEGER NOT NULL,
  text    TEXT NOT NULL,
  vector  TEXT,
  PRIMARY KEY (content, place)
) STRICT;

-- Contents that no text names: on their way, or to be swept.
CREATE TABLE knowledge_loose (
  content TEXT PRIMARY KEY,
  since   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX knowledge_loose_by_age ON knowledge_loose (since);


-- Runs.
--
-- One counter numbers every acceptance, journal entry and ending. A block is 1,024 consecutive numbers. Indexes that find
-- rows of one flow begin with the block and not with the flow: all writes then land on the few newest pages, however many
-- flows there are, and reading a flow costs one seek per block (1,000,000 runs: 2,000 seeks, 30 ms, with pauses). Measured in
-- batches of 90, CPU time of accept + end:
--   flows in a batch             1        10        90       500
--   indexes (flow, number)    27 µs     35 µs     70 µs     79 µs
--   indexes (block, flow)     26 µs     29 µs     36 µs     35 µs

-- What comes again with every run is stored once and named by a number: ids of flows, and lists of nodes. That is a fifth of the
-- file, and 4 µs of accept + end: less to write, and less to copy at a checkpoint.
CREATE TABLE names (
  no   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE runs (
  seq          INTEGER PRIMARY KEY,
  block        INTEGER GENERATED ALWAYS AS (seq >> 10) VIRTUAL,
  id           TEXT NOT NULL UNIQUE,
  flow         INTEGER NOT NULL,
  flow_version INTEGER NOT NULL,
  trigger      TEXT NOT NULL,
  session      TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  replay_of    TEXT,
  context      TEXT,
  request      TEXT,
  input        BLOB NOT NULL,
  is_test      INTEGER,
  is_child     INTEGER
) STRICT;

-- The run's number follows by itself: it is the row's id.
CREATE INDEX runs_by_flow ON runs (block, flow) WHERE is_child IS NULL;
CREATE INDEX child_runs_by_flow ON runs (block, flow) WHERE is_child = 1;

-- When the runs of a block were accepted: from `first_at` to `last_at`. Clocks are set back and forth, so the moment does not
-- follow from the number; this tells which blocks can hold a run of a given time. An index on runs.created_at would say it
-- too, but not in the order of numbers, in which runs are listed and deleted.
CREATE TABLE blocks (
  block    INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL
) STRICT;

-- Open runs that need a row; see `open_from` above. What the states are, and which one follows which, stands in queue-state.ts. Those
-- that are queued are in memory too, all others here alone. `is_waiting`: a step of a parked run waits, and does not only pause
-- between two attempts. `begins_paused`: it does when it has its turn, also while its flow is paused. The state is looked at once to check
-- a row: a check for each column took 10 µs more for a run that is parked once, of 55.
--
-- Every open child has a row. `awaited_by`: the wait that it is counted in. `detached_from`: where its parent does not wait for it, that
-- one; or itself, where it was opened again by itself below one that was cancelled. What becomes due together has the same of them.
CREATE TABLE queue (
  seq           INTEGER PRIMARY KEY,
  flow_id       TEXT NOT NULL,
  state         TEXT NOT NULL,
  due_at        INTEGER,
  is_waiting    INTEGER,
  begins_paused INTEGER,
  awaited_by    INTEGER,
  detached_from INTEGER,
  root_seq      INTEGER,
  depth         INTEGER,
  CHECK (CASE state
    WHEN 'queued'  THEN due_at IS NULL AND is_waiting IS NULL AND begins_paused IS NULL
    WHEN 'parked'  THEN due_at IS NOT NULL AND begins_paused IS NULL
    WHEN 'paused'  THEN due_at IS NULL AND is_waiting IS NULL AND begins_paused IS NULL
    WHEN 'in line' THEN due_at IS NULL AND is_waiting IS NULL AND begins_paused IS NOT NULL AND awaited_by IS NOT NULL
    ELSE 0 END),
  CHECK (iif(root_seq IS NULL, coalesce(depth, awaited_by, detached_from) IS NULL,
    depth IS NOT NULL AND (awaited_by IS NULL) <> (detached_from IS NULL)))
) STRICT;

CREATE INDEX queue_parked ON queue (due_at) WHERE due_at IS NOT NULL;
-- What is due is taken up flow by flow, as much of each as there is room for: none waits behind those of another flow.
CREATE INDEX queue_by_flow ON queue (flow_id, state, due_at) WHERE state <> 'queued';
CREATE INDEX queue_waiting ON queue (seq) WHERE is_waiting = 1;
CREATE INDEX queue_awaited ON queue (awaited_by, state, due_at) WHERE awaited_by IS NOT NULL;
CREATE INDEX queue_detached ON queue (detached_from, state, due_at) WHERE detached_from IS NOT NULL;
CREATE INDEX queue_below ON queue (root_seq, depth, seq) WHERE root_seq IS NOT NULL;

-- Siblings that are to become due, all that are not queued, from this moment on: there may be too many for one commit.
CREATE TABLE releases (
  awaited_by    INTEGER UNIQUE,
  detached_from INTEGER UNIQUE,
  at            INTEGER NOT NULL,
  CHECK ((awaited_by IS NULL) <> (detached_from IS NULL))
) STRICT;

-- Runs that other runs started. What is known of their parents stands apart, so that all others are written without it; a mark
-- keeps them out of the indexes that lists go through. A parent may be deleted while one that it did not wait for goes on.
-- `on_its_own`: it was opened again by itself below a run that was cancelled, which is no concern of it any more.
CREATE TABLE children (
  seq         INTEGER PRIMARY KEY,
  parent_seq  INTEGER NOT NULL,
  node        INTEGER NOT NULL,
  child_index INTEGER NOT NULL,
  depth       INTEGER NOT NULL,
  is_awaited  INTEGER NOT NULL,
  root_seq    INTEGER NOT NULL,
  parent_flow INTEGER NOT NULL,
  parent_id   TEXT NOT NULL,
  on_its_own  INTEGER
) STRICT;

CREATE INDEX children_by_parent ON children (parent_seq);
CREATE INDEX children_by_node ON children (parent_seq, node, child_index);

CREATE TABLE journal (
  no      INTEGER PRIMARY KEY,
  block   INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq INTEGER NOT NULL,
  flow    INTEGER NOT NULL,
  entry   TEXT NOT NULL
) STRICT;

CREATE INDEX journal_by_run ON journal (run_seq);
CREATE INDEX journal_by_flow ON journal (block, flow);

-- `nodes`: the nodes with an output, a JSON array among `names`. A table of pointers from node to run was measured at 3 µs per
-- end with 10 flows in a batch, 9 µs with 90; going back through the flow's outcomes costs nothing here.
CREATE TABLE outcomes (
  seq         INTEGER PRIMARY KEY,
  no          INTEGER NOT NULL,
  block       INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  flow        INTEGER NOT NULL,
  status      TEXT NOT NULL,
  started_at  INTEGER,
  finished_at INTEGER NOT NULL,
  nodes       INTEGER NOT NULL,
  error       TEXT,
  steps       TEXT NOT NULL,
  is_child    INTEGER
) STRICT;

CREATE INDEX outcomes_by_flow ON outcomes (block, flow, no);
-- Most runs succeed: they are found by going through all, and the rare ones through this.
CREATE INDEX outcomes_by_status ON outcomes (status) WHERE status <> 'succeeded' AND is_child IS NULL;
-- Runs that failed, in the order of their ends: triggers go through them. Others, and children of runs, are not in it.
CREATE INDEX outcomes_failed ON outcomes (no) WHERE status = 'failed' AND is_child IS NULL;

CREATE TABLE messages (
  no         INTEGER PRIMARY KEY,
  block      INTEGER GENERATED ALWAYS AS (no >> 10) VIRTUAL,
  run_seq    INTEGER NOT NULL,
  flow       INTEGER NOT NULL,
  session    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id         TEXT NOT NULL,
  sender     TEXT NOT NULL,
  text       TEXT NOT NULL,
  long       TEXT,
  rating     TEXT
) STRICT;

-- Whether a message is there already is asked only of a run that was opened again: its id need not be in the index.
CREATE INDEX messages_by_run ON messages (run_seq);
CREATE INDEX messages_by_flow ON messages (block, flow, session);

-- Long values that the steps of a run put out, in pieces, each written by itself. Steps, journal and messages refer to them, so
-- each is kept once.
CREATE TABLE long_values (
  run_seq INTEGER NOT NULL,
  name    TEXT NOT NULL,
  piece   INTEGER NOT NULL,
  bytes   BLOB NOT NULL,
  UNIQUE (run_seq, name, piece)
) STRICT;

-- What steps of runs wait for, one row per run and node. `id` is null where a call came before its run has come to wait for it.
-- `entry_no`: the journal entry that woke it; `entry` holds that text where the journal has been begun anew since. A wait for
-- children counts those that have not ended, those of them that are in line, and those that did not succeed.
CREATE TABLE waits (
  no               INTEGER PRIMARY KEY,
  run_seq          INTEGER NOT NULL,
  node             TEXT NOT NULL,
  flow             INTEGER NOT NULL,
  kind             TEXT NOT NULL,
  state            TEXT NOT NULL,
  id               TEXT,
  created_at       INTEGER,
  expires_at       INTEGER,
  ended_at         INTEGER,
  entry_no         INTEGER,
  question         TEXT,
  answer           TEXT,
  entry            TEXT,
  children_left    INTEGER,
  children_in_line INTEGER,
  children_failed  INTEGER,
  stops_on_failure INTEGER,
  UNIQUE (run_seq, node)
) STRICT;

CREATE UNIQUE INDEX waits_by_id ON waits (id) WHERE id IS NOT NULL;
-- For lists, newest first: of all flows, and of some.
CREATE INDEX waits_by_state ON waits (kind, state, created_at, id) WHERE id IS NOT NULL;
CREATE INDEX waits_by_flow ON waits (kind, state, flow, created_at, id) WHERE id IS NOT NULL;

-- Which changes steps have made to kept values, so that a step that is tried again makes none of them twice. They go with their
-- run.
CREATE TABLE kept_changes (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  change  TEXT NOT NULL,
  result  TEXT,
  PRIMARY KEY (run_seq, node, change)
) STRICT, WITHOUT ROWID;

-- Bytes of files, once by content: where they lie, by a name that was never used before.
CREATE TABLE blobs (
  digest TEXT PRIMARY KEY,
  name   TEXT NOT NULL UNIQUE,
  size   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `loose_since`: perhaps no run names it, since it was uploaded for one to come, or one that did was deleted. Only these are swept.
CREATE TABLE files (
  id           TEXT PRIMARY KEY,
  digest       TEXT NOT NULL,
  filename     TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size         INTEGER NOT NULL,
  context      TEXT NOT NULL,
  uploaded_by  TEXT,
  created_at   INTEGER NOT NULL,
  loose_since  INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX files_by_digest ON files (digest);
CREATE INDEX files_loose ON files (loose_since) WHERE loose_since IS NOT NULL;
CREATE INDEX files_loose_by_key ON files (uploaded_by) WHERE loose_since IS NOT NULL;
CREATE INDEX files_loose_in_context ON files (context) WHERE loose_since IS NOT NULL;

-- Which runs name a file. The flow is there for the question who may read it.
CREATE TABLE file_uses (
  run_seq INTEGER NOT NULL,
  file_id TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  PRIMARY KEY (run_seq, file_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_uses_by_file ON file_uses (file_id, flow_id);

-- Files whose ids calls and answers sent to a run, and so to the one above all others: to send an id opens nothing.
CREATE TABLE sent_files (
  run_seq INTEGER NOT NULL,
  file_id TEXT NOT NULL,
  PRIMARY KEY (run_seq, file_id)
) STRICT, WITHOUT ROWID;

-- Deliveries that have started a run, by what their senders call them: one that comes again starts nothing. Kept apart from the
-- runs, which retention may delete sooner.
CREATE TABLE deliveries (
  key         TEXT PRIMARY KEY,
  run_id      TEXT NOT NULL,
  body        TEXT,
  accepted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_by_time ON deliveries (accepted_at);

-- Runs of drafts, to try them out: each keeps the document that it began with, which is not a version. `scope`: what it runs of
-- it, and which outputs were pinned then, as JSON; null where it runs all of it.
CREATE TABLE test_documents (
  run_seq  INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  scope    TEXT
) STRICT;

-- Tokens that ended runs used of language models. A run that asked none has no row, and pays nothing.
CREATE TABLE model_usage (
  run_seq       INTEGER NOT NULL,
  model         TEXT NOT NULL,
  input_tokens  INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (run_seq, model)
) STRICT, WITHOUT ROWID;

-- Steps that held the thread until the process was ended, as the thread beside it noted; and those that the process was found to
-- have died of.
CREATE TABLE hung_steps (
  run_seq INTEGER NOT NULL,
  node    TEXT NOT NULL,
  hung_at INTEGER NOT NULL,
  crashed INTEGER NOT NULL DEFAULT 0 CHECK (crashed IN (0, 1))
) STRICT;

CREATE INDEX hung_steps_by_run ON hung_steps (run_seq);

-- Runs that are deleted while something of them is left to delete: children that ended before this moment, and pieces of long
-- values. There may be too many for one commit.
CREATE TABLE deletions (
  seq          INTEGER PRIMARY KEY,
  ended_before INTEGER NOT NULL
) STRICT;
