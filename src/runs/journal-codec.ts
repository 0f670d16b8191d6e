import type { JournalEntry } from '../engine/journal.ts'
import { type JsonValue, parseJson, writeJson } from '../flows/exact-json.ts'
import { withoutPayload, withPayload } from './step-codec.ts'

export function encodeEntry(entry: JournalEntry, input: JsonValue): string {
  if (entry.settled === undefined) return writeJson(entry)
  return writeJson({ ...entry, settled: entry.settled.map((step) => withoutPayload(step, input)) })
}

export function decodeEntry(text: string, input: JsonValue | undefined): JournalEntry {
  const entry = parseJson(text) as unknown as JournalEntry
  if (entry.settled === undefined) return entry
  return { ...entry, settled: entry.settled.map((step) => withPayload(step, input)) }
}
