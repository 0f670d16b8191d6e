import type { StatsBucket } from '../../../api/run-stats.ts'
import { type PlotArea, PlotFrame } from './plot-frame.tsx'
import { countTicks } from './plot-scale.ts'
import classes from './plots.module.css'
import type { Brush } from './use-brush.ts'

interface TokenBarsProps {
  readonly buckets: readonly StatsBucket[]
  readonly brush: Brush
}

/** Tokens over time: what the models wrote at the bottom, and above it what they were given. */
export function TokenBars({ buckets, brush }: TokenBarsProps) {
  const { top, ticks } = countTicks(Math.max(0, ...buckets.map(({ usage }) => usage?.total_tokens ?? 0)))
  return (
    <PlotFrame
      label="Tokens over time. Arrow keys read them, Shift marks several times, Enter shows those runs"
      buckets={buckets}
      brush={brush}
      ticks={ticks.map((tick) => ({ ...tick, label: compactCount(tick.value) }))}
      wordsFor={tokenWords}
    >
      {(area) =>
        buckets.map((bucket, index) => (
          <Stack
            key={bucket.from}
            usage={bucket.usage}
            x={area.left + index * area.step}
            area={area}
            top={top}
          />
        ))
      }
    </PlotFrame>
  )
}

interface StackProps {
  readonly usage: StatsBucket['usage']
  readonly x: number
  readonly area: PlotArea
  readonly top: number
}

function Stack({ usage, x, area, top }: StackProps) {
  if (usage === null) return null
  const gap = area.step > 4 ? 1 : 0
  const parts = [
    { name: 'out', from: 0, tokens: usage.output_tokens },
    { name: 'in', from: usage.output_tokens, tokens: usage.input_tokens }
  ]
  return parts
    .filter(({ tokens }) => tokens > 0)
    .map(({ name, from, tokens }) => {
      // What is there is seen, however small its part is.
      const height = Math.max(1.5, (tokens / top) * area.height)
      return (
        <rect
          key={name}
          x={x + gap}
          y={area.y(from / top) - height}
          width={Math.max(1, area.step - 2 * gap)}
          height={height}
          className={classes.bar}
          data-tokens={name}
        />
      )
    })
}

function tokenWords({ usage }: StatsBucket): string[] {
  if (usage === null) return ['no model asked']
  const { input_tokens, output_tokens, models } = usage
  const all = `${input_tokens.toLocaleString()} in, ${output_tokens.toLocaleString()} out`
  const each = models.map(({ model, total_tokens }) => `${model} ${total_tokens.toLocaleString()}`)
  return [all, ...each.slice(0, MOST_MODELS)]
}

/** A tip with more lines than this would be higher than its plot. */
const MOST_MODELS = 4

export function compactCount(value: number): string {
  return value.toLocaleString(undefined, { notation: 'compact' })
}
