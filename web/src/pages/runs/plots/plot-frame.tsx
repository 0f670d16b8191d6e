import { useElementSize } from '@mantine/hooks'
import type { StatsBucket } from '../../../api/run-stats.ts'
import { spanWords } from '../filter/time-words.ts'
import { bucketWords, labelOf } from './bucket-words.ts'
import { labelledBuckets, type Tick } from './plot-scale.ts'
import classes from './plots.module.css'
import type { Brush } from './use-brush.ts'

/** Where things are drawn, in pixels. */
export interface PlotArea {
  readonly left: number
  readonly width: number
  readonly height: number
  /** Of one bucket. */
  readonly step: number
  /** The height of a place between 0 and 1. */
  readonly y: (place: number) => number
}

interface PlotFrameProps {
  readonly label: string
  readonly buckets: readonly StatsBucket[]
  readonly brush: Brush
  readonly ticks: readonly (Tick & { readonly label: string })[]
  /** What is known of one bucket, for the tooltip and for screen readers. */
  readonly wordsFor: (bucket: StatsBucket) => readonly string[]
  readonly children: (area: PlotArea) => React.ReactNode
}

const HEIGHT = 132
const TOP = 8
const BOTTOM = 20
const LEFT = 56
const LABEL_WIDTH = 76

/** Axes, marking and the tooltip of a plot over time. For whoever cannot see it, it is a slider that tells each bucket. */
export function PlotFrame({ label, buckets, brush, ticks, wordsFor, children }: PlotFrameProps) {
  const { ref, width: full } = useElementSize<HTMLDivElement>()
  const width = Math.max(0, full - LEFT)
  const height = HEIGHT - TOP - BOTTOM
  const step = buckets.length === 0 ? 0 : width / buckets.length
  const area: PlotArea = { left: LEFT, width, height, step, y: (place) => TOP + height * (1 - place) }
  const active = brush.active === undefined ? undefined : buckets[brush.active]
  const indexAt = (event: React.PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor((event.clientX - left - LEFT) / step)
    return Math.max(0, Math.min(buckets.length - 1, index))
  }
  return (
    <div
      ref={ref}
      className={classes.frame}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, buckets.length - 1)}
      aria-valuenow={brush.active ?? Math.max(0, buckets.length - 1)}
      aria-valuetext={sliderWords(active ?? buckets.at(-1), wordsFor)}
      onKeyDown={brush.onKeyDown}
      onBlur={() => brush.point(undefined)}
      onPointerMove={(event) => brush.point(indexAt(event))}
      onPointerLeave={() => brush.point(undefined)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        brush.press(indexAt(event))
      }}
      onPointerUp={brush.release}
    >
      {full > 0 && (
        <svg width={full} height={HEIGHT} aria-hidden className={classes.plot}>
          {ticks.map(({ value, place, label }) => (
            <g key={value}>
              <line x1={LEFT} x2={full} y1={area.y(place)} y2={area.y(place)} className={classes.gridline} />
              <text x={LEFT - 8} y={area.y(place)} dy="0.32em" textAnchor="end" className={classes.tick}>
                {label}
              </text>
            </g>
          ))}
          <Marks area={area} brush={brush} />
          {children(area)}
          <TimeLabels area={area} buckets={buckets} />
        </svg>
      )}
      {active !== undefined && <Tip area={area} brush={brush} {...tipFor(buckets, brush, wordsFor)} />}
    </div>
  )
}

function Marks({ area, brush: { active, marked } }: { readonly area: PlotArea; readonly brush: Brush }) {
  const [first, last] = marked ?? [active, active]
  if (first === undefined || last === undefined) return null
  return (
    <rect
      x={area.left + first * area.step}
      width={(last - first + 1) * area.step}
      y={TOP}
      height={area.height}
      className={marked === undefined ? classes.pointed : classes.marked}
    />
  )
}

function TimeLabels({
  area,
  buckets
}: {
  readonly area: PlotArea
  readonly buckets: readonly StatsBucket[]
}) {
  return labelledBuckets(buckets.length, area.width, LABEL_WIDTH).map((index) => (
    <text key={index} x={area.left + index * area.step} y={HEIGHT - 4} className={classes.tick}>
      {labelOf(buckets[index]!, buckets)}
    </text>
  ))
}

interface TipProps {
  readonly area: PlotArea
  readonly brush: Brush
  readonly time: string
  readonly lines: readonly string[]
}

/** One bucket is told; of several that are marked, only the time from the first to the last. */
function tipFor(
  buckets: readonly StatsBucket[],
  { active, marked = [active!, active!] }: Brush,
  wordsFor: PlotFrameProps['wordsFor']
): Pick<TipProps, 'time' | 'lines'> {
  const [first, last] = marked.map((index) => buckets[index]!) as [StatsBucket, StatsBucket]
  if (first === last) return { time: bucketWords(first), lines: wordsFor(first) }
  return { time: spanWords(first.from, last.to), lines: ['Show the runs of this time'] }
}

function Tip({ area, brush, time, lines }: TipProps) {
  const middle = area.left + (brush.active! + 0.5) * area.step
  const isRight = middle > area.left + area.width / 2
  return (
    <div
      className={classes.tip}
      style={isRight ? { right: area.left + area.width - middle + 8 } : { left: middle + 8 }}
    >
      <div className={classes.tipTime}>{time}</div>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}

function sliderWords(bucket: StatsBucket | undefined, wordsFor: PlotFrameProps['wordsFor']): string {
  if (bucket === undefined) return 'nothing yet'
  return `${bucketWords(bucket)}: ${wordsFor(bucket).join(', ')}`
}
