import type { ExecutableRun } from '../../store/store.ts'
import { runStartOf } from '../record/run-start.ts'

/** Wherever one stands in a text, also in the midst of another. */
const ID = /(?=(file_[A-Za-z0-9_-]{22}))/g

/**
 * Whether an id came in from outside, with what started the run. Read as the flow reads it, so that no spelling of JSON hides it.
 */
export function wasSentWith(id: string, run: Pick<ExecutableRun, 'input' | 'request'>): boolean {
  const { input, request } = runStartOf(run)
  return [input, request].some((sent) => textsIn(sent).some((text) => text.includes(id)))
}

/** All ids that stand in what was sent, each once. */
export function idsSentIn(sent: unknown): string[] {
  return [
    ...new Set(
      textsIn(sent).flatMap((text) =>
        text
          .matchAll(ID)
          .map(([, id]) => id!)
          .toArray()
      )
    )
  ]
}

/** Every text of a value, and every name. Without recursion: nobody says how deep it is. */
function* textsIn(value: unknown): Generator<string> {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') yield next
    else if (typeof next === 'object' && next !== null) {
      for (const [name, inner] of Object.entries(next)) {
        yield name
        left.push(inner)
      }
    }
  }
}
