import { useId } from 'react'
import type { StatsBucket } from '../../../api/run-stats.ts'
import { type PlotArea, PlotFrame } from './plot-frame.tsx'
import { countTicks } from './plot-scale.ts'
import classes from './plots.module.css'
import { STATE_BARS, type StateBar } from './state-bar.ts'
import type { Brush } from './use-brush.ts'

interface StateBarsProps {
  readonly buckets: readonly StatsBucket[]
  readonly brush: Brush
  /** The one state that is filtered for stands out. */
  readonly emphasis: string
}

/** Runs over time, stacked by how they ended. Failed ones stand at the bottom, where their number can be compared. */
export function StateBars({ buckets, brush, emphasis }: StateBarsProps) {
  const most = Math.max(0, ...buckets.map(totalOf))
  const { top, ticks } = countTicks(most)
  const stripes = useId()
  return (
    <PlotFrame
      label="Runs over time. Arrow keys read the counts, Shift marks several, Enter shows those runs"
      buckets={buckets}
      brush={brush}
      ticks={ticks.map((tick) => ({ ...tick, label: compact(tick.value) }))}
      wordsFor={countWords}
    >
      {(area) => (
        <>
          <defs>
            <pattern
              id={stripes}
              width="5"
              height="5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="5" height="5" className={classes.stripeGround} />
              <rect width="1.6" height="5" className={classes.stripe} />
            </pattern>
          </defs>
          {buckets.map((bucket, index) => (
            <Stack
              key={bucket.from}
              bucket={bucket}
              x={area.left + index * area.step}
              area={area}
              top={top}
              emphasis={emphasis}
              stripes={stripes}
            />
          ))}
        </>
      )}
    </PlotFrame>
  )
}

interface StackProps {
  readonly bucket: StatsBucket
  readonly x: number
  readonly area: PlotArea
  readonly top: number
  readonly emphasis: string
  readonly stripes: string
}

function Stack({ bucket, x, area, top, emphasis, stripes }: StackProps) {
  const gap = area.step > 4 ? 1 : 0
  let below = 0
  return STATE_BARS.map((bar) => {
    const count = bucket[bar.member]
    if (count === 0) return null
    // What is there is seen, however small its part is.
    const height = Math.max(1.5, (count / top) * area.height)
    const y = area.y(below / top) - height
    below += count
    return (
      <rect
        key={bar.member}
        x={x + gap}
        y={y}
        width={Math.max(1, area.step - 2 * gap)}
        height={height}
        className={classes.bar}
        data-tone={bar.tone}
        data-quiet={(emphasis !== '' && !isMeant(bar, emphasis)) || undefined}
        {...(bar.isStriped ? { fill: `url(#${stripes})` } : {})}
      />
    )
  })
}

function isMeant({ states }: StateBar, emphasis: string): boolean {
  return states.some((state) => state === emphasis)
}

export function totalOf(bucket: StatsBucket): number {
  return STATE_BARS.reduce((sum, { member }) => sum + bucket[member], 0)
}

function countWords(bucket: StatsBucket): string[] {
  const parts = STATE_BARS.filter(({ member }) => bucket[member] > 0)
  if (parts.length === 0) return ['no runs']
  return parts.map(({ member, word }) => `${bucket[member].toLocaleString()} ${word.toLowerCase()}`)
}

function compact(value: number): string {
  return value.toLocaleString(undefined, { notation: 'compact' })
}
