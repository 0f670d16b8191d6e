import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** What somebody edits is not in there: installed packages, and folders with a dot, such as .git and .millrace. */
const SKIPPED = /^(?:node_modules$|\.)/
const SOURCE = /\.(?:[cm]?[jt]s|json)$/
const LOOK_EVERY_MS = 250

/** The sources in a folder and below it, by path, each with what is another one when it is written. */
type Sources = ReadonlyMap<string, string>

export function readSources(folder: string, root = folder, found = new Map<string, string>()): Sources {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) readSources(path, root, found)
    else if (entry.isFile() && SOURCE.test(entry.name)) found.set(relative(root, path), stampOf(path))
  }
  return found
}

/** Gone between the listing and the look, where an editor puts a new file in the place of the old one. */
function stampOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined ? '' : `${facts.mtimeMs} ${facts.size} ${facts.ino}`
}

/** A source that was written, came or went. */
export function changedSource(before: Sources, after: Sources): string | undefined {
  const paths = new Set([...after.keys(), ...before.keys()])
  return [...paths].find((path) => before.get(path) !== after.get(path))
}

/**
 * Waits until a source differs from what it was. It looks instead of being told: the sources of a plugin are a dozen, and
 * what tells about files differs between systems and says nothing at all on some mounted folders.
 */
export async function nextSources(folder: string, before: Sources, signal: AbortSignal): Promise<Sources> {
  while (!signal.aborted) {
    // Rejects by the signal alone.
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    const after = readSources(folder)
    if (changedSource(before, after) !== undefined) return after
  }
  return before
}
