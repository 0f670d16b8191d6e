import { recall, type WokenStep } from '../../engine/journal.ts'
import { type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import type { Woken } from '../../flows/step/step-wait.ts'
import type { RunStore } from '../../store/store.ts'
import { decodeEntry } from './journal-codec.ts'

/** Why a wait is over. */
export interface WakeReason extends Pick<Woken, 'by' | 'value'> {
  /** For those who list what was asked: who answered what. */
  readonly answer?: JsonValue
  /** It counts although the run may not have come to the wait yet. */
  readonly early?: true
}

/** What is written down of it, in the journal of the run and with the wait. */
export function wokenEntry(
  node: string,
  at: number,
  { by, value, answer }: WakeReason
): { readonly entry: string; readonly answer: string | null } {
  const entry = writeJson({ at, woken: [{ node, by, at, value }] })
  return { entry, answer: answer === undefined ? null : writeJson(answer) }
}

/** The steps that somebody has woken, as the journal of the run tells by now. */
export async function wokenSteps(runId: string, store: Pick<RunStore, 'get'>): Promise<WokenStep[]> {
  const { journal = [] } = (await store.get(runId)) ?? {}
  return [...recall(journal.map((entry) => decodeEntry(entry, undefined))).woken.values()]
}
