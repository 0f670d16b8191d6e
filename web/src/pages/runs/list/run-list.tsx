// biome-ignore-all lint/a11y/useSemanticElements: rows of a list of any length stand free, a table cannot hold them.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid moves the focus from row to row; cells have none.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useHref, useNavigate } from 'react-router'
import { useNow } from '../../../design/use-now.ts'
import type { FeedView, RunFeed } from '../feed/run-feed.ts'
import { isChosen, isEmpty, type Selection } from '../selection.ts'
import { NewRunsPill } from './new-runs-pill.tsx'
import { RunColumns } from './run-columns.tsx'
import classes from './run-list.module.css'
import { RunRow } from './run-row.tsx'
import { useReading } from './use-reading.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'
import { useRunChoice } from './use-run-choice.ts'

interface RunListProps {
  readonly feed: RunFeed
  readonly view: FeedView
  readonly isOutdated: boolean
  /** The name of a run's flow; undefined where all runs are of one. */
  readonly nameOf: ((flowId: string) => string) | undefined
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  /** The height of what stays in sight above the list. */
  readonly stickyTop: number
  /** In the place of rows, where there are none. */
  readonly instead: React.ReactNode
}

const COLUMNS_HEIGHT = 36

/** Runs as a list of any length: only the rows in sight are there, and those below are loaded before they are reached. */
export function RunList(props: RunListProps) {
  const { feed, view, nameOf, selection } = props
  const { rows } = view
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useActiveRun(feed)
  const headHeight = props.stickyTop + COLUMNS_HEIGHT
  const inSight = useRowsInSight({ list, count: rows.length, active, headHeight })
  const choice = useRunChoice(rows, selection, props.onSelect)
  const isReading = useReading(list) || inSight.isScrolled || !isEmpty(selection)
  useEffect(() => feed.see(inSight.lastIndex), [feed, inSight.lastIndex])
  useEffect(() => feed.freeze(isReading), [feed, isReading])
  const onKeyDown = useRowKeys({
    rows,
    active,
    page: inSight.pageLength,
    goTo: (index) => {
      setActive(rows[index]!.id)
      inSight.scrollTo(index)
      focusRow(list, index)
    },
    toggle: choice.toggle,
    chooseAll: choice.chooseLoaded,
    chooseNone: choice.chooseNone
  })
  const { toggle } = choice
  // The keyboard goes on from the row whose box was clicked. The same function each time: a new one draws all rows.
  const onToggle = useCallback(
    (id: string, index: number, isRange: boolean) => {
      toggle(id, index, isRange)
      setActive(id)
      focusRow(list, index)
    },
    [toggle, setActive]
  )
  const showFresh = () => {
    feed.showFresh()
    inSight.scrollToFirst()
  }
  const now = useNow()
  const hrefOfRuns = useHref('/runs')
  return (
    <div className={classes.sheet}>
      <NewRunsPill count={view.fresh} top={props.stickyTop} onShow={showFresh} />
      <div
        role="grid"
        aria-label="Runs"
        aria-rowcount={view.isComplete ? rows.length + 1 : -1}
        aria-multiselectable
        aria-busy={view.isLoading && rows.length === 0}
      >
        <div className={classes.head} role="rowgroup" style={{ top: props.stickyTop }}>
          <RunColumns rows={rows.length} selection={selection} choice={choice} />
        </div>
        <div
          ref={list}
          role="rowgroup"
          className={classes.rows}
          style={rows.length === 0 ? {} : { height: inSight.totalHeight }}
          data-outdated={props.isOutdated || undefined}
          onKeyDown={onKeyDown}
          onClick={useFollowLinks()}
        >
          {rows.length === 0
            ? props.instead
            : inSight.placed.map(({ index, top, slot }) => (
                <RunRow
                  key={index === active ? rows[index]!.id : slot}
                  run={rows[index]!}
                  index={index}
                  top={top}
                  flowName={nameOf?.(rows[index]!.flow_id)}
                  now={now}
                  hrefOfRuns={hrefOfRuns}
                  isChosen={isChosen(selection, rows[index]!.id)}
                  isActive={index === active}
                  onToggle={onToggle}
                />
              ))}
        </div>
      </div>
    </div>
  )
}

/** Links in rows are plain ones, since a row has to be cheap to draw; they are followed here, for all of them. */
function useFollowLinks(): (event: React.MouseEvent) => void {
  const navigate = useNavigate()
  return (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const link = (event.target as Element).closest('a')
    if (link === null || !isPlain) return
    event.preventDefault()
    void navigate(`/runs/${link.closest<HTMLElement>('[data-run]')!.dataset.run}`)
  }
}

/** The row that the keyboard is on, known by its run: it stays on it when rows come above. */
function useActiveRun(feed: RunFeed): [index: number, set: (id: string) => void] {
  const [id, setId] = useState<string>()
  return [id === undefined ? 0 : Math.max(0, feed.indexOf(id)), setId]
}

/** In the next frame: the row may have to be scrolled to, and drawn, first. */
function focusRow(list: React.RefObject<HTMLElement | null>, index: number): void {
  requestAnimationFrame(() => {
    list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  })
}
