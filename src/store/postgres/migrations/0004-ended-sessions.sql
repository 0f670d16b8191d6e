-- Expand. Sessions that somebody has ended by signing out: a copy of the cookie must be worth nothing, in any process.
-- Kept until it would have expired by itself.
CREATE TABLE millrace.ended_sessions (
  id         text COLLATE "C" PRIMARY KEY,
  expires_at bigint NOT NULL
);
