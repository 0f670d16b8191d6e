-- Expand. What providers gave to connections that sign in by OAuth, sealed; and which process is getting it anew.
CREATE TABLE millrace.connection_tokens (
  connection_id text COLLATE "C" PRIMARY KEY,
  tokens        text NOT NULL,
  holder        text,
  held_until    bigint NOT NULL,
  revision      integer NOT NULL
);
