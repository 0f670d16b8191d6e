import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../api/api-context.ts'
import { type BulkAction, useActOnFlows } from '../api/bulk-flows.ts'
import { heldQuery } from '../api/held-runs.ts'
import type { Pause } from '../api/shapes.ts'
import { notifyDone, notifyProblem, notifyRefusal } from '../design/notify.tsx'
import { resumedWords, those } from './action-words.ts'
import type { NamedFlow } from './named-flow.ts'

interface Failure extends NamedFlow {
  readonly reason: string
}

/** What could not be done, and with which flows. */
export interface Failures {
  /** "paused" */
  readonly what: string
  readonly of: readonly Failure[]
  readonly among: number
}

const DONE: Readonly<Record<BulkAction['action'], string>> = {
  delete: 'deleted',
  undelete: 'restored',
  purge: 'permanently deleted',
  pause: 'paused',
  resume: 'resumed',
  tag: 'tagged',
  untag: 'changed',
  move: 'moved'
}

/** What can be done with flows from outside of them, with one or with many. Each says how it went, and how to take it back. */
export function useFlowActions(onFailures: (failures: Failures) => void = tellOfOne) {
  const { mutateAsync } = useActOnFlows()
  const api = useApi()
  const queries = useQueryClient()

  /** Resolves to those that it was done with. */
  const act = async <F extends NamedFlow>(flows: readonly F[], action: BulkAction): Promise<F[]> => {
    try {
      const results = await mutateAsync({ ...action, ids: flows.map(({ id }) => id) })
      const refusals = new Map(results.flatMap(({ id, error }) => (error ? [[id, error.message]] : [])))
      const of = flows.flatMap(({ id, name }) => {
        const reason = refusals.get(id)
        return reason === undefined ? [] : [{ id, name, reason }]
      })
      if (of.length > 0) onFailures({ what: DONE[action.action], of, among: flows.length })
      return flows.filter(({ id }) => !refusals.has(id))
    } catch (error) {
      notifyProblem(error)
      return []
    }
  }

  const tell = async <F extends NamedFlow>(
    flows: readonly F[],
    action: BulkAction,
    message: (done: readonly F[]) => string,
    undo?: (done: readonly F[]) => unknown
  ): Promise<boolean> => {
    const done = await act(flows, action)
    if (done.length > 0) notifyDone(message(done), undo && (() => undo(done)))
    return done.length === flows.length
  }

  const resume = async (flows: readonly NamedFlow[]) => {
    const held = await queries.fetchQuery(heldQuery(api)).catch(() => undefined)
    const count = held && flows.reduce((sum, { id }) => sum + (held.get(id) ?? 0), 0)
    return tell(flows, { action: 'resume' }, (done) => resumedWords(done, count))
  }

  const restore = (flows: readonly NamedFlow[]) =>
    tell(flows, { action: 'undelete' }, (done) => `${those(done)} back.`)

  return {
    resume,
    restore,
    pause: (flows: readonly NamedFlow[], mode: Pause['mode']) =>
      tell(
        flows,
        { action: 'pause', mode },
        (done) => `${those(done)} paused: what arrives is ${mode === 'hold' ? 'held' : 'refused'}.`,
        // Where it was paused in the other way before, to go on is not what it was.
        flows.some(({ paused }) => paused) ? undefined : resume
      ),
    remove: (flows: readonly NamedFlow[]) =>
      tell(flows, { action: 'delete' }, (done) => `${those(done)} in the bin for 30 days.`, restore),
    purge: (flows: readonly NamedFlow[]) =>
      tell(flows, { action: 'purge' }, (done) => `${those(done)} permanently deleted.`),
    move: (flows: readonly NamedFlow[], context: string) =>
      tell(flows, { action: 'move', context }, (done) => `${those(done)} in ${context} now.`),
    /** Adds some tags and takes others away. */
    changeTags: async (
      flows: readonly NamedFlow[],
      { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] }
    ) => {
      let done = flows
      if (remove.length > 0) done = await act(done, { action: 'untag', tags: remove })
      if (add.length > 0) done = await act(done, { action: 'tag', tags: add })
      if (done.length > 0 && add.length + remove.length > 0) {
        notifyDone(
          `The tags of ${done.length === 1 ? `“${done[0]!.name}”` : `${done.length} flows`} are saved.`
        )
      }
      return done.length === flows.length
    }
  }
}

export type FlowActions = ReturnType<typeof useFlowActions>

/** Where there is one flow, there is one reason. */
function tellOfOne({ what, of }: Failures): void {
  for (const { name, reason } of of) notifyRefusal(`“${name}” was not ${what}`, reason)
}
