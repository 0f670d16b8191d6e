-- Expand. Everything that is compared or sorted is in the C collation: bytes are what we mean, and what is fastest. A column that
-- hardly any row has (`is_test`, `is_child`, `on_its_own`, `parent_gone`) is 1 or null.

-- Which of all starts was the first; and a count that is raised to learn whether anything can be written.
CREATE TABLE millrace.installation (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  opened_on timestamptz,
  probes    bigint NOT NULL DEFAULT 0
);

INSERT INTO millrace.installation DEFAULT VALUES;

-- What all processes hold in memory, and how often it has changed.
CREATE TABLE millrace.revisions (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO millrace.revisions (name, value) VALUES ('flows', 0), ('contexts', 0), ('keys', 0), ('connections', 0);


-- Processes that share the work.

CREATE TABLE millrace.processes (
  id         text COLLATE "C" PRIMARY KEY,
  role       text NOT NULL,
  host       text NOT NULL,
  pid        integer NOT NULL,
  version    text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- Those that execute runs, and when each was last heard: what it holds lives as long as it does.
CREATE TABLE millrace.holders (
  process_id text COLLATE "C" PRIMARY KEY,
  beat_at    timestamptz NOT NULL
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

-- Which process has the triggers.
CREATE TABLE millrace.trigger_owner (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  process_id text,
  until      timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO millrace.trigger_owner DEFAULT VALUES;

-- Worth nothing after a minute: a crash of the database may empty it.
CREATE UNLOGGED TABLE millrace.rate_buckets (
  flow_id   text COLLATE "C" PRIMARY KEY,
  level     double precision NOT NULL,
  granted   integer NOT NULL,
  filled_at timestamptz NOT NULL
);

-- When a connection with a rate may be used next. Worth nothing after a few seconds, too.
CREATE UNLOGGED TABLE millrace.connection_paces (
  connection_id text COLLATE "C" PRIMARY KEY,
  next_at       timestamptz NOT NULL
);


-- Flows and what belongs to them.

-- A paused flow begins no run. The jobs of runs that would begin are blocked, which is a column of pg-boss's.
CREATE TABLE millrace.flows (
  id          text COLLATE "C" PRIMARY KEY,
  slug        text COLLATE "C" NOT NULL,
  context     text COLLATE "C" NOT NULL,
  version     integer NOT NULL,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL,
  deleted_at  bigint,
  -- Set by every save and removal, from revisions: other processes ask for what came after the one they know.
  revision    bigint NOT NULL,
  paused_mode text,
  paused_at   bigint,
  paused_by   text,
  deleted_by  text,
  -- What its triggers missed before this moment is none of their business: it refused it, or was deleted.
  triggers_from bigint
);

CREATE UNIQUE INDEX live_flows_by_slug ON millrace.flows (slug) WHERE deleted_at IS NULL;
CREATE INDEX flows_by_revision ON millrace.flows (revision);

-- Who made a version, by what, what it changed, and what they say about it.
CREATE TABLE millrace.flow_versions (
  flow_id    text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  created_at bigint NOT NULL,
  document   text NOT NULL,
  origin     text,
  author     text,
  name       text,
  note       text,
  changes    text,
  PRIMARY KEY (flow_id, version)
);

-- What people edit of a flow before it is live. A draft that is gone leaves its number, without a document.
CREATE TABLE millrace.flow_drafts (
  flow_id      text COLLATE "C" PRIMARY KEY,
  revision     integer NOT NULL,
  base_version integer NOT NULL,
  author       text,
  created_at   bigint NOT NULL,
  updated_at   bigint NOT NULL,
  document     text
);

-- Drafts whose place something else has taken: a restored version, or nothing. They never were live, so they are no versions.
CREATE TABLE millrace.flow_kept_drafts (
  flow_id      text COLLATE "C" NOT NULL,
  number       integer NOT NULL,
  base_version integer NOT NULL,
  author       text,
  updated_at   bigint NOT NULL,
  because      text COLLATE "C" NOT NULL,
  document     text NOT NULL,
  PRIMARY KEY (flow_id, number)
);

-- What stands for the outputs of nodes when a flow is tried out. It stands beside the flow: no version and no draft has it.
CREATE TABLE millrace.flow_rehearsals (
  flow_id     text COLLATE "C" PRIMARY KEY,
  id          text NOT NULL,
  revision    integer,
  asked       integer NOT NULL,
  author      text,
  started_at  bigint NOT NULL,
  finished_at bigint,
  result      text
);

CREATE TABLE millrace.flow_pins (
  flow_id    text COLLATE "C" NOT NULL,
  node       text COLLATE "C" NOT NULL,
  made_of    text NOT NULL,
  author     text,
  updated_at bigint NOT NULL,
  outputs    text NOT NULL,
  PRIMARY KEY (flow_id, node)
);

-- What a flow is expected to do with something that came once: every publish holds the draft against it.
CREATE TABLE millrace.flow_expectations (
  flow_id    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  run_id     text NOT NULL,
  author     text,
  created_at bigint NOT NULL,
  expects    text NOT NULL,
  recording  text NOT NULL,
  PRIMARY KEY (flow_id, id)
);

CREATE TABLE millrace.flow_comments (
  flow_id    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  node       text COLLATE "C",
  text       text NOT NULL,
  author     text,
  created_at bigint NOT NULL,
  done_at    bigint,
  done_by    text,
  PRIMARY KEY (flow_id, id)
);

-- What is kept of conversations besides their messages: how people call one, and what sums up its older turns.
CREATE TABLE millrace.session_notes (
  flow_id     text COLLATE "C" NOT NULL,
  session     text COLLATE "C" NOT NULL,
  title       text,
  summary     text,
  up_to_no    bigint,
  up_to_place integer,
  run_id      text COLLATE "C",
  PRIMARY KEY (flow_id, session)
);

-- What models cost: prices that somebody has set, what may be spent, and what was, all in millionths. It stays when runs go.
CREATE TABLE millrace.model_prices (
  model  text COLLATE "C" NOT NULL PRIMARY KEY,
  input  bigint NOT NULL,
  cached bigint NOT NULL,
  output bigint NOT NULL
);

CREATE TABLE millrace.budgets (
  context   text COLLATE "C" NOT NULL PRIMARY KEY,
  per_month bigint,
  per_run   bigint
);

CREATE TABLE millrace.spending (
  day      text COLLATE "C" NOT NULL,
  context  text COLLATE "C" NOT NULL,
  flow_id  text COLLATE "C" NOT NULL,
  model    text COLLATE "C" NOT NULL,
  calls    bigint NOT NULL,
  input    bigint NOT NULL,
  cached   bigint NOT NULL,
  output   bigint NOT NULL,
  cost     bigint NOT NULL,
  unpriced bigint NOT NULL,
  PRIMARY KEY (day, context, flow_id, model)
);

-- Of runs that no other one started, with all that is below them.
CREATE TABLE millrace.run_costs (
  run_seq bigint NOT NULL PRIMARY KEY,
  cost    bigint NOT NULL
);

-- The last write of each process that adds to what was spent: one whose answer was lost comes again, and counts once.
CREATE TABLE millrace.spending_writers (
  writer  text COLLATE "C" NOT NULL PRIMARY KEY,
  last_no bigint NOT NULL,
  at      bigint NOT NULL
);

-- Slugs that flows had and still answer to, and who called them there.
CREATE TABLE millrace.flow_aliases (
  flow_id        text COLLATE "C" NOT NULL,
  slug           text COLLATE "C" NOT NULL,
  since          bigint NOT NULL,
  calls          bigint NOT NULL DEFAULT 0,
  last_called_at bigint,
  callers        text NOT NULL DEFAULT '[]',
  PRIMARY KEY (flow_id, slug)
);

CREATE INDEX flow_aliases_by_slug ON millrace.flow_aliases (slug);

-- How far the triggers of nodes have got, and why one does not work.
CREATE TABLE millrace.triggers (
  flow_id   text COLLATE "C" NOT NULL,
  node      text COLLATE "C" NOT NULL,
  mark      bigint,
  -- Of one that finds things by looking: what it has found before.
  seen      text,
  fault     text,
  failed_at bigint,
  PRIMARY KEY (flow_id, node)
);

-- What triggers have found and not started yet, in pages: a line for each run. The mark of the first is the number of the page.
CREATE TABLE millrace.taken_items (
  flow_id text COLLATE "C" NOT NULL,
  node    text COLLATE "C" NOT NULL,
  page    bigint NOT NULL,
  items   text NOT NULL,
  PRIMARY KEY (flow_id, node, page)
);


-- Contexts, connections, keys.

CREATE TABLE millrace.contexts (
  id         text COLLATE "C" PRIMARY KEY,
  path       text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  settings   text NOT NULL,
  variables  text NOT NULL
);

-- Addresses with what it takes to get in. The secrets are sealed before they come here.
CREATE TABLE millrace.connections (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL,
  context    text COLLATE "C" NOT NULL,
  settings   text NOT NULL,
  secrets    text NOT NULL,
  is_trusted integer NOT NULL,
  revision   integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (context, name)
);

-- Connections that were deleted: they can be brought back for a while.
CREATE TABLE millrace.deleted_connections (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL,
  context    text COLLATE "C" NOT NULL,
  settings   text NOT NULL,
  secrets    text NOT NULL,
  is_trusted integer NOT NULL,
  revision   integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint NOT NULL,
  deleted_by text
);

-- What providers gave to connections that sign in by OAuth, sealed; and which process is getting it anew.
CREATE TABLE millrace.connection_tokens (
  connection_id text COLLATE "C" PRIMARY KEY,
  tokens        text NOT NULL,
  holder        text,
  leased_until  bigint NOT NULL,
  revision      integer NOT NULL
);

-- What an API offers that a connection leads to, by its OpenAPI document; one that is sent anew is another one.
CREATE TABLE millrace.connection_documents (
  id            text COLLATE "C" NOT NULL UNIQUE,
  connection_id text COLLATE "C" PRIMARY KEY,
  format        text NOT NULL,
  title         text NOT NULL,
  version       text NOT NULL,
  server        text,
  size          bigint NOT NULL,
  operations    integer NOT NULL,
  updated_at    bigint NOT NULL
);

-- Its operations, packed: a piece is what is read at a time. They are compressed already.
CREATE TABLE millrace.document_pieces (
  document_id text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  piece       integer NOT NULL,
  content     text NOT NULL,
  PRIMARY KEY (document_id, kind, piece)
);
ALTER TABLE millrace.document_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE millrace.keys (
  id           text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  hash         text NOT NULL,
  hint         text NOT NULL,
  rights       text NOT NULL,
  flow_id      text,
  context      text,
  created_at   bigint NOT NULL,
  expires_at   bigint,
  last_used_at bigint
);

-- Links that sign somebody in to the page once, by the hash of their token.
CREATE TABLE millrace.sign_in_links (
  hash       text COLLATE "C" PRIMARY KEY,
  key_id     text NOT NULL,
  expires_at bigint NOT NULL
);

-- What sessions are signed with: one row, so that of two proposals exactly one is kept.
CREATE TABLE millrace.session_secret (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret   text NOT NULL
);

-- Sessions that somebody has ended by signing out: a copy of the cookie must be worth nothing, in any process. Kept until it
-- would have expired by itself.
CREATE TABLE millrace.ended_sessions (
  id         text COLLATE "C" PRIMARY KEY,
  expires_at bigint NOT NULL
);

-- What flows keep for later runs.
CREATE TABLE millrace.kept_values (
  context    text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  value      text NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (context, key)
);

CREATE INDEX kept_values_by_expiry ON millrace.kept_values (expires_at) WHERE expires_at IS NOT NULL;


-- Knowledge.

-- Collections of texts that are found again. One that was deleted stays until its texts are swept.
CREATE TABLE millrace.collections (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  context    text COLLATE "C" NOT NULL,
  connection text,
  model      text,
  texts      bigint NOT NULL,
  chunks     bigint NOT NULL,
  revision   bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint
);

CREATE INDEX collections_by_name ON millrace.collections (context, name);

CREATE TABLE millrace.knowledge_texts (
  collection_id text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  revision      bigint NOT NULL,
  content       text COLLATE "C" NOT NULL,
  chunks        bigint NOT NULL,
  model         text,
  metadata      text NOT NULL,
  updated_at    bigint NOT NULL,
  PRIMARY KEY (collection_id, id)
);

-- What was written since is read in this order.
CREATE UNIQUE INDEX knowledge_texts_by_revision ON millrace.knowledge_texts (collection_id, revision);

-- Pieces of texts, with what they mean as a vector.
CREATE TABLE millrace.knowledge_chunks (
  content text COLLATE "C" NOT NULL,
  place   integer NOT NULL,
  text    text NOT NULL,
  vector  text,
  PRIMARY KEY (content, place)
);

-- Contents that no text names: on their way, or to be swept.
CREATE TABLE millrace.knowledge_loose (
  content text COLLATE "C" PRIMARY KEY,
  since   bigint NOT NULL
);

CREATE INDEX knowledge_loose_by_age ON millrace.knowledge_loose (since);


-- Runs.

-- Numbers of changes: acceptances, checkpoints and ends. See change-numbers.ts for how they are read without a gap.
CREATE SEQUENCE millrace.changes MINVALUE 0 START 0;
SELECT setval('millrace.changes', 0);

-- Rows are only ever appended. A run is open as long as its job is in the queue.
CREATE TABLE millrace.runs (
  seq          bigint PRIMARY KEY,
  id           text COLLATE "C" NOT NULL UNIQUE,
  flow_id      text COLLATE "C" NOT NULL,
  flow_version integer NOT NULL,
  trigger      text NOT NULL,
  session      text NOT NULL,
  created_at   bigint NOT NULL,
  replay_of    text,
  context      text,
  request      text,
  input        bytea NOT NULL,
  is_test      integer,
  is_child     integer
);

CREATE INDEX runs_by_time ON millrace.runs (created_at);
CREATE INDEX top_runs_by_flow ON millrace.runs (flow_id, seq) WHERE is_child IS NULL;

-- Runs that other runs started. What is known of their parents stands apart, so that all others are written without it; a mark
-- keeps them out of the index that lists of a flow go through.
CREATE TABLE millrace.children (
  seq            bigint PRIMARY KEY,
  parent_seq     bigint NOT NULL,
  node           text COLLATE "C" NOT NULL,
  child_index    integer NOT NULL,
  depth          integer NOT NULL,
  is_awaited     integer NOT NULL,
  -- The run that nobody started above this one.
  root_seq       bigint NOT NULL,
  parent_flow_id text COLLATE "C" NOT NULL,
  parent_id      text COLLATE "C" NOT NULL,
  -- The parent was deleted while this one was open.
  parent_gone    integer,
  -- It was opened again by itself below a run that was cancelled, which is no concern of it any more.
  on_its_own     integer
);

CREATE INDEX children_by_parent ON millrace.children (parent_seq, seq);
CREATE INDEX children_by_node ON millrace.children (parent_seq, node, child_index, seq);
CREATE INDEX children_left_over ON millrace.children (seq) WHERE parent_gone = 1;

CREATE TABLE millrace.journal (
  no      bigint PRIMARY KEY,
  run_seq bigint NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  entry   text NOT NULL
);

CREATE INDEX journal_by_run ON millrace.journal (run_seq, no);

CREATE TABLE millrace.outcomes (
  seq         bigint PRIMARY KEY,
  no          bigint NOT NULL,
  flow_id     text COLLATE "C" NOT NULL,
  status      text COLLATE "C" NOT NULL,
  started_at  bigint,
  finished_at bigint NOT NULL,
  -- The claim that the run was ended under: whoever tries again after a lost answer finds that it was they.
  claim       text,
  nodes       text NOT NULL,
  error       text,
  steps       text NOT NULL,
  is_child    integer
);

-- By number first, so that it grows at its end whatever the flow, and serves one flow as well as all of them.
CREATE INDEX outcomes_by_number ON millrace.outcomes (no, flow_id);
CREATE INDEX outcomes_by_status ON millrace.outcomes (status, seq) WHERE status <> 'succeeded';
-- Runs that failed, in the order of their ends: triggers go through them. Others, and children of runs, are not in it.
CREATE INDEX outcomes_failed ON millrace.outcomes (no) WHERE status = 'failed' AND is_child IS NULL;

-- `no` is that of the end that printed them, `place` their order within it.
CREATE TABLE millrace.messages (
  run_seq    bigint NOT NULL,
  id         text COLLATE "C" NOT NULL,
  no         bigint NOT NULL,
  place      integer NOT NULL,
  flow_id    text COLLATE "C" NOT NULL,
  session    text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  sender     text NOT NULL,
  text       text NOT NULL,
  long       text,
  rating     text,
  PRIMARY KEY (run_seq, id)
);

CREATE INDEX messages_by_flow ON millrace.messages (flow_id, no);
-- Who has said nothing yet would else be looked for among all that others said. A name may be longer than an index takes.
CREATE INDEX messages_by_session ON millrace.messages (flow_id, hashtext(session), no);

-- Long values that the steps of a run put out, in pieces, each written by itself. Steps, journal and messages refer to them, so
-- each is kept once.
CREATE TABLE millrace.long_values (
  run_seq bigint NOT NULL,
  name    text COLLATE "C" NOT NULL,
  piece   integer NOT NULL,
  bytes   bytea NOT NULL,
  PRIMARY KEY (run_seq, name, piece)
);

-- Waits of steps, one for each run and node: see waits.ts and children.ts of the store. A row without an id was woken before the
-- run came to the wait. What stands between `entry_no` and `entry` is of waits for children only.
CREATE TABLE millrace.waits (
  run_seq          bigint NOT NULL,
  node             text COLLATE "C" NOT NULL,
  flow_id          text COLLATE "C" NOT NULL,
  id               text COLLATE "C",
  kind             text COLLATE "C",
  state            text COLLATE "C" NOT NULL,
  created_at       bigint,
  expires_at       bigint,
  question         text,
  answer           text,
  ended_at         bigint,
  -- The entry of the journal that it was woken with.
  entry_no         bigint,
  -- Children that have not ended; those of them that wait for their turn; those that did not succeed.
  children_left    integer,
  children_in_line  integer,
  children_failed  integer,
  stops_on_failure integer,
  -- No child with a smaller index waits for its turn.
  turn_from        integer,
  -- What it was woken with, where the journal has been begun anew since.
  entry            text,
  PRIMARY KEY (run_seq, node)
);

CREATE UNIQUE INDEX waits_by_id ON millrace.waits (id) WHERE id IS NOT NULL;
CREATE INDEX waits_by_kind ON millrace.waits (kind, state, created_at, id);
-- Runs that wait, in the order in which they are listed, however many have waited before.
CREATE INDEX waits_open ON millrace.waits (run_seq) WHERE state = 'open';

-- Which changes steps have made to kept values, so that a step that is tried again makes none of them twice. They go with their
-- run.
CREATE TABLE millrace.kept_changes (
  run_seq bigint NOT NULL,
  node    text COLLATE "C" NOT NULL,
  change  text COLLATE "C" NOT NULL,
  result  text,
  PRIMARY KEY (run_seq, node, change)
);

-- Bytes of files, where they lie in the database, in rows of 1 MB: one value is never so large that it does not fit into memory.
-- Not compressed: most files are already, and a part of a row can be read by itself.
CREATE TABLE millrace.file_parts (
  name       text COLLATE "C" NOT NULL,
  part       integer NOT NULL,
  written_at bigint NOT NULL,
  bytes      bytea NOT NULL,
  PRIMARY KEY (name, part)
);

ALTER TABLE millrace.file_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Bytes of files, once by content: where they lie, by a name that was never used before.
CREATE TABLE millrace.blobs (
  digest text COLLATE "C" PRIMARY KEY,
  name   text COLLATE "C" NOT NULL UNIQUE,
  size   bigint NOT NULL
);

-- `loose_since`: perhaps no run names it, since it was uploaded for one to come, or one that did was deleted. Only these are swept.
CREATE TABLE millrace.files (
  id           text COLLATE "C" PRIMARY KEY,
  digest       text COLLATE "C" NOT NULL,
  filename     text NOT NULL,
  content_type text NOT NULL,
  size         bigint NOT NULL,
  context      text COLLATE "C" NOT NULL,
  uploaded_by  text COLLATE "C",
  created_at   bigint NOT NULL,
  loose_since  bigint
);

CREATE INDEX files_by_digest ON millrace.files (digest);
CREATE INDEX files_loose ON millrace.files (loose_since) WHERE loose_since IS NOT NULL;
CREATE INDEX files_loose_by_key ON millrace.files (uploaded_by) WHERE loose_since IS NOT NULL;
CREATE INDEX files_loose_in_context ON millrace.files (context) WHERE loose_since IS NOT NULL;

-- Which runs name a file. The flow is there for the question who may read it.
CREATE TABLE millrace.file_uses (
  run_seq bigint NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (run_seq, file_id)
);

CREATE INDEX file_uses_by_file ON millrace.file_uses (file_id, flow_id);

-- Files whose ids calls and answers sent to a run, and so to the one above all others: to send an id opens nothing.
CREATE TABLE millrace.sent_files (
  run_seq bigint NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (run_seq, file_id)
);

-- Deliveries that have started a run, by what their senders call them: one that comes again starts nothing, whichever process it
-- comes to. Kept apart from the runs, which retention may delete sooner.
CREATE TABLE millrace.deliveries (
  key         text COLLATE "C" PRIMARY KEY,
  run_id      text NOT NULL,
  body        text,
  accepted_at bigint NOT NULL
);

CREATE INDEX deliveries_by_time ON millrace.deliveries (accepted_at);

-- Runs of drafts, to try them out: each keeps the document that it began with, which is not a version. `scope`: what it runs of
-- it, and which outputs were pinned then, as JSON; null where it runs all of it.
CREATE TABLE millrace.test_documents (
  run_seq  bigint PRIMARY KEY,
  document text NOT NULL,
  scope    text
);

-- Tokens that ended runs used of language models. A run that asked none has no row, and pays nothing.
CREATE TABLE millrace.model_usage (
  run_seq       bigint NOT NULL,
  model         text COLLATE "C" NOT NULL,
  input_tokens  bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (run_seq, model)
);

-- Steps that held the thread until the process was ended, as the thread beside it noted; and those that the process was found to
-- have died of.
CREATE TABLE millrace.hung_steps (
  run_seq bigint NOT NULL,
  node    text NOT NULL,
  hung_at bigint NOT NULL,
  crashed integer NOT NULL DEFAULT 0 CHECK (crashed IN (0, 1))
);

CREATE INDEX hung_steps_by_run ON millrace.hung_steps (run_seq);

-- Runs that are deleted while children of them are left to delete: all that have ended, or those that ended before this moment.
-- There may be too many for one statement.
CREATE TABLE millrace.deletions (
  seq          bigint PRIMARY KEY,
  ended_before bigint
);
