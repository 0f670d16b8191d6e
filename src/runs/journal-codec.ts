import type { JournalEntry } from '../engine/journal.ts'
import { parseJson, writeJson } from '../flows/exact-json.ts'
import type { RunStart } from './run-start.ts'
import { withoutRunStart, withRunStart } from './step-codec.ts'

export function encodeEntry(entry: JournalEntry, start: RunStart): string {
  if (entry.settled === undefined) return writeJson(entry)
  return writeJson({ ...entry, settled: entry.settled.map((step) => withoutRunStart(step, start)) })
}

/** Without the start at hand, outputs that are one of them are left out. */
export function decodeEntry(text: string, start: RunStart | undefined): JournalEntry {
  const entry = parseJson(text) as unknown as JournalEntry
  if (entry.settled === undefined) return entry
  return { ...entry, settled: entry.settled.map((step) => withRunStart(step, start)) }
}
