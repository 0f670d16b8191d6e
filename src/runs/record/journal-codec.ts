import type { JournalEntry } from '../../engine/journal.ts'
import { parseJson, writeJson } from '../../flows/json/exact-json.ts'
import type { RunStart, StoredValues } from './run-start.ts'
import { type StoredStep, withoutStored, withStored } from './step-codec.ts'

type StoredEntry = Omit<JournalEntry, 'settled'> & { readonly settled?: readonly StoredStep[] }

export function encodeEntry(entry: JournalEntry, stored: StoredValues): string {
  if (entry.settled === undefined) return writeJson(entry)
  return writeJson({ ...entry, settled: entry.settled.map((step) => withoutStored(step, stored)) })
}

/** Without the start at hand, outputs that are one of them are left out. */
export function decodeEntry(text: string, start: RunStart | undefined): JournalEntry {
  const { settled, ...entry } = parseJson(text) as unknown as StoredEntry
  if (settled === undefined) return entry
  return { ...entry, settled: settled.map((step) => withStored(step, start)) }
}
