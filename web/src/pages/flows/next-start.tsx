import { nextTimes } from '../editor/node-parts/schedule/next-times.ts'

interface NextStartProps {
  readonly schedules: readonly { readonly cron: string; readonly timezone: string }[]
}

const MOMENT = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' })

/** When a schedule of the flow starts it next, as the clock of whoever looks shows it. */
export function NextStart({ schedules }: NextStartProps) {
  const now = Date.now()
  const next = Math.min(...schedules.flatMap(({ cron, timezone }) => nextTimes(cron, timezone, now, 1)))
  if (!Number.isFinite(next)) return null
  return <>, next {MOMENT.format(next)}</>
}
