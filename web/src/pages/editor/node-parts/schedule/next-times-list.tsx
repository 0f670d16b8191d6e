import { useId, useMemo } from 'react'
import { useNow } from '../../../../design/use-now.ts'
import fields from '../../fields/fields.module.css'
import classes from './next-times.module.css'
import { nextTimes } from './next-times.ts'

interface NextTimesProps {
  readonly cron: string
  readonly timezone: string
}

const SHOWN = 5
const MINUTE = 60_000

const inZone = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone })
  })

/** When a schedule comes next, in its zone and, where that is another, in the viewer's. */
export function NextTimesList({ cron, timezone }: NextTimesProps) {
  const titleId = useId()
  const minute = Math.floor(useNow() / MINUTE) * MINUTE
  const times = useMemo(() => nextTimes(cron, timezone, minute, SHOWN), [cron, timezone, minute])
  if (times.length === 0) return null
  const [there, here] = [inZone(timezone.trim() || 'UTC'), inZone(undefined)]
  return (
    <div className={classes.times}>
      <p id={titleId} className={fields.help}>
        Next times, in {timezone.trim() || 'UTC'}
      </p>
      <ol aria-labelledby={titleId}>
        {times.map((at) => {
          const [told, own] = [there.format(at), here.format(at)]
          return (
            <li key={at}>
              <time dateTime={new Date(at).toISOString()}>{told}</time>
              {own !== told && <span className={classes.here}>{own} for you</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
