import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { useRowHeight } from './row-height.ts'
import { useOffsetWithin, usePageScroller } from './use-page-scroller.ts'

interface Rows {
  readonly list: React.RefObject<HTMLElement | null>
  readonly count: number
  /** The row that the keyboard is on. */
  readonly active: number
  /** The height of what stays in sight above the rows. */
  readonly headHeight: number
}

interface PlacedRow {
  readonly index: number
  readonly top: number
  /** Rows of one slot are drawn one after the other by the same elements. */
  readonly slot: number
}

interface RowsInSight {
  /** In the order in which they are drawn. */
  readonly placed: readonly PlacedRow[]
  readonly lastIndex: number
  readonly totalHeight: number
  /** How many fit into the window, less one for the eye to go on from. */
  readonly pageLength: number
  readonly isScrolled: boolean
  readonly scrollTo: (index: number) => void
  readonly scrollToFirst: () => void
}

/** The rows of a list of any length that are in sight, or near enough to be soon. */
export function useRowsInSight({ list, count, active, headHeight }: Rows): RowsInSight {
  const height = useRowHeight()
  const scroller = usePageScroller()
  const offset = useOffsetWithin(scroller, list)
  const virtualizer = useVirtualizer({
    count,
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
  const place = ({ index, start }: VirtualItem) => ({ index, top: start - offset, slot: slotOf(index) })
  const placed = items.map(place)
  return {
    placed: virtualizer.isScrolling ? placed.sort((a, b) => a.slot - b.slot) : placed,
    lastIndex: items.at(-1)?.index ?? 0,
    totalHeight: virtualizer.getTotalSize(),
    pageLength: Math.max(1, Math.floor(((scroller?.clientHeight ?? 0) - headHeight) / height) - 1),
    isScrolled: (virtualizer.scrollOffset ?? 0) > offset - headHeight,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
    scrollToFirst: () => scroller?.scrollTo({ top: Math.min(scroller.scrollTop, offset - headHeight) })
  }
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
