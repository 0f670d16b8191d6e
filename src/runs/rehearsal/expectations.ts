import type { Clock } from '../../clock.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { type Plan, PlanError } from '../../engine/plan.ts'
import { MillraceError } from '../../errors.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { parseJson, writeJson } from '../../flows/json/exact-json.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { TurnQueue } from '../../sandbox/turn-queue.ts'
import type { ExpectationFacts, ExpectationStore, StoredExpectation } from '../../store/expectations.ts'
import type { StoredRun } from '../../store/store.ts'
import type { Runs } from '../runs.ts'
import type { Finding } from './finding.ts'
import { isTooLong, playRecording, type Recording, writtenSteps } from './recording.ts'
import { shownValue } from './shown-value.ts'

/** A flow as it is to be run: what is live, or its draft. */
interface Tried extends Pick<LiveFlow, 'id' | 'version'> {
  readonly document: FlowDocument
}

interface Kept {
  readonly run: StoredRun
  /** What is expected: what the run did, or what the draft does with the same. */
  readonly of: ExpectationFacts['of']
  readonly name: string
  readonly author: string
}

/** What comes of one. */
export interface Met extends Finding {
  readonly expectation: ExpectationFacts
}

/** As it is stored. */
interface Expected {
  readonly recording: Recording
  /** What a draft came to, and the draft; null: what the run came to. */
  readonly now: { readonly document: FlowDocument; readonly steps: string } | null
}

interface ExpectationsDeps {
  readonly store: ExpectationStore
  readonly runs: Pick<Runs, 'rehearse' | 'record'>
  readonly planFlow: (tried: Tried) => Plan
  readonly clock: Clock
}

const MOST = 100
/** In characters of JSON. Each publish reads them all. */
const LARGEST = 512 * 1024
/** Somebody waits for it. What is left then is not known. */
const LONGEST_MS = 20_000

/** Runs of a flow that every publish holds its draft against. */
export class Expectations {
  readonly #deps: ExpectationsDeps
  /** What waits for its turn: whoever asks often holds up nobody else. */
  readonly #waiting = new TurnQueue<() => Promise<void>>()
  #isChecking = false

  constructor(deps: ExpectationsDeps) {
    this.#deps = deps
  }

  list(flowId: string): Promise<ExpectationFacts[]> {
    return this.#deps.store.ofFlow(flowId)
  }

  async isAnything(flowId: string): Promise<boolean> {
    return (await this.#deps.store.ofFlow(flowId)).length > 0
  }

  /** Keeps what a run did, or what the draft does now with what it began with. */
  async keep({ run, of, name, author }: Kept, tried: Tried): Promise<ExpectationFacts> {
    const { store, runs, clock } = this.#deps
    if (run.outcome === null || run.outcome.status === 'cancelled') throw notEnded()
    const recording = await runs.record(run, LARGEST)
    if (recording === undefined) throw tooLarge()
    const now = of === 'now' ? await this.#cameTo(run, tried) : null
    const text = writeJson({ recording, now } satisfies Expected)
    if (text.length > LARGEST) throw tooLarge()
    const { flowId } = run
    const facts = { flowId, id: clock.newId(), name, runId: run.id, author, createdAt: clock.now(), of }
    const added = await store.add({ ...facts, recording: text }, MOST)
    if (added === 'gone') throw flowNotFound()
    if (added === 'full') throw full()
    return facts
  }

  async remove(flowId: string, id: string): Promise<void> {
    if (!(await this.#deps.store.remove(flowId, id))) throw notFound()
  }

  /**
   * Holds a flow against all that is expected of it, without acting. One flow after the other, in turns with everything else. Once
   * nobody waits for it any more it ends: what is left is not known.
   */
  async check(tried: Tried, left?: AbortSignal): Promise<Met[]> {
    const listed = await this.#deps.store.ofFlow(tried.id)
    if (listed.length === 0 || left?.aborted) return []
    const { promise, resolve, reject } = Promise.withResolvers<Met[]>()
    const owner = { context: tried.document.context, flow: tried.id }
    const play = () => this.#checkAll(listed, tried, left).then(resolve, reject)
    this.#waiting.add(owner, play)
    left?.addEventListener('abort', () => this.#waiting.remove(owner, play) && resolve([]))
    void this.#checkWaiting()
    return promise
  }

  async #checkWaiting(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    for (let play = this.#waiting.take(); play !== undefined; play = this.#waiting.take()) await play()
    this.#isChecking = false
  }

  async #checkAll(
    listed: readonly ExpectationFacts[],
    tried: Tried,
    left: AbortSignal | undefined
  ): Promise<Met[]> {
    const { clock, store } = this.#deps
    const end = clock.stopwatch() + LONGEST_MS
    const abort = new LazyAbort()
    left?.addEventListener('abort', () => abort.abort(new Error('nobody waits for it')))
    const timer = clock.startTimer(LONGEST_MS, () => abort.abort(new Error('the expectations took too long')))
    const met: Met[] = []
    try {
      for (const expectation of listed) {
        const isOver = clock.stopwatch() > end || left?.aborted === true
        const stored = isOver ? undefined : await store.read(tried.id, expectation.id)
        // Somebody has removed it meanwhile.
        if (!isOver && stored === undefined) continue
        const finding = stored === undefined ? NOT_REACHED : await this.#finding(stored, tried, abort)
        const { was, is } = finding
        met.push({
          ...(abort.reason === undefined ? finding : NOT_REACHED),
          ...{ was: shownValue(was), is: shownValue(is) },
          expectation
        })
        await new Promise<void>((resolve) => clock.soon(resolve))
      }
    } finally {
      timer.stop()
    }
    return met
  }

  async #finding(stored: StoredExpectation, tried: Tried, abort: LazyAbort): Promise<Finding> {
    const { runs, planFlow } = this.#deps
    const { recording, now } = readExpected(stored)
    const [run, recorded] = playRecording(recording, stored.flowId)
    try {
      const expected = now && { plan: planFlow({ ...tried, document: now.document }), steps: now.steps }
      const rehearsed = { run, plan: planFlow(tried), ...(expected && { expected }) }
      return (await runs.rehearse(rehearsed, abort, recorded)).finding
    } catch (error) {
      // A component that one of them had is gone.
      if (error instanceof PlanError)
        return { ...NOT_REACHED, error: { code: error.code, message: error.message } }
      throw error
    }
  }

  async #cameTo(run: StoredRun, tried: Tried): Promise<Expected['now']> {
    const { runs, planFlow } = this.#deps
    const { finding, steps, start } = await runs.rehearse({ run, plan: planFlow(tried) }, new LazyAbort())
    if (finding.verdict === 'unknown') throw unknown(finding)
    if (steps.some(isTooLong)) throw tooLarge()
    return { document: tried.document, steps: writtenSteps(steps, start) }
  }
}

const NOT_REACHED: Finding = { verdict: 'unknown', node: null, was: null, is: null, error: null }

function readExpected({ recording }: StoredExpectation): Expected {
  return parseJson(recording) as unknown as Expected
}

function notEnded(): MillraceError {
  return new MillraceError(
    'run_not_rehearsable',
    'Only a run that succeeded or failed can be kept as an expectation: this one goes on, or was cancelled.'
  )
}

function unknown({ node }: Finding): MillraceError {
  return new MillraceError(
    'run_not_rehearsable',
    `What the draft does with this is not known: the node "${node}" would reach outside with something else. Expect what the run did ("of": "then"), or publish first.`
  )
}

function tooLarge(): MillraceError {
  return new MillraceError(
    'expectation_too_large',
    `With all that it did the run takes more than ${LARGEST / 1024} kB. Keep a smaller one.`
  )
}

function full(): MillraceError {
  return new MillraceError(
    'expectations_full',
    `A flow has ${MOST} expectations at the most. Remove one first.`
  )
}

function notFound(): MillraceError {
  return new MillraceError('expectation_not_found', 'The flow has no such expectation.')
}
