import type { JournalEntry } from '../../engine/journal.ts'
import type { RecordedAnswer, StepRecord } from '../../engine/step-record.ts'
import { parseJson, writeJson } from '../../flows/json/exact-json.ts'
import type { NewMessage } from '../../store/message-store.ts'
import type { StoredValues } from './run-start.ts'
import type { ShownStart } from './shown-start.ts'
import { messagesOf, type StoredStep, withoutStored, withStored } from './step-codec.ts'

type StoredEntry = Omit<JournalEntry, 'settled' | 'answered'> & {
  readonly settled?: readonly StoredStep[]
  readonly answered?: StoredStep
}

export function encodeEntry(entry: JournalEntry, stored: StoredValues): string {
  if (entry.settled === undefined) return writeJson(entry)
  const { settled, answered, ...rest } = entry
  return writeJson({
    ...rest,
    settled: settled.map((step) => withoutStored(step, stored)),
    ...(answered && { answered: withoutStored(answered, stored) })
  })
}

/** An entry as the store takes it, with what the steps in it have said: that is there for all to read from then on. */
export interface EncodedEntry {
  readonly text: string
  readonly printed: readonly NewMessage[]
  /** What one of the steps has answered to who called the flow. */
  readonly answer?: RecordedAnswer | undefined
}

export function encodeWithMessages(entry: JournalEntry, stored: StoredValues): EncodedEntry {
  const { settled = [], waiting = [] } = entry
  const printed = messagesOf([...settled, ...waiting], stored)
  return { text: encodeEntry(entry, stored), printed, answer: answerIn(settled) }
}

/** At most one step of a run has one. */
export function answerIn(steps: Iterable<StepRecord>): RecordedAnswer | undefined {
  for (const { answer } of steps) if (answer !== undefined) return answer
  return undefined
}

/** Without the start at hand, outputs that are one of them are left out. */
export function decodeEntry(text: string, start: ShownStart | undefined): JournalEntry {
  const { settled, answered, ...entry } = parseJson(text) as unknown as StoredEntry
  if (settled === undefined) return entry
  return {
    ...entry,
    settled: settled.map((step) => withStored(step, start)),
    ...(answered && { answered: withStored(answered, start) })
  }
}
