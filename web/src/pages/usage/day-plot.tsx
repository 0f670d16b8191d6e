import type { UsageDay } from '../../api/costs.ts'
import { costText, countText } from './amounts.ts'
import classes from './usage-page.module.css'

export type Measure = 'cost' | 'tokens'

function measured(of: Omit<UsageDay, 'day'>, measure: Measure): number {
  return measure === 'cost' ? of.cost : of.input_tokens + of.output_tokens
}

interface DayPlotProps {
  readonly days: readonly string[]
  readonly used: readonly UsageDay[]
  readonly measure: Measure
}

/** A bar for each day. Who cannot see it has the table below. */
export function DayPlot({ days, used, measure }: DayPlotProps) {
  const byDay = new Map(used.map((day) => [day.day, day]))
  const most = Math.max(0, ...used.map((day) => measured(day, measure)))
  const text = (value: number) => (measure === 'cost' ? costText(value) : `${countText(value)} tokens`)
  return (
    <figure className={classes.plot}>
      <figcaption className={classes.most}>{text(most)}</figcaption>
      <div className={classes.bars} aria-hidden>
        {days.map((day) => {
          const of = byDay.get(day)
          const value = of === undefined ? 0 : measured(of, measure)
          return (
            <div key={day} className={classes.day} title={`${day}: ${text(value)}`}>
              <div
                className={classes.bar}
                ref={(bar) => bar?.style.setProperty('height', `${most === 0 ? 0 : (value / most) * 100}%`)}
              />
            </div>
          )
        })}
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </div>
    </figure>
  )
}
