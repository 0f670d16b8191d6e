-- Expand. Waits of steps, one for each run and node: see waits.ts and children.ts of the store. A row without an id was woken
-- before the run came to the wait. What follows `entry_no` is of waits for children only.
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
  children_queued  integer,
  children_failed  integer,
  stops_on_failure integer,
  -- No child with a smaller index waits for its turn.
  turn_from        integer,
  PRIMARY KEY (run_seq, node)
);

CREATE UNIQUE INDEX waits_by_id ON millrace.waits (id) WHERE id IS NOT NULL;

CREATE INDEX waits_by_kind ON millrace.waits (kind, state, created_at, id);
