import { type ContextPathMove, inTwoSteps } from '../rows/kept-row.ts'
import { type LibrarySteps, rows } from './library-database.ts'

/** The values of a context that goes. */
export function* removeKept(path: string): LibrarySteps<void> {
  yield* rows('DELETE FROM kept_values WHERE context = ?', path)
}

/** The values of contexts that get other paths. */
export function* moveKept(moves: readonly ContextPathMove[]): LibrarySteps<void> {
  for (const { from, to } of inTwoSteps(moves)) {
    yield* removeKept(to)
    yield* rows('UPDATE kept_values SET context = ? WHERE context = ?', to, from)
  }
}
