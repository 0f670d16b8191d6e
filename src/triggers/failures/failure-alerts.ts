import type { Clock } from '../../clock.ts'
import { type JsonValue, PAYLOAD_DEPTH, parseJson, writeJson } from '../../flows/json/exact-json.ts'
import { readPayload } from '../../flows/json/read-payload.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Failure, RunStore, StoredRun } from '../../store/store.ts'
import type { StoredTrigger, TriggerStore } from '../../store/triggers.ts'
import { waitAfter } from '../trigger-life.ts'
import { keyOf, type Marks, marksOf } from '../trigger-marks.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import type { Begins, TriggerSource } from '../trigger-source.ts'
import { type FailedFlow, isWatched } from './is-watched.ts'

interface FailureAlertsDeps {
  readonly clock: Clock
  readonly runs: Pick<Runs, 'startEvent'>
  readonly store: Pick<RunStore, 'failures' | 'lastFailureBefore' | 'get'>
  readonly triggers: Pick<TriggerStore, 'setMark' | 'advanceMark'>
  readonly fieldsOf: (trigger: TriggerNode) => Readonly<Record<string, JsonValue>>
  /** A flow, deleted or not; undefined where it is gone for good. */
  readonly flowOf: (id: string) => Promise<FailedFlow | undefined>
  /** How often to look for what nobody told of. */
  readonly lookMs: number
  readonly onError: (error: unknown, doing: string) => void
}

interface Watcher {
  readonly key: string
  readonly trigger: TriggerNode
  readonly flows: readonly string[]
  readonly from: Begins
  readonly since: number
  /** Failures up to this number have had their run, or are to have none. Undefined until it is read. */
  position: number | undefined
  /** How many were passed over since the store was told. */
  passed: number
}

const PAGE = 200
/** After a start no more than so many failures are looked at again for nothing. */
const KEEP_AFTER = 500
const LONGEST_WAIT_MS = 30_000

/**
 * Starts a run for each run that failed. The failed runs themselves, in the store, are what is gone through, from a stored mark on:
 * so none is missed that was written down, however the process ended then. The mark moves together with the start of the run.
 */
export class FailureAlerts implements TriggerSource {
  readonly #deps: FailureAlertsDeps
  readonly #watchers = new Map<string, Watcher>()
  #marks: Marks = new Map()
  #looking: Promise<void> | undefined
  #isAsked = false
  #failures = 0
  #timer: { stop(): void } | undefined

  constructor(deps: FailureAlertsDeps) {
    this.#deps = deps
  }

  takes({ component }: TriggerNode): boolean {
    return component.trigger === 'run-failed'
  }

  recall(stored: readonly StoredTrigger[]): void {
    this.#marks = marksOf(stored)
  }

  begin(trigger: TriggerNode, from: Begins): void {
    const { flow, node } = trigger
    const key = keyOf(flow.id, node.id)
    const { flows } = this.#deps.fieldsOf(trigger)
    const since = this.#deps.clock.now()
    const list = Array.isArray(flows) ? flows.map(String) : []
    this.#watchers.set(key, { key, trigger, flows: list, from, since, position: undefined, passed: 0 })
    this.look()
  }

  async end(flowId: string, node: string): Promise<void> {
    this.#watchers.delete(keyOf(flowId, node))
    if (this.#watchers.size === 0) this.#timer?.stop()
    await this.#looking
  }

  runFailed(): void {
    this.look()
  }

  readonly look = (): void => {
    if (this.#watchers.size === 0) return
    this.#isAsked = true
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined
      if (this.#isAsked) this.look()
    })
  }

  /** Never rejects. */
  async #lookOn(): Promise<void> {
    const { clock, onError, lookMs } = this.#deps
    this.#timer?.stop()
    let wait = lookMs
    try {
      while (this.#isAsked) {
        this.#isAsked = false
        for (const watcher of this.#watchers.values()) watcher.position ??= await this.#positionOf(watcher)
        if (await this.#readPage()) this.#isAsked = true
      }
      this.#failures = 0
    } catch (error) {
      // The backlog is full, or the store is away: what was not started stays behind the mark.
      if (this.#failures === 0) onError(error, 'starting runs for runs that failed')
      this.#failures += 1
      this.#isAsked = false
      wait = Math.min(LONGEST_WAIT_MS, waitAfter(this.#failures, clock.random()))
    }
    if (this.#watchers.size > 0) this.#timer = clock.startTimer(wait, this.look)
  }

  async #positionOf({ key, trigger, from, since }: Watcher): Promise<number> {
    const { store, triggers } = this.#deps
    const { flow, node } = trigger
    const mark = this.#marks.get(key)
    if (from === 'where it left off') {
      const since = Math.max(mark === undefined ? flow.updatedAt : 0, flow.triggersFrom ?? 0)
      return Math.max(mark ?? 0, since === 0 ? 0 : await store.lastFailureBefore(since))
    }
    const position = Math.max(mark ?? 0, await store.lastFailureBefore(since + 1))
    await triggers.setMark(flow.id, node.id, position)
    return position
  }

  /** False when nothing was left. */
  async #readPage(): Promise<boolean> {
    const watchers = [...this.#watchers.values()]
    if (watchers.length === 0) return false
    const after = Math.min(...watchers.map(({ position }) => position!))
    const failures = await this.#deps.store.failures(after, PAGE)
    for (const failure of failures) await this.#tell(watchers, failure)
    // A store may answer at once, and others have waited.
    await new Promise<void>((resolve) => this.#deps.clock.soon(resolve))
    return failures.length === PAGE
  }

  async #tell(watchers: readonly Watcher[], failure: Failure): Promise<void> {
    const behind = watchers.filter(({ position }) => position! < failure.no)
    const flow = await this.#deps.flowOf(failure.flowId)
    const waiting = flow === undefined ? [] : behind.filter((watcher) => isWatched(watchOf(watcher), flow))
    const run = waiting.length === 0 ? undefined : await this.#deps.store.get(failure.runId)
    const input = run !== undefined && isTold(run) ? dataOf(run, flow!) : undefined
    for (const watcher of behind) {
      if (input !== undefined && waiting.includes(watcher)) await this.#start(watcher, input, failure.no)
      await this.#passedOver(watcher, failure.no)
    }
  }

  async #start(watcher: Watcher, input: Uint8Array, mark: number): Promise<void> {
    const { key, trigger } = watcher
    const { flow, node } = trigger
    // It was let go of meanwhile: whoever begins it next goes on from the mark.
    if (this.#watchers.get(key) !== watcher) return
    await this.#deps.runs.startEvent({ flow, trigger: 'run-failed', input }, { node: node.id, mark })
    this.#marks.set(key, mark)
    watcher.passed = 0
  }

  async #passedOver(watcher: Watcher, no: number): Promise<void> {
    const { key, trigger } = watcher
    if (this.#watchers.get(key) !== watcher) return
    watcher.position = no
    watcher.passed += 1
    if (watcher.passed < KEEP_AFTER) return
    watcher.passed = 0
    this.#marks.set(key, no)
    await this.#deps.triggers.advanceMark(trigger.flow.id, trigger.node.id, no)
  }
}

function watchOf({ trigger: { flow }, flows }: Watcher) {
  return { flow, flows }
}

/** Of a test somebody looks on, of a child its parent tells, and an alert that fails must not alert itself. */
function isTold({ isTest, parent, trigger, outcome }: StoredRun): boolean {
  return isTest !== true && parent === undefined && trigger !== 'run-failed' && outcome?.status === 'failed'
}

/** Numbers of the input keep every digit. One that is nested as deep as can be is told as text: what holds it would be too deep. */
function dataOf({ id, input, outcome }: StoredRun, { slug }: FailedFlow): Uint8Array {
  const error = outcome!.error === null ? null : parseJson(outcome!.error)
  const data = { run_id: id, flow: slug, error }
  try {
    const text = writeJson({ ...data, input: readPayload(input) })
    parseJson(text, PAYLOAD_DEPTH)
    return Buffer.from(text)
  } catch {
    return Buffer.from(writeJson({ ...data, input: Buffer.from(input).toString() }))
  }
}
