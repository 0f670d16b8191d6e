import type { StatsBucket } from '../../../api/run-stats.ts'
import { wholeDuration } from '../whole-duration.ts'
import { bucketWords } from './bucket-words.ts'
import classes from './plots.module.css'
import { STATE_BARS } from './state-bar.ts'
import { totalOf } from './state-bars.tsx'
import { usageOf } from './token-usage.ts'

const COLUMNS = STATE_BARS.toReversed()

/** The numbers behind the plots, newest first; times in which nothing happened are left out. */
export function PlotTable({ buckets }: { readonly buckets: readonly StatsBucket[] }) {
  const busy = buckets.filter((bucket) => totalOf(bucket) > 0).toReversed()
  const hasTokens = usageOf(buckets) !== null
  if (busy.length === 0) return <p className={classes.empty}>No run was accepted in this time.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    <section className={classes.tableRoom} tabIndex={0} aria-label="Numbers of the plots">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Accepted</th>
            {COLUMNS.map(({ member, word }) => (
              <th key={member} scope="col">
                {word}
              </th>
            ))}
            <th scope="col">p50</th>
            <th scope="col">p99</th>
            {hasTokens && (
              <>
                <th scope="col">Tokens in</th>
                <th scope="col">Tokens out</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {busy.map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{bucketWords(bucket)}</th>
              {COLUMNS.map(({ member }) => (
                <td key={member}>{bucket[member].toLocaleString()}</td>
              ))}
              <td>{durationWords(bucket.p50_ms)}</td>
              <td>{durationWords(bucket.p99_ms)}</td>
              {hasTokens && (
                <>
                  <td>{tokenWords(bucket.usage?.input_tokens)}</td>
                  <td>{tokenWords(bucket.usage?.output_tokens)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function durationWords(ms: number | null): string {
  return ms === null ? '–' : wholeDuration(ms)
}

function tokenWords(tokens: number | undefined): string {
  return tokens === undefined ? '–' : tokens.toLocaleString()
}
