import type { LiveEvent } from '../../../api/live-event.ts'
import type { ItemCounts } from '../../../api/runs.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'

/** So many cells are drawn at once, however long the list of a For each is. */
export const PAGE = 500

export interface StripFilter {
  readonly text: string
  readonly state: RunStatus | ''
}

/** Which items are asked for; the members are those of the API. */
export interface ItemQuestion {
  readonly from_index?: number
  readonly below_index?: number
  readonly status?: RunStatus
  readonly q?: string
}

/** `#7` is an item by its place, as errors name it; anything else is looked for in inputs and errors. */
export function itemSought(text: string): number | undefined {
  const number = /^#\s*(\d{1,6})$/.exec(text.trim())?.[1]
  return number === undefined ? undefined : Number(number)
}

export function isFiltered({ text, state }: StripFilter): boolean {
  return text.trim() !== '' || state !== ''
}

/** Without a filter a page is a range of places, so the last one is as near as the first. */
export function questionOf(filter: StripFilter, page: number): ItemQuestion {
  if (!isFiltered(filter)) return { from_index: page * PAGE, below_index: (page + 1) * PAGE }
  const item = itemSought(filter.text)
  const status = filter.state === '' ? {} : { status: filter.state }
  if (item !== undefined) return { from_index: item, below_index: item + 1, ...status }
  const q = filter.text.trim()
  return q === '' ? status : { q, ...status }
}

/** In the order of their places, which is not that of the answer. */
export function inOrder(children: readonly RunSummary[]): RunSummary[] {
  return children.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export function placeOf({ parent }: Pick<RunSummary, 'parent'>): number {
  return parent?.index ?? 0
}

interface StateCount {
  /** `open` where it is not known how each of them stands. */
  readonly state: RunStatus | 'open'
  readonly count: number
}

/**
 * States that there are, as a run goes through them. Of those that are open only the number is known, unless all of them are
 * shown.
 */
export function countStates(
  { open, ...ended }: ItemCounts,
  shown: readonly Pick<RunSummary, 'status'>[]
): StateCount[] {
  const going = OPEN.map((state) => ({ state, count: shown.filter(({ status }) => status === state).length }))
  const isKnown = going.reduce((sum, { count }) => sum + count, 0) === open
  const counts: StateCount[] = [
    ...(isKnown ? going : [{ state: 'open', count: open } as const]),
    ...ENDED.map((state) => ({ state, count: ended[state] }))
  ]
  return counts.filter(({ count }) => count > 0)
}

const ENDED = ['succeeded', 'failed', 'cancelled'] as const
const OPEN = ['queued', 'in progress', 'waiting'] as const

export function pageCount(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE))
}

/** Items are counted from 0, as `index` and errors do. */
export function rangeWords(page: number, total: number): string {
  const first = page * PAGE
  const last = Math.min(total, first + PAGE) - 1
  return `Items ${first.toLocaleString('en')} to ${last.toLocaleString('en')} of ${total.toLocaleString('en')}`
}

/** Where a key leads from a cell, in rows of so many; undefined for other keys. */
export function nextCell(key: string, at: number, count: number, columns: number): number | undefined {
  const within = (place: number) => (place < 0 || place >= count ? at : place)
  switch (key) {
    case 'ArrowRight':
      return within(at + 1)
    case 'ArrowLeft':
      return within(at - 1)
    case 'ArrowDown':
      return within(at + columns)
    case 'ArrowUp':
      return within(at - columns)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

const RUN_EVENTS: readonly LiveEvent['name'][] = ['run.queued', 'run.started', 'run.waiting', 'run.ended']

/** Whether something happened to the run, to children of it that are known, or to a new one. */
export function concernsChildren(
  events: readonly LiveEvent[],
  parent: string,
  known: ReadonlySet<string>
): boolean {
  return events.some(({ name, data }) => {
    if (!RUN_EVENTS.includes(name) || data.run_id === undefined) return false
    const startedBy = (data.parent as { readonly run_id: string } | undefined)?.run_id
    return data.run_id === parent || startedBy === parent || known.has(data.run_id)
  })
}
