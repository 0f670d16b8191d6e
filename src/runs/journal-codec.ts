import type { JournalEntry } from '../engine/journal.ts'
import { parseJson, writeJson } from '../flows/exact-json.ts'
import type { RunGivens } from './run-givens.ts'
import { withGivens, withoutGivens } from './step-codec.ts'

export function encodeEntry(entry: JournalEntry, givens: RunGivens): string {
  if (entry.settled === undefined) return writeJson(entry)
  return writeJson({ ...entry, settled: entry.settled.map((step) => withoutGivens(step, givens)) })
}

/** Without the givens at hand, outputs that are one of them are left out. */
export function decodeEntry(text: string, givens: RunGivens | undefined): JournalEntry {
  const entry = parseJson(text) as unknown as JournalEntry
  if (entry.settled === undefined) return entry
  return { ...entry, settled: entry.settled.map((step) => withGivens(step, givens)) }
}
