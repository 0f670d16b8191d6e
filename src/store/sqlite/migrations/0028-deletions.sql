-- Runs that are deleted while something of them is left to delete: children that ended before this moment, and pieces of long
-- values. There may be too many for one commit.
CREATE TABLE deletions (
  seq          INTEGER PRIMARY KEY,
  ended_before INTEGER NOT NULL
) STRICT;
