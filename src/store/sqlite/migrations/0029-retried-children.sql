-- 1 or null. It was opened again by itself below a run that was cancelled, which is no concern of it any more.
ALTER TABLE children ADD COLUMN on_its_own INTEGER;
