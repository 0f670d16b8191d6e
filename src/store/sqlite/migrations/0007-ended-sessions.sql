-- Sessions that somebody has ended by signing out: a copy of the cookie must be worth nothing. Kept until it would have
-- expired by itself.
CREATE TABLE ended_sessions (
  id         TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
