import { type ContextPathMove, inTwoSteps } from '../rows/kept-row.ts'
import { type LibrarySteps, rows } from './library-database.ts'

/** The values of a context that goes. */
export function* removeKept(path: string): LibrarySteps<void> {
  yield* rows('DELETE FROM kept_values WHERE context = ?', path)
  yield* rows('DELETE FROM budgets WHERE context = ?', path)
}

/** The values of contexts that get other paths. */
export function* moveKept(moves: readonly ContextPathMove[]): LibrarySteps<void> {
  for (const { from, to } of inTwoSteps(moves)) {
    yield* removeKept(to)
    yield* rows('UPDATE kept_values SET context = ? WHERE context = ?', to, from)
    yield* rows('UPDATE budgets SET context = ? WHERE context = ?', to, from)
    // What was spent goes along: with another name a context has no new month.
    yield* rows(mergeText, to, from)
    yield* rows('DELETE FROM spending WHERE context = ?', from)
  }
}

const mergeText = `
  INSERT INTO spending (day, context, flow_id, model, calls, input, cached, output, cost, unpriced)
  SELECT day, CAST(? AS text), flow_id, model, calls, input, cached, output, cost, unpriced
  FROM spending AS moved WHERE moved.context = ?
  ON CONFLICT (day, context, flow_id, model) DO UPDATE SET calls = spending.calls + excluded.calls,
    input = spending.input + excluded.input, cached = spending.cached + excluded.cached,
    output = spending.output + excluded.output, cost = spending.cost + excluded.cost,
    unpriced = spending.unpriced + excluded.unpriced`
