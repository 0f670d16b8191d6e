import type { AliasCaller } from './flow-standing.ts'

/** Who called lately is what people ask; the number of all calls is kept beside them. */
const MOST_CALLERS = 20

/** Adds callers to those that are kept, as JSON text: the newest of both. */
export function mergeCallers(kept: string, news: readonly AliasCaller[]): string {
  const known = new Map<string, AliasCaller>()
  for (const caller of [...readCallers(kept), ...news]) {
    const name = JSON.stringify([caller.key, caller.address])
    const before = known.get(name)
    known.set(name, {
      ...caller,
      calls: caller.calls + (before?.calls ?? 0),
      lastCalledAt: Math.max(caller.lastCalledAt, before?.lastCalledAt ?? 0)
    })
  }
  const newestFirst = [...known.values()].sort((a, b) => b.lastCalledAt - a.lastCalledAt)
  return JSON.stringify(newestFirst.slice(0, MOST_CALLERS))
}

export function readCallers(kept: string): AliasCaller[] {
  return JSON.parse(kept) as AliasCaller[]
}
