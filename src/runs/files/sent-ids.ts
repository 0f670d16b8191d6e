import { parseJson } from '../../flows/json/exact-json.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { runStartOf } from '../record/run-start.ts'

/**
 * Whether an id came in from outside, with what started the run. Read as the flow reads it, so that no spelling of JSON hides it.
 */
export function wasSentWith(id: string, run: Pick<ExecutableRun, 'input' | 'request'>): boolean {
  const { input, request } = runStartOf(run)
  return holds(input, id) || holds(request, id)
}

/** The same of calls and answers that woke it, as its journal tells; those before it was opened again, too. */
export function wasSentTo(id: string, journal: readonly string[]): boolean {
  return journal.some((entry) => /"(?:woken|sent)"/.test(entry) && holds(sentIn(entry), id))
}

function sentIn(entry: string): unknown {
  const { woken, sent } = parseJson(entry) as { woken?: unknown; sent?: unknown }
  return [woken, sent]
}

/** In any text of it, and in any name. Without recursion: nobody says how deep it is. */
function holds(value: unknown, id: string): boolean {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') {
      if (next.includes(id)) return true
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, inner] of Object.entries(next)) {
        if (name.includes(id)) return true
        left.push(inner)
      }
    }
  }
  return false
}
