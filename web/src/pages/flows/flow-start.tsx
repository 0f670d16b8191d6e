import { lazy, Suspense } from 'react'
import type { ListedFlow } from '../../api/shapes.ts'
import { isAnythingLive } from '../../editor/graph/live-standing.ts'
import classes from './flows-page.module.css'
import { schedulesOf, startWords } from './start-words.ts'

// It brings what reads cron expressions, which most flows do without.
const NextStart = lazy(async () => {
  const { NextStart } = await import('./next-start.tsx')
  return { default: NextStart }
})

/** What starts the flow, and when next; or that nothing of it is live. */
export function FlowStart({ flow }: { readonly flow: ListedFlow }) {
  if (!isAnythingLive(flow)) return <span className={classes.start}>Nothing is live yet</span>
  const words = startWords(flow)
  const schedules = flow.paused ? [] : schedulesOf(flow)
  if (words.length === 0) return null
  return (
    <span className={classes.start}>
      {words.join(', ')}
      {schedules.length > 0 && (
        <Suspense fallback={null}>
          <NextStart schedules={schedules} />
        </Suspense>
      )}
    </span>
  )
}
