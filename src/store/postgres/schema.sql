-- What the migrations lead to, for reading. Made by: npx node src/store/postgres/schema.test-kit.ts

CREATE TABLE millrace.children (
  seq bigint NOT NULL,
  parent_seq bigint NOT NULL,
  node text NOT NULL,
  child_index integer NOT NULL,
  depth integer NOT NULL,
  is_awaited integer NOT NULL,
  root_seq bigint NOT NULL,
  parent_flow_id text NOT NULL,
  parent_id text NOT NULL,
  parent_gone integer,
  on_its_own integer,
  PRIMARY KEY (seq)
);

CREATE INDEX children_by_node ON millrace.children USING btree (parent_seq, node, child_index, seq);

CREATE INDEX children_by_parent ON millrace.children USING btree (parent_seq, seq);

CREATE INDEX children_left_over ON millrace.children USING btree (seq) WHERE (parent_gone = 1);

CREATE TABLE millrace.connection_tokens (
  connection_id text NOT NULL,
  tokens text NOT NULL,
  holder text,
  held_until bigint NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (connection_id)
);

CREATE TABLE millrace.connections (
  id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  context text NOT NULL,
  settings text NOT NULL,
  secrets text NOT NULL,
  is_trusted integer NOT NULL,
  revision integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (context, name),
  PRIMARY KEY (id)
);

CREATE TABLE millrace.contexts (
  id text NOT NULL,
  path text NOT NULL,
  created_at bigint NOT NULL,
  settings text NOT NULL,
  variables text NOT NULL,
  UNIQUE (path),
  PRIMARY KEY (id)
);

CREATE TABLE millrace.deletions (
  seq bigint NOT NULL,
  ended_before bigint,
  PRIMARY KEY (seq)
);

CREATE TABLE millrace.deliveries (
  key text NOT NULL,
  run_id text NOT NULL,
  body text,
  accepted_at bigint NOT NULL,
  PRIMARY KEY (key)
);

CREATE INDEX deliveries_by_time ON millrace.deliveries USING btree (accepted_at);

CREATE TABLE millrace.ended_sessions (
  id text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE millrace.flow_aliases (
  flow_id text NOT NULL,
  slug text NOT NULL,
  since bigint NOT NULL,
  calls bigint NOT NULL DEFAULT 0,
  last_called_at bigint,
  callers text NOT NULL DEFAULT '[]'::text,
  PRIMARY KEY (flow_id, slug)
);

CREATE INDEX flow_aliases_by_slug ON millrace.flow_aliases USING btree (slug);

CREATE TABLE millrace.flow_drafts (
  flow_id text NOT NULL,
  revision integer NOT NULL,
  base_version integer NOT NULL,
  author text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  document text,
  PRIMARY KEY (flow_id)
);

CREATE TABLE millrace.flow_pins (
  flow_id text NOT NULL,
  node text NOT NULL,
  made_of text NOT NULL,
  author text,
  updated_at bigint NOT NULL,
  outputs text NOT NULL,
  PRIMARY KEY (flow_id, node)
);

CREATE TABLE millrace.flow_versions (
  flow_id text NOT NULL,
  version integer NOT NULL,
  created_at bigint NOT NULL,
  document text NOT NULL,
  origin text,
  author text,
  name text,
  note text,
  changes text,
  PRIMARY KEY (flow_id, version)
);

CREATE TABLE millrace.flows (
  id text NOT NULL,
  slug text NOT NULL,
  context text NOT NULL,
  version integer NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint,
  revision bigint NOT NULL,
  paused_mode text,
  paused_at bigint,
  paused_by text,
  deleted_by text,
  PRIMARY KEY (id)
);

CREATE INDEX flows_by_revision ON millrace.flows USING btree (revision);

CREATE UNIQUE INDEX live_flows_by_slug ON millrace.flows USING btree (slug) WHERE (deleted_at IS NULL);

CREATE TABLE millrace.holders (
  process_id text NOT NULL,
  beat_at timestamp with time zone NOT NULL,
  PRIMARY KEY (process_id)
);

CREATE TABLE millrace.hung_steps (
  run_seq bigint NOT NULL,
  node text NOT NULL,
  hung_at bigint NOT NULL
);

CREATE INDEX hung_steps_by_run ON millrace.hung_steps USING btree (run_seq);

CREATE TABLE millrace.installation (
  only_row boolean NOT NULL DEFAULT true,
  opened_on timestamp with time zone,
  probes bigint NOT NULL DEFAULT 0,
  secrets_moved boolean NOT NULL DEFAULT false,
  CHECK (only_row),
  PRIMARY KEY (only_row)
);

CREATE TABLE millrace.journal (
  no bigint NOT NULL,
  run_seq bigint NOT NULL,
  flow_id text NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (no)
);

CREATE INDEX journal_by_run ON millrace.journal USING btree (run_seq, no);

CREATE TABLE millrace.keeping (
  only_row boolean NOT NULL DEFAULT true,
  keeper text,
  until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  backlog bigint NOT NULL DEFAULT 0,
  counted_at timestamp with time zone NOT NULL DEFAULT now(),
  CHECK (only_row),
  PRIMARY KEY (only_row)
);

CREATE TABLE millrace.kept_changes (
  run_seq bigint NOT NULL,
  node text NOT NULL,
  change text NOT NULL,
  result text,
  PRIMARY KEY (run_seq, node, change)
);

CREATE TABLE millrace.kept_values (
  context text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (context, key)
);

CREATE INDEX kept_values_by_expiry ON millrace.kept_values USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE TABLE millrace.keys (
  id text NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  hint text NOT NULL,
  rights text NOT NULL,
  flow_id text,
  context text,
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  PRIMARY KEY (id)
);

CREATE TABLE millrace.long_values (
  run_seq bigint NOT NULL,
  name text NOT NULL,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run_seq, name, piece)
);

CREATE TABLE millrace.messages (
  run_seq bigint NOT NULL,
  id text NOT NULL,
  no bigint NOT NULL,
  place integer NOT NULL,
  flow_id text NOT NULL,
  session text NOT NULL,
  created_at bigint NOT NULL,
  sender text NOT NULL,
  text text NOT NULL,
  long text,
  PRIMARY KEY (run_seq, id)
);

CREATE INDEX messages_by_flow ON millrace.messages USING btree (flow_id, no);

CREATE TABLE millrace.migrations (
  version integer NOT NULL,
  name text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (version)
);

CREATE TABLE millrace.model_usage (
  run_seq bigint NOT NULL,
  model text NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (run_seq, model)
);

CREATE TABLE millrace.outcomes (
  seq bigint NOT NULL,
  no bigint NOT NULL,
  flow_id text NOT NULL,
  status text NOT NULL,
  started_at bigint,
  finished_at bigint NOT NULL,
  claim text,
  nodes text NOT NULL,
  error text,
  steps text NOT NULL,
  is_child integer,
  PRIMARY KEY (seq)
);

CREATE INDEX outcomes_by_number ON millrace.outcomes USING btree (no, flow_id);

CREATE INDEX outcomes_by_status ON millrace.outcomes USING btree (status, seq) WHERE (status <> 'succeeded'::text);

CREATE INDEX outcomes_failed ON millrace.outcomes USING btree (no) WHERE ((status = 'failed'::text) AND (is_child IS NULL));

CREATE TABLE millrace.processes (
  id text NOT NULL,
  role text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  level integer NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
);

CREATE TABLE millrace.rate_buckets (
  flow_id text NOT NULL,
  level double precision NOT NULL,
  granted integer NOT NULL,
  filled_at timestamp with time zone NOT NULL,
  PRIMARY KEY (flow_id)
);

CREATE TABLE millrace.revisions (
  name text NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE millrace.runs (
  seq bigint NOT NULL,
  id text NOT NULL,
  flow_id text NOT NULL,
  flow_version integer NOT NULL,
  trigger text NOT NULL,
  session text NOT NULL,
  created_at bigint NOT NULL,
  replay_of text,
  request text,
  input bytea NOT NULL,
  is_test integer,
  is_child integer,
  UNIQUE (id),
  PRIMARY KEY (seq)
);

CREATE INDEX runs_by_time ON millrace.runs USING btree (created_at);

CREATE INDEX top_runs_by_flow ON millrace.runs USING btree (flow_id, seq) WHERE (is_child IS NULL);

CREATE TABLE millrace.session_secret (
  only_row boolean NOT NULL DEFAULT true,
  secret text NOT NULL,
  CHECK (only_row),
  PRIMARY KEY (only_row)
);

CREATE TABLE millrace.sign_in_links (
  hash text NOT NULL,
  key_id text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (hash)
);

CREATE TABLE millrace.test_documents (
  run_seq bigint NOT NULL,
  document text NOT NULL,
  scope text,
  PRIMARY KEY (run_seq)
);

CREATE TABLE millrace.trigger_owner (
  only_row boolean NOT NULL DEFAULT true,
  process_id text,
  until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CHECK (only_row),
  PRIMARY KEY (only_row)
);

CREATE TABLE millrace.triggers (
  flow_id text NOT NULL,
  node text NOT NULL,
  mark bigint,
  fault text,
  failed_at bigint,
  PRIMARY KEY (flow_id, node)
);

CREATE TABLE millrace.waits (
  run_seq bigint NOT NULL,
  node text NOT NULL,
  flow_id text NOT NULL,
  id text,
  kind text,
  state text NOT NULL,
  created_at bigint,
  expires_at bigint,
  question text,
  answer text,
  ended_at bigint,
  entry_no bigint,
  children_left integer,
  children_queued integer,
  children_failed integer,
  stops_on_failure integer,
  turn_from integer,
  entry text,
  PRIMARY KEY (run_seq, node)
);

CREATE UNIQUE INDEX waits_by_id ON millrace.waits USING btree (id) WHERE (id IS NOT NULL);

CREATE INDEX waits_by_kind ON millrace.waits USING btree (kind, state, created_at, id);

CREATE INDEX waits_open ON millrace.waits USING btree (run_seq) WHERE (state = 'open'::text);
