import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import type { Computation } from '../flows/step/step-compute.ts'
import type { StepLog } from '../flows/step/step-log.ts'
import { MOST_TIMES } from './own-time.js'

/** A computation as the thread takes it. */
export interface SandboxStep extends Omit<Computation, 'data'> {
  /** The data as JSON. */
  readonly text: string
  /** What else it sees, by name, as the JSON of an object. */
  readonly others?: string
  /** The time inside, in milliseconds since 1970. */
  readonly now: number
  /** What chance inside follows from. */
  readonly seed: string
  /** Bytes of files that the code reads, by their ids. */
  readonly files?: ReadonlyMap<string, Uint8Array>
  /** What it gives back may be so long, as JSON. */
  readonly mostCharacters: number
}

/** What the thread says came of it. The code inside has a hand in every member, so none of them is trusted. */
export interface SandboxAnswer {
  readonly state:
    | 'returned'
    | 'silent'
    | 'pending'
    | 'failed'
    | 'syntax'
    | 'memory'
    | 'timeout'
    | 'too-large'
    | 'crash'
    /** It needs a file that it was not given. */
    | 'file'
  readonly logs: readonly StepLog[]
  /** As JSON. */
  readonly result?: string
  readonly name?: string
  readonly message?: string
  readonly line?: number
  readonly column?: number
  readonly fault?: { readonly kind: string; readonly path: string }
  readonly size?: number
  readonly file?: string
  /** The thread is of no use any more. */
  readonly isSpent?: boolean
}

/** `had`: milliseconds of a processor that the thread had had by then. */
type Message =
  | { readonly kind: 'begun'; readonly had: number }
  | { readonly kind: 'done'; readonly computed: SandboxAnswer }

/** Code that computes without a pause, such as `new Array(3e7).join()`, cannot be interrupted: its thread is ended. */
const END_AFTER_MS = 200
/** For a thread to begin, and for code to be read. */
const BEGIN_WITHIN_MS = 30_000
/** For texts on their way in and out. What code uses itself is not in it. */
const HEAP_MB = 256

const LATE: SandboxAnswer = { state: 'timeout', logs: [] }
/** Between two looks at a thread that has a little left. */
const LEAST_MS = 10

interface WatchedTime {
  /** What the thread has had when its time is over. */
  readonly until: number
  /** So much may pass before that, and no more. */
  readonly left: number
}

/** One thread with its engines: see sandbox-thread.js. */
export class SandboxWorker {
  readonly #worker: Worker
  readonly #clock: Pick<Clock, 'startTimer'>
  #answer: ((answer: SandboxAnswer) => void) | undefined
  #timer: { stop(): void } | undefined
  #timeoutMs = 0
  #hasBegun = false
  #isUsable = true

  constructor(clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
    this.#worker = new Worker(new URL('sandbox-thread.js', import.meta.url), {
      // Nothing that the service knows is its business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }
    })
    this.#worker.on('message', (message: Message) => this.#receive(message))
    this.#worker.on('error', (error) => this.#ended(error))
    this.#worker.on('exit', () => this.#ended(undefined))
  }

  /** Whether the code of the last step may have begun to run. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  execute(step: SandboxStep): Promise<SandboxAnswer> {
    this.#timer?.stop()
    this.#worker.ref()
    this.#timeoutMs = step.timeoutMs
    this.#hasBegun = false
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#endIn(BEGIN_WITHIN_MS, { state: 'crash', logs: [], message: 'it did not begin in time' })
      this.#worker.postMessage(step)
    })
  }

  /** Makes ready for steps of this kind, which takes longest of all that a new thread does. */
  prepare({ language, memoryMb }: Pick<SandboxStep, 'language' | 'memoryMb'>): void {
    this.#worker.postMessage({ language, memoryMb })
  }

  /** Until the next step; `isOver` is called where none comes. */
  rest(ms: number, isOver: () => void): void {
    this.#worker.unref()
    this.#timer = this.#clock.startTimer(ms, isOver)
  }

  async end(): Promise<void> {
    this.#ended(undefined)
    await this.#worker.terminate()
  }

  #receive(message: Message): void {
    if (message.kind === 'begun') return this.#begun(message.had)
    const { computed } = message
    if (computed.isSpent === true) {
      this.#isUsable = false
      void this.#worker.terminate()
    }
    this.#settle(computed)
  }

  #begun(had: number): void {
    this.#hasBegun = true
    const ms = this.#timeoutMs + END_AFTER_MS
    this.#watch(ms, { until: had + ms, left: MOST_TIMES * this.#timeoutMs })
  }

  /**
   * Looks after so long whether the thread has had its time: on a busy machine it may have had none of it. That it has answered long
   * ago may be heard only now, where the service itself stood still: to ask takes a turn of the loop.
   */
  #watch(ms: number, time: WatchedTime): void {
    const answer = this.#answer
    this.#timer?.stop()
    this.#timer = this.#clock.startTimer(ms, async () => {
      const left = time.left - ms
      // A thread that does not even say so in this time never will.
      this.#endIn(Math.max(left, 0) + END_AFTER_MS, LATE)
      const missing = time.until - (await this.#had().catch(() => time.until))
      if (this.#answer === undefined || this.#answer !== answer) return
      if (missing <= 0 || left <= 0) this.#endIn(0, LATE)
      else this.#watch(Math.max(missing, LEAST_MS), { ...time, left })
    })
  }

  /** Milliseconds of a processor. Older versions of Node do not tell: then time that passes is all there is. */
  async #had(): Promise<number> {
    const { cpuUsage } = this.#worker as Partial<Worker>
    if (cpuUsage === undefined) return Number.POSITIVE_INFINITY
    const { user, system } = await cpuUsage.call(this.#worker)
    return (user + system) / 1000
  }

  #endIn(ms: number, answer: SandboxAnswer): void {
    this.#timer?.stop()
    this.#timer = this.#clock.startTimer(ms, () => {
      this.#isUsable = false
      void this.#worker.terminate()
      this.#settle(answer)
    })
  }

  #ended(error: (Error & { readonly code?: string }) | undefined): void {
    this.#isUsable = false
    const isFull = error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#settle({
      state: isFull ? 'memory' : 'crash',
      logs: [],
      message: error?.message ?? 'its thread ended'
    })
  }

  #settle(answer: SandboxAnswer): void {
    this.#timer?.stop()
    this.#answer?.(answer)
    this.#answer = undefined
  }
}
