import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A folder, unless told otherwise for its owner's eyes only, with those above it that are missing. Not by `recursive`: where the system denies a
 * folder by saying that there is none above it, as in /proc, Node tries again for ever, and not even SIGTERM ends it.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(path)
  // Where a file is in the way there, making the folder says so.
  if (above !== path && statSync(above, { throwIfNoEntry: false }) === undefined) makeFolder(above, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Made by another process meanwhile; a file of that name is still in the way.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
