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

const TO_THE_MINUTE: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const TO_THE_SECOND: Intl.DateTimeFormatOptions = { ...TO_THE_MINUTE, second: '2-digit' }
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

/** A time in a zone; for the viewer only what is not told by the one before it, so that both stand on one line. */
function formatIn(timeZone: string, time: Intl.DateTimeFormatOptions) {
  const [dayThere, dayHere] = [
    new Intl.DateTimeFormat(undefined, { ...DAY, timeZone }),
    new Intl.DateTimeFormat(undefined, DAY)
  ]
  const there = new Intl.DateTimeFormat(undefined, { ...DAY, ...time, timeZone })
  const here = new Intl.DateTimeFormat(undefined, { ...DAY, ...time })
  const [timeAlone, dayAndTime] = [
    new Intl.DateTimeFormat(undefined, time),
    new Intl.DateTimeFormat(undefined, { weekday: 'short', ...time })
  ]
  return (at: number) => {
    const isSameDay = dayThere.format(at) === dayHere.format(at)
    const own = (isSameDay ? timeAlone : dayAndTime).format(at)
    return { inZone: there.format(at), own: there.format(at) === here.format(at) ? undefined : own }
  }
}

/** When a schedule comes next, in its zone and, where that is another, in the viewer's. */
export function NextTimesList({ cron, timezone }: NextTimesProps) {
  const titleId = useId()
  const minute = Math.floor(useNow() / MINUTE) * MINUTE
  const times = useMemo(() => nextTimes(cron, timezone, minute, SHOWN), [cron, timezone, minute])
  if (times.length === 0) return null
  const hasSeconds = times.some((at) => at % MINUTE !== 0)
  const format = formatIn(timezone.trim() || 'UTC', hasSeconds ? TO_THE_SECOND : TO_THE_MINUTE)
  return (
    <div className={classes.times}>
      <p id={titleId} className={fields.help}>
        Next times, in {timezone.trim() || 'UTC'}
      </p>
      <ol aria-labelledby={titleId}>
        {times.map((at) => {
          const { inZone, own } = format(at)
          return (
            <li key={at}>
              <time dateTime={new Date(at).toISOString()}>{inZone}</time>
              {own !== undefined && <span className={classes.localTime}>{own} for you</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
