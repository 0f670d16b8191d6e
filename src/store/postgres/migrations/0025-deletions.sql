-- Expand. Runs that are deleted while children of them are left to delete: all that have ended, or those that ended before this
-- moment. There may be too many for one statement.
CREATE TABLE millrace.deletions (
  seq          bigint PRIMARY KEY,
  ended_before bigint
);
