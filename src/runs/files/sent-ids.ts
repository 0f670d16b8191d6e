import { parseJson } from '../../flows/json/exact-json.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { runStartOf } from '../record/run-start.ts'

/**
 * Whether an id came in from outside: with what started the run, or with a call or an answer that woke it. Read as the flow reads it,
 * so that no spelling of JSON hides it.
 */
export function wasSentWith(
  id: string,
  run: Pick<ExecutableRun, 'input' | 'request'>,
  journal: readonly string[] = []
): boolean {
  const { input, request } = runStartOf(run)
  if (holds(input, id) || holds(request, id)) return true
  return journal.some((entry) => entry.includes('"woken"') && holds(wokenIn(entry), id))
}

function wokenIn(entry: string): unknown {
  return (parseJson(entry) as { woken?: unknown }).woken
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
