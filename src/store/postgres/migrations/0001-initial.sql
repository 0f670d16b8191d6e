-- Expand. Everything that is compared or sorted is in the C collation: bytes are what we mean, and what is fastest.

CREATE TABLE millrace.flows (
  id         text COLLATE "C" PRIMARY KEY,
  slug       text COLLATE "C" NOT NULL,
  context    text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint,
  -- Set by every save and removal, from revisions: other processes ask for what came after the one they know.
  revision   bigint NOT NULL
);

CREATE UNIQUE INDEX live_flows_by_slug ON millrace.flows (slug) WHERE deleted_at IS NULL;

CREATE INDEX flows_by_revision ON millrace.flows (revision);

CREATE TABLE millrace.flow_versions (
  flow_id    text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  created_at bigint NOT NULL,
  document   text NOT NULL,
  PRIMARY KEY (flow_id, version)
);

CREATE TABLE millrace.contexts (
  id         text COLLATE "C" PRIMARY KEY,
  path       text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  settings   text NOT NULL,
  variables  text NOT NULL
);

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

CREATE TABLE millrace.sign_in_links (
  hash       text COLLATE "C" PRIMARY KEY,
  key_id     text NOT NULL,
  expires_at bigint NOT NULL
);

CREATE TABLE millrace.session_secret (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret   text NOT NULL
);

-- What all processes hold in memory, and how often it has changed.
CREATE TABLE millrace.revisions (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO millrace.revisions (name, value) VALUES ('flows', 0), ('contexts', 0), ('keys', 0);

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
  request      text,
  input        bytea NOT NULL
);

CREATE INDEX runs_by_flow ON millrace.runs (flow_id, seq);

CREATE INDEX runs_by_time ON millrace.runs (created_at);

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
  steps       text NOT NULL
);

-- By number first, so that it grows at its end whatever the flow, and serves one flow as well as all of them.
CREATE INDEX outcomes_by_number ON millrace.outcomes (no, flow_id);

CREATE INDEX outcomes_by_status ON millrace.outcomes (status, seq) WHERE status <> 'succeeded';

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
  PRIMARY KEY (run_seq, id)
);

CREATE INDEX messages_by_flow ON millrace.messages (flow_id, no);

-- Which of all starts was the first; and a count that is raised to learn whether anything can be written.
CREATE TABLE millrace.installation (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  opened_on timestamptz,
  probes    bigint NOT NULL DEFAULT 0
);

INSERT INTO millrace.installation DEFAULT VALUES;
