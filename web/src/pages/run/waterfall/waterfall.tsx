import { useRef } from 'react'
import { duration } from '../../../design/format-time.ts'
import { appearanceOf, StateBadge } from '../../../design/state-badge.tsx'
import type { Bar } from './bars.ts'
import type { Waterfall as Layout, WaterfallRow } from './lay-out.ts'
import { type TimeScale, timeScale } from './time-scale.ts'
import classes from './waterfall.module.css'

/** The run as a whole, in the place of a node. */
export const WHOLE_RUN = ''

interface WaterfallProps {
  readonly layout: Layout
  readonly status: string
  /** A node, or the whole run. */
  readonly selected: string
  readonly onSelect: (node: string) => void
  /** How a component is called. */
  readonly titleOf: (row: WaterfallRow) => string
}

/** Steps of a run as bars on one line of time. Each row can be chosen: by a click, or by arrow keys. */
export function Waterfall({ layout, status, selected, onSelect, titleOf }: WaterfallProps) {
  const list = useRef<HTMLUListElement>(null)
  const scale = timeScale(
    layout.rows.flatMap(({ bars }) => bars),
    layout.end
  )
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]
    next?.focus()
    next?.click()
  }
  return (
    <div className={classes.waterfall}>
      <Axis scale={scale} />
      <ul ref={list} className={classes.rows} aria-label="Steps" onKeyDown={onKeyDown}>
        <Row
          name="Whole run"
          state={status}
          bars={layout.run}
          scale={scale}
          timing={wholeWords(layout)}
          isSelected={selected === WHOLE_RUN}
          onSelect={() => onSelect(WHOLE_RUN)}
        />
        {layout.rows.map((row) => (
          <Row
            key={row.node}
            name={titleOf(row)}
            id={row.node}
            state={row.state}
            bars={row.bars}
            scale={scale}
            timing={stepWords(row)}
            isSelected={selected === row.node}
            onSelect={() => onSelect(row.node)}
          />
        ))}
      </ul>
    </div>
  )
}

function Axis({ scale }: { readonly scale: TimeScale }) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.lane}>
        {scale.ticks.map(({ ms, place }) => (
          <span key={ms} className={classes.tick} style={{ left: percent(place) }}>
            {ms === 0 ? '0' : duration(ms)}
          </span>
        ))}
        {scale.folds.map(({ begin, end, lastedMs }) => (
          <span
            key={begin}
            className={classes.foldWords}
            style={{ left: percent(begin), width: percent(end - begin) }}
            title={`Nothing happened for ${duration(lastedMs)}`}
          >
            ⋯
          </span>
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly id?: string
  readonly state: string
  readonly bars: readonly Bar[]
  readonly scale: TimeScale
  /** At the end of the line. */
  readonly timing: string
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function Row({ name, id, state, bars, scale, timing, isSelected, onSelect }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        aria-current={isSelected || undefined}
        onClick={onSelect}
        data-node={id ?? WHOLE_RUN}
        data-skipped={state === 'skipped' || state === 'not reached' || undefined}
      >
        <span className={classes.label}>
          <StateBadge state={state} iconOnly />
          <span className={classes.name}>{name}</span>
          {id !== undefined && <code className={classes.id}>{id}</code>}
        </span>
        <span className={classes.lane}>
          {scale.ticks.map(({ ms, place }) => (
            <span key={ms} className={classes.gridline} style={{ left: percent(place) }} />
          ))}
          {scale.folds.map(({ begin, end }) => (
            <span
              key={begin}
              className={classes.fold}
              style={{ left: percent(begin), width: percent(end - begin) }}
            />
          ))}
          {bars.map((bar) => (
            <BarMark key={`${bar.kind} ${bar.from}`} bar={bar} scale={scale} />
          ))}
        </span>
        <span className={classes.timing}>{timing}</span>
      </button>
    </li>
  )
}

function BarMark({ bar, scale }: { readonly bar: Bar; readonly scale: TimeScale }) {
  const begin = scale.place(bar.from)
  return (
    <span
      className={classes.bar}
      data-kind={bar.kind}
      data-tone={appearanceOf(bar.state).tone}
      style={{ left: percent(begin), width: percent(scale.place(bar.to) - begin) }}
      title={barWords(bar)}
    />
  )
}

function wholeWords({ times: { started }, end }: Layout): string {
  return started === null ? 'in the queue' : duration(Math.max(0, end - started))
}

function stepWords({ state, durationMs, attempts, againInMs, isPinned }: WaterfallRow): string {
  if (isPinned) return 'pinned'
  const tries = attempts > 1 ? ` · ${attempts} attempts` : ''
  if (durationMs !== null) return duration(durationMs) + tries
  // In whole seconds: tenths that run by draw the eye.
  if (againInMs !== undefined) return `again in ${duration(Math.ceil(againInMs / 1000) * 1000)}`
  return appearanceOf(state).word.toLowerCase() + tries
}

function barWords({ kind, from, to, state, attempt }: Bar): string {
  const took = duration(to - from)
  if (kind === 'queue') return `In the queue for ${took}`
  if (kind === 'wait') return `Waited ${took} for the next attempt`
  return kind === 'run' ? took : `Attempt ${attempt ?? 1}: ${appearanceOf(state).word.toLowerCase()}, ${took}`
}

function percent(part: number): string {
  return `${(100 * part).toFixed(3)}%`
}
