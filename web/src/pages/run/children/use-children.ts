import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useLiveEvents } from '../../../api/live.ts'
import { type ItemCounts, type RunPage, readRun, readRunPage } from '../../../api/runs.ts'
import type { Run, RunSummary } from '../../../api/shapes.ts'
import { concernsChildren, type ItemQuestion, PAGE, placeOf } from './strip-view.ts'

/** Children of a run are asked for again this often at the most, however fast they come and go. */
const ASK_AGAIN_MS = 1_000

/** A level of the tree shows so many more at a time. */
const TREE_LEVEL = 50

export interface AllItems {
  /** Places of the list that have begun, whatever is left of them. */
  readonly total: number
  readonly counts: ItemCounts | undefined
}

/** How many items a node has started; undefined until it is known. */
export function useAllItems(parent: string, node: string): AllItems | undefined {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['children', parent, node, 'last'],
    // They are accepted in the order of the list, so the newest is the last.
    queryFn: ({ signal }) => readRunPage(api, { parent, node, counts: true }, { limit: 1, signal })
  })
  const [last] = data?.runs ?? []
  if (data === undefined) return undefined
  return { total: last === undefined ? 0 : placeOf(last) + 1, counts: data.counts }
}

export function useItems(parent: string, node: string, question: ItemQuestion, cursor: string | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: ['children', parent, node, question, cursor ?? ''],
    queryFn: ({ signal }) => readRunPage(api, { parent, node, ...question }, { cursor, limit: PAGE, signal }),
    placeholderData: keepPreviousData
  })
}

/** The items before and after this one. */
export function useNeighbours({ run_id, node, index }: NonNullable<RunSummary['parent']>) {
  const api = useApi()
  const range = { from_index: Math.max(0, index - 1), below_index: index + 2 }
  const { data } = useQuery({
    queryKey: ['children', run_id, node, range, ''],
    queryFn: ({ signal }) => readRunPage(api, { parent: run_id, node, ...range }, { limit: 3, signal })
  })
  const at = (place: number) => data?.runs.find((run) => placeOf(run) === place)?.id
  return { before: at(index - 1), after: at(index + 1) }
}

/** What a run started, from whichever of its nodes: the newest, and further pages as somebody asks for them. */
export function useStarted(parent: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['children', parent, 'tree'],
    queryFn: ({ signal, pageParam: cursor }) =>
      readRunPage(api, { parent }, { cursor, limit: TREE_LEVEL, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })
}

/** As deep as runs may start each other. */
const DEEPEST = 32

/** The runs above one, the topmost first. Those that are gone, or that this key does not see, end the way up. */
export function useRunsAbove(run: Run) {
  const api = useApi()
  return useQuery({
    queryKey: ['children', run.id, 'above'],
    queryFn: async ({ signal }) => {
      const above: Run[] = []
      for (let parent = run.parent; parent !== null && above.length < DEEPEST; ) {
        const next = await readRun(api, parent.run_id, signal).catch(() => undefined)
        if (next === undefined) break
        above.unshift(next)
        parent = next.parent
      }
      return above
    },
    enabled: run.parent !== null
  })
}

/** Keeps what is shown of a run's children true while they run. */
export function useFollowChildren(parent: string): void {
  const queries = useQueryClient()
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  useLiveEvents((events) => {
    if (timer.current !== undefined) return
    const shown = queries.getQueriesData<Kept>({ queryKey: ['children', parent] })
    const known = new Set(shown.flatMap(([, kept]) => idsIn(kept)))
    if (!concernsChildren(events, parent, known)) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: ['children', parent] }, { cancelRefetch: false })
    }, ASK_AGAIN_MS)
  })
}

/** A page, the pages of a level of the tree, or the runs above one. */
type Kept = RunPage | { readonly pages: readonly RunPage[] } | readonly Run[]

function idsIn(kept: Kept | undefined): string[] {
  if (kept === undefined) return []
  if ('pages' in kept) return kept.pages.flatMap(idsIn)
  return 'runs' in kept ? kept.runs.map(({ id }) => id) : []
}
