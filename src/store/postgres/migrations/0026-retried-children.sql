-- Expand. 1 or null: it was opened again by itself below a run that was cancelled, which is no concern of it any more.
ALTER TABLE millrace.children ADD COLUMN on_its_own integer;
