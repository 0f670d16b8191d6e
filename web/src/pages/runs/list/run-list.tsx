// biome-ignore-all lint/a11y/useSemanticElements: rows of a list of any length stand free, a table cannot hold them.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid moves the focus from row to row; cells have none.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useHref, useNavigate } from 'react-router'
import { useNow } from '../../../design/use-now.ts'
import type { FeedView, RunFeed } from '../feed/run-feed.ts'
import { isChosen, isEmpty, type Selection } from '../selection.ts'
import { ChooseAllBox } from './choose-all-box.tsx'
import { NewRunsPill } from './new-runs-pill.tsx'
import { useRowHeight } from './row-height.ts'
import classes from './run-list.module.css'
import { RunRow } from './run-row.tsx'
import { useOffsetWithin, usePageScroller } from './use-page-scroller.ts'
import { useReading } from './use-reading.ts'
import { useRowKeys } from './use-row-keys.ts'
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
  const { feed, view, nameOf, selection, onSelect } = props
  const { rows } = view
  const list = useRef<HTMLDivElement>(null)
  const height = useRowHeight()
  const scroller = usePageScroller()
  const offset = useOffsetWithin(scroller, list)
  const headHeight = props.stickyTop + COLUMNS_HEIGHT
  const now = useNow()
  const [active, setActive] = useActiveRun(feed)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    // Rows are known by their place here: by their ids, every new page would be a reason to go through all of them.
    estimateSize: useCallback(() => height, [height]),
    overscan: 8,
    scrollMargin: offset,
    scrollPaddingStart: headHeight,
    rangeExtractor: useCallback((range: Range) => withRow(defaultRangeExtractor(range), active), [active])
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured rows are forgotten when their height changes.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  const items = virtualizer.getVirtualItems()
  const slotOf = useSlots(items.length)
  const last = items.at(-1)?.index ?? 0
  useEffect(() => feed.see(last), [feed, last])
  const isScrolled = (virtualizer.scrollOffset ?? 0) > offset - headHeight
  const isReading = useReading(list) || isScrolled || !isEmpty(selection)
  useEffect(() => feed.hold(isReading), [feed, isReading])
  const hrefOfRuns = useHref('/runs')
  const choice = useRunChoice(rows, selection, onSelect)
  const goTo = (index: number) => {
    setActive(rows[index]!.id)
    virtualizer.scrollToIndex(index)
    focusRow(list, index)
  }
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
  const onKeyDown = useRowKeys({
    rows,
    active,
    page: Math.max(1, Math.floor(((scroller?.clientHeight ?? 0) - headHeight) / height) - 1),
    goTo,
    toggle: choice.toggle,
    chooseAll: choice.chooseLoaded,
    chooseNone: choice.chooseNone
  })
  const showWaiting = () => {
    feed.showWaiting()
    scroller?.scrollTo({ top: Math.min(scroller.scrollTop, offset - headHeight) })
  }
  return (
    <div className={classes.sheet}>
      <NewRunsPill count={view.waiting} top={props.stickyTop} onShow={showWaiting} />
      <div
        role="grid"
        aria-label="Runs"
        aria-rowcount={view.isComplete ? rows.length + 1 : -1}
        aria-multiselectable
        aria-busy={view.isLoading && rows.length === 0}
      >
        <div className={classes.head} role="rowgroup" style={{ top: props.stickyTop }}>
          <Columns rows={rows.length} selection={selection} choice={choice} />
        </div>
        <div
          ref={list}
          role="rowgroup"
          className={classes.rows}
          style={rows.length === 0 ? {} : { height: virtualizer.getTotalSize() }}
          data-outdated={props.isOutdated || undefined}
          onKeyDown={onKeyDown}
          onClick={useFollowLinks()}
        >
          {rows.length === 0
            ? props.instead
            : (virtualizer.isScrolling
                ? items.toSorted((a, b) => slotOf(a.index) - slotOf(b.index))
                : items
              ).map(({ index, start }) => (
                <RunRow
                  key={index === active ? rows[index]!.id : slotOf(index)}
                  run={rows[index]!}
                  index={index}
                  top={start - offset}
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

function Columns({
  rows,
  selection,
  choice
}: {
  readonly rows: number
  readonly selection: Selection
  readonly choice: ReturnType<typeof useRunChoice>
}) {
  return (
    <div role="row" className={classes.columns} aria-rowindex={1} data-empty={rows === 0 || undefined}>
      <span role="columnheader" className={classes.chooseAll}>
        <ChooseAllBox rows={rows} selection={selection} choice={choice} />
        <span className={classes.chooseWords} aria-hidden>
          All rows
        </span>
      </span>
      {['State', 'Run', 'Trigger', 'Accepted', 'Duration'].map((title) => (
        <span key={title} role="columnheader" className={title === 'Duration' ? classes.duration : undefined}>
          {title}
        </span>
      ))}
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

/**
 * A row that leaves at one end is drawn again at the other: to make one costs several times as much as to change what
 * it shows. Only the active row is its own, since it has the focus. While somebody scrolls the rows stand in the order
 * of their slots, so that none has to be moved; as soon as they rest, in the order in which they are read.
 */
function useSlots(count: number): (index: number) => number {
  const most = useRef(0)
  most.current = Math.max(most.current, count)
  return (index) => index % (most.current + 1)
}

/** The active row stays drawn while it is out of sight: it has the focus. */
function withRow(indexes: number[], active: number): number[] {
  if (indexes.includes(active)) return indexes
  return active < (indexes[0] ?? 0) ? [active, ...indexes] : [...indexes, active]
}

/** In the next frame: the row may have to be scrolled to, and drawn, first. */
function focusRow(list: React.RefObject<HTMLElement | null>, index: number): void {
  requestAnimationFrame(() => {
    list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  })
}
