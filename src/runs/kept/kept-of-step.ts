import { createHash } from 'node:crypto'
import { type JsonValue, parseJson } from '../../flows/json/exact-json.ts'
import type { KeptFor, KeptValues } from '../../flows/step/step-kept.ts'
import type { KeptChange } from '../../store/kept-values.ts'
import type { KeptLibrary, KeptPersist, WantedChange } from './kept-library.ts'

interface KeepingStep {
  readonly context: string
  /** 0 where no run is meant: a node that somebody tries out. */
  readonly runSeq: number
  readonly node: string
  readonly persist: KeptPersist
}

/** What one attempt at a step sees of the values that its context keeps. */
export function keptOfStep(
  library: Pick<KeptLibrary, 'get' | 'change'>,
  { context, runSeq, node, persist }: KeepingStep
): KeptValues {
  const nameOf = namesOfChanges()
  const origin = runSeq === 0 ? undefined : { runSeq, node, nameOf, persist }
  const change = (key: string, wanted: WantedChange) => library.change(context, String(key), wanted, origin)
  return {
    async get(key) {
      const found = await persist(() => library.get(context, String(key)))
      return found === undefined ? undefined : (parseJson(found.value) as JsonValue)
    },
    async set(key, value, keptFor) {
      await change(key, { kind: 'set', value, ...timeOf(keptFor) })
    },
    increment: async (key, by = 1, keptFor) =>
      Number(await change(key, { kind: 'increment', by, ...timeOf(keptFor) })),
    async remove(key) {
      const removed = await change(key, { kind: 'remove' })
      return removed === null ? undefined : (parseJson(removed) as JsonValue)
    }
  }
}

function timeOf({ expiresInMs }: KeptFor = {}): { expiresInMs?: number } {
  return expiresInMs === undefined ? {} : { expiresInMs }
}

/**
 * The next attempt may do other things than the last one: a change is the same where it does the same to the same key, as often
 * as before.
 */
function namesOfChanges(): (change: KeptChange) => string {
  const counts = new Map<string, number>()
  return (change) => {
    const what = `${change.kind} ${detailOf(change)} ${change.key}`
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return `${count} ${what}`
  }
}

function detailOf(change: KeptChange): string {
  if (change.kind === 'set') return createHash('sha256').update(change.value).digest('base64url')
  return change.kind === 'increment' ? String(change.by) : '-'
}
