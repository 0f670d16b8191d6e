import type { StatsBucket } from '../../../api/run-stats.ts'
import { wholeDuration } from '../whole-duration.ts'
import { type PlotArea, PlotFrame } from './plot-frame.tsx'
import { durationTick, type LogScale, linePath, logScale, lonePoints } from './plot-scale.ts'
import classes from './plots.module.css'
import type { Brush } from './use-brush.ts'

interface DurationLinesProps {
  readonly buckets: readonly StatsBucket[]
  readonly brush: Brush
}

/** How long runs took: half of them at most p50, 99 of 100 at most p99. */
export function DurationLines({ buckets, brush }: DurationLinesProps) {
  const scale = logScale(
    buckets.flatMap(({ p50_ms, p99_ms }) => [p50_ms, p99_ms]).filter((ms) => ms !== null)
  )
  return (
    <PlotFrame
      label="Duration of runs over time. Arrow keys read it, Shift marks several times, Enter shows those runs"
      buckets={buckets}
      brush={brush}
      ticks={scale.ticks.map((tick) => ({ ...tick, label: durationTick(tick.value) }))}
      wordsFor={durationWords}
    >
      {(area) => (
        <>
          <Line area={area} scale={scale} values={buckets.map(({ p99_ms }) => p99_ms)} name="p99" />
          <Line area={area} scale={scale} values={buckets.map(({ p50_ms }) => p50_ms)} name="p50" />
        </>
      )}
    </PlotFrame>
  )
}

interface LineProps {
  readonly area: PlotArea
  readonly scale: LogScale
  readonly values: readonly (number | null)[]
  readonly name: 'p50' | 'p99'
}

function Line({ area, scale, values, name }: LineProps) {
  const points = values.map((value, index): readonly [number, number] | null => {
    if (value === null) return null
    return [area.left + (index + 0.5) * area.step, area.y(scale.place(value))]
  })
  return (
    <g data-line={name} className={classes.line}>
      <path d={linePath(points)} />
      {lonePoints(points).map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="3" />
      ))}
    </g>
  )
}

function durationWords({ p50_ms, p99_ms }: StatsBucket): string[] {
  if (p50_ms === null || p99_ms === null) return ['no run ended']
  return [`p50 ${wholeDuration(p50_ms)}`, `p99 ${wholeDuration(p99_ms)}`]
}
