import { ActionIcon, SegmentedControl, Skeleton, Tooltip } from '@mantine/core'
import { memo, useState } from 'react'
import type { StatsBucket } from '../../../api/run-stats.ts'
import { IconChartBar, IconTable } from '../../../design/icons/page-icons.ts'
import { Panel } from '../../../design/page.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import type { RunFeed } from '../feed/run-feed.ts'
import { useFeedView } from '../feed/use-run-feed.ts'
import { hasTime, type RunFilter } from '../filter/run-filter.ts'
import { useIsNarrow } from '../list/row-height.ts'
import { DurationLines } from './duration-lines.tsx'
import { DurationLegend, StateLegend } from './plot-legend.tsx'
import { PlotTable } from './plot-table.tsx'
import classes from './plots.module.css'
import { StateBars } from './state-bars.tsx'
import { TokenBars } from './token-bars.tsx'
import { TokenLegend } from './token-legend.tsx'
import { usageOf } from './token-usage.ts'
import { type Brush, useBrush } from './use-brush.ts'
import { useRunStats } from './use-run-stats.ts'

interface RunPlotsProps {
  readonly filter: RunFilter
  readonly flowId: string | undefined
  /** The runs of the list. */
  readonly feed: RunFeed | undefined
  readonly onChange: (changes: Partial<RunFilter>) => void
}

/** Runs over time by state, and how long they took. Choosing a time in them narrows the list to it. */
export const RunPlots = memo(function RunPlots({ filter, flowId, feed, onChange }: RunPlotsProps) {
  const stats = useRunStats(filter, flowId)
  const [asTable, setAsTable] = useState(false)
  const buckets = stats.data?.buckets ?? []
  const brush = useBrush(buckets.length, (first, last) => {
    onChange({ range: '', since: buckets[first]!.from, until: buckets[last]!.to })
  })
  if (stats.error !== null && stats.data === undefined) {
    return <NoPlots error={stats.error} feed={feed} />
  }
  const period = hasTime(filter) ? '' : ', last 24 hours'
  // The list has them, unless it is asked to leave them out: two numbers that differ need a reason.
  const without = filter.tests === 'without' ? undefined : 'without tests'
  const plots: Plot[] = [
    {
      name: 'Runs',
      title: `Runs${period}${without === undefined ? '' : `, ${without}`}`,
      ...(without === undefined ? {} : { without }),
      legend: <StateLegend buckets={buckets} filter={filter} onChange={onChange} />,
      drawing: <StateBars buckets={buckets} brush={brush} emphasis={filter.state} />
    },
    {
      name: 'Duration',
      title: `Duration${period}`,
      legend: <DurationLegend />,
      drawing: <DurationLines buckets={buckets} brush={brush} />
    },
    ...(usageOf(buckets) === null ? [] : [tokenPlot(buckets, brush, period)])
  ]
  return (
    <section className={classes.plots} aria-label="Runs over time">
      {asTable ? (
        <TablePanel buckets={buckets} onClose={() => setAsTable(false)} />
      ) : (
        <Plots plots={plots} isLoading={stats.isPending} onTable={() => setAsTable(true)} />
      )}
    </section>
  )
})

/** Only where a model was asked: most flows ask none. */
function tokenPlot(buckets: readonly StatsBucket[], brush: Brush, period: string): Plot {
  return {
    name: 'Tokens',
    title: `Tokens${period}`,
    legend: <TokenLegend buckets={buckets} />,
    drawing: <TokenBars buckets={buckets} brush={brush} />
  }
}

/** Says nothing where the list has failed too, and says so with what can be done. */
function NoPlots({ error, feed }: { readonly error: Error; readonly feed: RunFeed | undefined }) {
  const list = useFeedView(feed)
  if (list.error !== null) return null
  return (
    <div className={classes.problem}>
      <ProblemNote error={error} />
    </div>
  )
}

interface Plot {
  readonly name: string
  readonly title: string
  /** What its numbers leave out. */
  readonly without?: string
  readonly legend: React.ReactNode
  readonly drawing: React.ReactNode
}

interface PlotsProps {
  readonly plots: readonly Plot[]
  readonly isLoading: boolean
  readonly onTable: () => void
}

/** Side by side; where there is no room for that, one at a time. */
function Plots({ plots, isLoading, onTable }: PlotsProps) {
  const isNarrow = useIsNarrow()
  const [chosen, setChosen] = useState(plots[0]!.name)
  // The one that was chosen may have gone with the filter.
  const one = plots.filter(({ name }) => name === chosen)
  const shown = isNarrow ? (one.length === 0 ? plots.slice(0, 1) : one) : plots
  return shown.map(({ name, title, without, legend, drawing }, index) => (
    <Panel key={name} aria-label={title}>
      <div className={classes.panelHead}>
        {isNarrow ? (
          <SegmentedControl
            size="xs"
            aria-label="What is plotted"
            data={plots.map((plot) => plot.name)}
            value={name}
            onChange={setChosen}
          />
        ) : (
          <h2 className={classes.title}>{title}</h2>
        )}
        {/* Where the title has no room, what it says of the numbers has. */}
        {isNarrow && without !== undefined && <p className={classes.without}>{without}</p>}
        {legend}
        {index === shown.length - 1 && (
          <TableToggle label="Show the numbers as a table" icon={IconTable} onClick={onTable} />
        )}
      </div>
      {isLoading ? <Skeleton height={132} radius="md" /> : drawing}
    </Panel>
  ))
}

interface TablePanelProps {
  readonly buckets: readonly StatsBucket[]
  readonly onClose: () => void
}

function TablePanel({ buckets, onClose }: TablePanelProps) {
  return (
    <Panel aria-label="Runs over time, as a table">
      <div className={classes.panelHead}>
        <h2 className={classes.title}>
          {usageOf(buckets) === null ? 'Runs and their duration' : 'Runs, their duration and tokens'}
        </h2>
        <TableToggle label="Show the plots" icon={IconChartBar} onClick={onClose} />
      </div>
      <PlotTable buckets={buckets} />
    </Panel>
  )
}

interface TableToggleProps {
  readonly label: string
  readonly icon: typeof IconTable
  readonly onClick: () => void
}

function TableToggle({ label, icon: Picture, onClick }: TableToggleProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={label} onClick={onClick} className={classes.toggle!}>
        <Picture size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
