import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { TriggerStore } from '../../store/triggers.ts'
import type { EditedTrigger } from '../trigger-nodes.ts'
import { takeItems } from './seen-items.ts'
import { listOf, type WatchDeps } from './watch-life.ts'

/** An item that is there now, and whether it would start a run. */
export interface TriedItem {
  readonly item: JsonValue
  readonly isNew: boolean
}

export type TryWatch = (trigger: EditedTrigger, signal: AbortSignal) => Promise<readonly TriedItem[]>

interface TryWatchDeps {
  readonly look: WatchDeps['look']
  readonly store: Pick<TriggerStore, 'seen'>
}

/** Looks as the watch would now: nothing is started by it, and nothing remembered. */
export async function tryWatch(
  { look, store }: TryWatchDeps,
  trigger: EditedTrigger,
  signal: AbortSignal
): Promise<readonly TriedItem[]> {
  const { flow, node, fields } = trigger
  const items = await look(trigger, signal)
  const { fresh } = takeItems(await store.seen(flow.id, node.id), {
    of: listOf(trigger),
    since: flow.triggersFrom ?? 0,
    items,
    skipsFirst: fields.first !== 'Take all',
    skipsMissed: false
  })
  const starts = new Set(fresh.map(({ id }) => id))
  return items.map(({ id, item }) => ({ item, isNew: starts.has(id) }))
}
