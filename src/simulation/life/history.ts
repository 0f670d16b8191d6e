import { isWithin } from '../../contexts/context-path.ts'
import type { AcceptedRun } from '../../store/store.ts'
import type { World } from '../world/world.ts'

interface Accepted {
  readonly id: string
  readonly seq: number
  readonly flowId: string
  readonly asked: number
  readonly answered: number
}

/** What callers of the service know: what they asked for, and what they were told. */
export class History {
  /** Runs whose acceptance was answered, by id, and when it was asked for and answered, in steps. */
  readonly runs = new Map<string, Accepted>()
  readonly #deliveries = new Map<string, { readonly runId: string; readonly at: number }>()
  /** Runs that somebody asked to be cancelled, whatever came of it. */
  readonly cancels = new Set<string>()
  /** Cancellations that were answered: from when on the tree has to be still. */
  readonly stillFrom = new Map<string, number>()
  readonly reopened = new Set<string>()
  /** Of these the runs that had succeeded: what follows the items that failed was done before with other values. */
  readonly itemsAgain = new Set<string>()
  /** Flows that were deleted for good, and contexts that were: what is retried afterwards finds nothing to run. */
  readonly gone = new Set<string>()
  /** By flow, the newest run that there was when the last answer to a deletion for good came. */
  readonly #purgedUpTo = new Map<string, number>()
  /** Flows that somebody deleted, moved to another context, or paused so that they refuse what arrives: by their numbers. */
  readonly unreachable = new Set<number>()
  /** By `run node`: what ended the wait, as far as callers were told. */
  readonly wakes = new Map<string, Set<'call' | 'time' | 'unknown'>>()
  /** When callers were told first that theirs ended it, by `run node`. */
  readonly wokenAt = new Map<string, number>()
  readonly unexpected = new Set<string>()
  readonly #noticed = new Map<string, number>()

  /** To be called before it is asked for, and what it returns with the answer. */
  accepting(world: World): (run: AcceptedRun) => void {
    const asked = world.scheduler.steps
    return ({ id, seq, flowId }) => {
      this.runs.set(id, { id, seq, flowId, asked, answered: world.scheduler.steps })
    }
  }

  /** One delivery starts one run, however often it comes. */
  delivered(name: string, runId: string, world: World): void {
    const known = this.#deliveries.get(name)
    if (known === undefined) this.#deliveries.set(name, { runId, at: world.scheduler.now })
    else if (known.runId !== runId)
      world.fail('a delivery starts one run', `Delivery ${name} started ${known.runId} and ${runId}.`)
  }

  /** When this was seen for the first time. */
  noticed(what: string, now: number): number {
    const since = this.#noticed.get(what) ?? now
    this.#noticed.set(what, since)
    return since
  }

  forget(what: string): void {
    this.#noticed.delete(what)
  }

  /** Until it is answered, it may take along whatever the flow is sent. */
  purging(flowId: string, world: World): () => void {
    this.gone.add(flowId)
    this.#purgedUpTo.set(flowId, Number.POSITIVE_INFINITY)
    return () => void this.#purgedUpTo.set(flowId, world.records.newest())
  }

  wasPurged({ flowId, seq }: { readonly flowId: string; readonly seq: number }): boolean {
    return seq <= (this.#purgedUpTo.get(flowId) ?? 0)
  }

  cancelling(runId: string): void {
    this.cancels.add(runId)
  }

  cancelled(runId: string, world: World): void {
    this.stillFrom.set(runId, world.scheduler.now)
  }

  reopening(runId: string): void {
    this.reopened.add(runId)
    this.stillFrom.delete(runId)
  }

  /** Until it is answered, nobody knows whether it counted. */
  waking(runId: string, node: string, by: 'call' | 'time', world: World): (won: boolean) => void {
    const key = `${runId} ${node}`
    const known = this.wakes.get(key) ?? new Set()
    this.wakes.set(key, known.add('unknown'))
    return (won) => {
      if (won && known.has('call') && !this.#mayWaitAgain(runId, world))
        world.fail('a wait takes one call', `${node} of ${runId} was woken a second time.`)
      if (!won) return
      known.add(by)
      if (!this.wokenAt.has(key)) this.wokenAt.set(key, world.scheduler.now)
    }
  }

  /** A run that was retried, by itself or with the one above it, comes to its waits anew. */
  #mayWaitAgain(runId: string, world: World): boolean {
    const run = world.records.byId(runId)
    return run === undefined || run.parentSeq !== null || this.reopened.has(runId)
  }

  /** Nothing that is unfinished may have been in it. */
  contextDeleted(path: string, world: World): void {
    this.gone.add(path)
    for (const run of world.records.open()) {
      const spec = world.specOf(run)
      if (spec === undefined || !isWithin(world.contextOf(spec.context), path)) continue
      // Somebody retried it since: that is answered by what it then fails with.
      if (this.reopened.has(run.id)) continue
      const what = run.parentSeq === null ? 'run' : 'child'
      world.fail('a context in use stays', `${path} was deleted under the unfinished ${what} ${run.id}.`)
    }
  }
}
