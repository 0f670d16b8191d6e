-- Whether the signing secrets of flows have been moved into connections.
INSERT INTO meta (name, value) VALUES ('secrets_moved', 0);
