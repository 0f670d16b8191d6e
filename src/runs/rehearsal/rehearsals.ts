import type { Clock } from '../../clock.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import type { Plan } from '../../engine/plan.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { RehearsalStore, StoredRehearsal } from '../../store/rehearsals.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'
import type { Finding, Verdict } from './finding.ts'
import type { ToRehearse } from './rehearse-run.ts'
import { shownValue } from './shown-value.ts'

/** What came of one run. */
interface RehearsalCase extends Finding {
  readonly runId: string
}

interface RehearsalResult {
  readonly status: 'succeeded' | 'cancelled'
  /** Those that differ come first; the others newest first. */
  readonly cases: readonly RehearsalCase[]
}

export interface RehearsalNews extends Omit<StoredRehearsal, 'result'> {
  readonly status: RehearsalResult['status'] | 'in progress'
  readonly cases: readonly RehearsalCase[]
}

interface RehearsalsDeps {
  readonly store: RehearsalStore
  readonly runs: Pick<RunStore, 'list' | 'get'>
  readonly clock: Clock
  readonly rehearse: (toRehearse: ToRehearse, abort: LazyAbort) => Promise<{ readonly finding: Finding }>
  readonly onError: (error: unknown, doing: string) => void
}

interface Asked {
  readonly flowId: string
  readonly plan: Plan
  readonly revision: number | null
  readonly runs: number
  readonly author: string
}

interface UnderWay {
  readonly rehearsal: StoredRehearsal
  readonly abort: LazyAbort
  readonly cases: RehearsalCase[]
}

/** A rehearsal is over after so long, with the runs that it came to. */
const LONGEST_MS = 60_000

/** A process that has not said by then what came of it has died. */
const GIVEN_UP_AFTER_MS = 2 * LONGEST_MS

/** So many are looked through for each run that is wanted: those that go on or were cancelled tell nothing. */
const LOOKED_AT = 4

/** Runs drafts on what started the last live runs, one flow after the other, in turns with everything else. */
export class Rehearsals {
  readonly #deps: RehearsalsDeps
  readonly #underWay = new Map<string, UnderWay>()
  #last: Promise<void> = Promise.resolve()

  constructor(deps: RehearsalsDeps) {
    this.#deps = deps
  }

  /** Resolves when it is known to have begun. One of the same flow that goes on is given up for it. */
  async begin({ flowId, plan, revision, runs, author }: Asked): Promise<RehearsalNews> {
    const { store, clock } = this.#deps
    const facts = { id: clock.newId(), revision, asked: runs, author, startedAt: clock.now() }
    const rehearsal: StoredRehearsal = { flowId, ...facts, finishedAt: null, result: null }
    if (!(await store.begin(rehearsal))) throw flowNotFound()
    this.#underWay.get(flowId)?.abort.abort(new Error('another rehearsal of the flow has begun'))
    const underWay: UnderWay = { rehearsal, abort: new LazyAbort(), cases: [] }
    this.#underWay.set(flowId, underWay)
    this.#last = this.#last.then(() => this.#play(underWay, plan))
    return newsOf(underWay)
  }

  /** The last one of the flow. */
  async find(flowId: string): Promise<RehearsalNews | undefined> {
    const underWay = this.#underWay.get(flowId)
    const stored = await this.#deps.store.find(flowId)
    if (stored === undefined) return undefined
    if (underWay?.rehearsal.id === stored.id && stored.result === null) return newsOf(underWay)
    const { result, ...facts } = stored
    if (result !== null) return { ...facts, ...(JSON.parse(result) as RehearsalResult) }
    const isOver = this.#deps.clock.now() > stored.startedAt + GIVEN_UP_AFTER_MS
    return { ...facts, status: isOver ? 'cancelled' : 'in progress', cases: [] }
  }

  /** Those under way end where they are. */
  async stop(): Promise<void> {
    for (const { abort } of this.#underWay.values()) abort.abort(new Error('the service stops'))
    await this.#last
  }

  async #play(underWay: UnderWay, plan: Plan): Promise<void> {
    const { rehearsal, abort, cases } = underWay
    const { store, clock, onError } = this.#deps
    try {
      const isWhole = await this.#playRuns(underWay, plan)
      const result: RehearsalResult = { status: isWhole ? 'succeeded' : 'cancelled', cases: inOrder(cases) }
      if (abort.reason === undefined) await store.finish(rehearsal, writeJson(result), clock.now())
    } catch (error) {
      onError(error, `rehearsing the flow ${rehearsal.flowId}`)
      const result: RehearsalResult = { status: 'cancelled', cases: inOrder(cases) }
      await store.finish(rehearsal, writeJson(result), clock.now()).catch(() => {})
    } finally {
      if (this.#underWay.get(rehearsal.flowId) === underWay) this.#underWay.delete(rehearsal.flowId)
    }
  }

  /** False where it ended before its time. */
  async #playRuns({ rehearsal, abort, cases }: UnderWay, plan: Plan): Promise<boolean> {
    const { clock, rehearse } = this.#deps
    const end = clock.stopwatch() + LONGEST_MS
    for await (const run of this.#runsOf(rehearsal)) {
      if (clock.stopwatch() > end || abort.reason !== undefined) return false
      const { finding } = await rehearse({ run, plan }, abort)
      if (abort.reason !== undefined) return false
      cases.push({ ...finding, runId: run.id, was: shownValue(finding.was), is: shownValue(finding.is) })
      await new Promise<void>((resolve) => clock.soon(resolve))
    }
    return true
  }

  /** The last live runs that have come to an end of their own, newest first. */
  async *#runsOf({ flowId, asked }: StoredRehearsal): AsyncGenerator<StoredRun> {
    const { runs } = this.#deps
    let left = asked
    let looked = 0
    let place: { before?: number } = {}
    while (left > 0 && looked < asked * LOOKED_AT) {
      const page = await runs.list({
        flowIds: [flowId],
        isTest: false,
        limit: Math.min(asked, 100),
        ...place
      })
      looked += page.runs.length
      for (const { id, outcome } of page.runs) {
        if (left === 0 || outcome === null || outcome.status === 'cancelled') continue
        const run = await runs.get(id)
        // Retention may have been quicker, or somebody who retries it.
        if (run?.outcome == null) continue
        left--
        yield run
      }
      if (page.next === null) return
      place = { before: page.next }
    }
  }
}

function newsOf({ rehearsal: { result: _, ...facts }, cases }: UnderWay): RehearsalNews {
  return { ...facts, status: 'in progress', cases: inOrder(cases) }
}

const ORDER: readonly Verdict[] = ['failed', 'different', 'unknown', 'same']

function inOrder(cases: readonly RehearsalCase[]): RehearsalCase[] {
  return cases.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
}
