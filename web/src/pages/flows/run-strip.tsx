import { Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import { RECENT_RUNS } from '../../api/recent-runs.ts'
import type { RecentRun } from '../../api/shapes.ts'
import { duration } from '../../design/format-time.ts'
import { appearanceOf } from '../../design/state-badge.tsx'
import classes from './run-strip.module.css'

interface RunStripProps {
  readonly flow: { readonly id: string; readonly name: string }
  /** Newest first. */
  readonly runs: readonly RecentRun[]
}

/** The last runs at a glance, the newest at the right. A run that failed stands out by its height too. */
export function RunStrip({ flow, runs }: RunStripProps) {
  const summary = inWords(runs)
  return (
    <Tooltip label={<Legend runs={runs} summary={summary} />} disabled={runs.length === 0}>
      <Link
        to={`/flows/${flow.id}/runs`}
        className={classes.strip}
        aria-label={`Runs of ${flow.name}: ${summary}`}
      >
        {Array.from({ length: RECENT_RUNS - runs.length }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places that hold no run yet are all alike.
          <span key={index} className={classes.empty} />
        ))}
        {runs.toReversed().map((run) => (
          <span key={run.id} className={classes.run} data-tone={appearanceOf(run.status).tone} />
        ))}
      </Link>
    </Tooltip>
  )
}

function Legend({ runs, summary }: { readonly runs: readonly RecentRun[]; readonly summary: string }) {
  const slowest = Math.max(...runs.map((run) => run.duration_ms ?? 0))
  return (
    <>
      {summary}
      {slowest > 0 && `, the slowest in ${duration(slowest)}`}
    </>
  )
}

function inWords(runs: readonly RecentRun[]): string {
  if (runs.length === 0) return 'none yet'
  const counts = Map.groupBy(runs, (run) => appearanceOf(run.status).word.toLowerCase())
  const parts = [...counts].map(([word, members]) => `${members.length} ${word}`)
  return `${runs.length === 1 ? 'the last one' : `the last ${runs.length}`}: ${parts.join(', ')}`
}
