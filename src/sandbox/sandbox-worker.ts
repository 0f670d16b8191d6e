import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import type { Computation } from '../flows/step/step-compute.ts'
import type { StepLog } from '../flows/step/step-log.ts'

/** A computation as the thread takes it. */
export interface SandboxStep extends Omit<Computation, 'data'> {
  /** The data as JSON. */
  readonly text: string
  /** The time inside, in milliseconds since 1970. */
  readonly now: number
  /** What chance inside follows from. */
  readonly seed: string
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
  readonly logs: readonly StepLog[]
  /** As JSON. */
  readonly result?: string
  readonly name?: string
  readonly message?: string
  readonly line?: number
  readonly column?: number
  readonly fault?: { readonly kind: string; readonly path: string }
  readonly size?: number
  /** The thread is of no use any more. */
  readonly isSpent?: boolean
}

type Message = { readonly kind: 'begun' } | { readonly kind: 'done'; readonly computed: SandboxAnswer }

/** Code that computes without a pause, such as `new Array(3e7).join()`, cannot be interrupted: its thread is ended. */
const END_AFTER_MS = 200
/** For a thread to begin, and for code to be read. */
const BEGIN_WITHIN_MS = 30_000
/** For texts on their way in and out. What code uses itself is not in it. */
const HEAP_MB = 256

/** One thread with its engines: see sandbox-thread.js. */
export class SandboxWorker {
  readonly #worker: Worker
  readonly #clock: Pick<Clock, 'startTimer'>
  #answer: ((answer: SandboxAnswer) => void) | undefined
  #timer: { stop(): void } | undefined
  #timeoutMs = 0
  #isUsable = true

  constructor(clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
    this.#worker = new Worker(new URL('sandbox-thread.js', import.meta.url), {
      // Nothing that the service knows is its business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }
    })
    this.#worker.on('message', (message: Message) => this.#heard(message))
    this.#worker.on('error', (error) => this.#ended(error))
    this.#worker.on('exit', () => this.#ended(undefined))
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  perform(step: SandboxStep): Promise<SandboxAnswer> {
    this.#timer?.stop()
    this.#worker.ref()
    this.#timeoutMs = step.timeoutMs
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

  #heard(message: Message): void {
    if (message.kind === 'begun')
      return this.#endIn(this.#timeoutMs + END_AFTER_MS, { state: 'timeout', logs: [] })
    const { computed } = message
    if (computed.isSpent === true) {
      this.#isUsable = false
      void this.#worker.terminate()
    }
    this.#settle(computed)
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
