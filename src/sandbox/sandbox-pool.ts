import type { Clock } from '../clock.ts'
import { LongSteps } from './long-steps.ts'
import { type SandboxAnswer, type SandboxStep, SandboxWorker } from './sandbox-worker.ts'
import { type Owner, TurnQueue } from './turn-queue.ts'

export interface SandboxPoolOptions {
  readonly size: number
  readonly clock: Pick<Clock, 'startTimer'>
  readonly startWorker?: () => SandboxWorker
}

/** A thread takes 60 ms of processor time to begin: steps that are over sooner than that need no second one. */
const GROW_AFTER_MS = 10
const IDLE_MS = 30_000

/** Of steps that nobody is told about, in tests. */
const NOBODY: Owner = { context: '/', flow: '' }

const MOST_THREADS = 8
const MOST_LOSSES = 3

/** One core is left to the service. There are two threads at least: a step that takes long must not hold up all others. */
export function sandboxSize(cores: number): number {
  return Math.min(MOST_THREADS, Math.max(2, cores - 1))
}

interface QueuedStep {
  readonly owner: Owner
  readonly step: SandboxStep
  readonly signal: AbortSignal
  readonly resolve: (answer: SandboxAnswer) => void
  readonly reject: (reason: unknown) => void
  /** So often its thread has ended before it began. */
  losses: number
}

/**
 * Threads in which people's code runs, one step in each at a time. Contexts take turns, and within each its flows; one of several threads is
 * kept free of steps that take long, and where they have all, as several may that begin at once, there is one more, and after that one for a context
 * that has no such step. There is none until the first step, and none is left when no step has come for a while. A thread that had to be ended takes nothing along but its own step.
 */
export class SandboxPool {
  readonly #size: number
  readonly #clock: SandboxPoolOptions['clock']
  readonly #startWorker: () => SandboxWorker
  readonly #queue = new TurnQueue<QueuedStep>()
  readonly #long: LongSteps
  readonly #threads = new Set<SandboxWorker>()
  /** The one that worked last is the last. */
  readonly #idle: SandboxWorker[] = []
  #growth: { stop(): void } | undefined
  #isClosed = false

  constructor({ size, clock, startWorker = () => new SandboxWorker(clock) }: SandboxPoolOptions) {
    this.#size = size
    this.#clock = clock
    this.#long = new LongSteps(size, clock)
    this.#startWorker = startWorker
  }

  /** How many there are at this moment. */
  get threads(): number {
    return this.#threads.size
  }

  /** Rejects only with the reason of the signal. Never settles where the service stops first: the next one computes it. */
  compute(step: SandboxStep, signal: AbortSignal, owner: Owner = NOBODY): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const queued: QueuedStep = { owner, step, signal, resolve, reject, losses: 0 }
      signal.addEventListener('abort', () => this.#giveUp(queued), { once: true })
      this.#queue.add(owner, queued)
      this.#assign()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#growth?.stop()
    this.#queue.clear()
    const ending = [...this.#threads].map((thread) => thread.end())
    this.#threads.clear()
    await Promise.all(ending)
  }

  #assign(): void {
    while (!this.#isClosed && this.#queue.has(this.#long.mayBegin)) {
      const thread = this.#takeIdle() ?? (this.#threads.size === 0 ? this.#start() : undefined)
      if (thread === undefined) return this.#growSoon()
      void this.#execute(thread, this.#queue.take(this.#long.mayBegin)!)
    }
  }

  /** One that has ended by itself meanwhile does not count. */
  #takeIdle(): SandboxWorker | undefined {
    for (let thread = this.#idle.pop(); thread !== undefined; thread = this.#idle.pop()) {
      if (thread.isUsable) return thread
      this.#threads.delete(thread)
    }
    return undefined
  }

  #growSoon(): void {
    if (this.#growth !== undefined || this.#isFull) return
    this.#growth = this.#clock.startTimer(GROW_AFTER_MS, () => {
      this.#growth = undefined
      if (this.#isClosed || this.#isFull) return
      const next = this.#queue.take(this.#long.mayBegin)
      if (next === undefined) return
      void this.#execute(this.#start(), next)
      this.#assign()
    })
  }

  get #isFull(): boolean {
    const more = this.#long.hasAll ? 2 : this.#long.count >= this.#size ? 1 : 0
    return this.#threads.size >= this.#size + more
  }

  #start(): SandboxWorker {
    const thread = this.#startWorker()
    this.#threads.add(thread)
    return thread
  }

  async #execute(thread: SandboxWorker, queued: QueuedStep): Promise<void> {
    const { owner, step, signal, resolve, reject } = queued
    const isOver = this.#long.begin(owner, () => this.#assign())
    const end = () => void thread.end()
    signal.addEventListener('abort', end, { once: true })
    const answer = await thread.execute(step)
    signal.removeEventListener('abort', end)
    isOver()
    if (this.#isClosed) return
    if (thread.isUsable) this.#rest(thread)
    else this.#replace(thread, step)
    if (signal.aborted) reject(signal.reason)
    else if (answer.state === 'crash' && this.#isLost(thread, queued)) this.#queue.add(owner, queued)
    else resolve(answer)
    this.#assign()
  }

  /** Its thread has ended, and the step had no part in that: it is for another one. A step that ends them all is not. */
  #isLost({ isUsable, hasBegun }: SandboxWorker, queued: QueuedStep): boolean {
    if (isUsable || hasBegun) return false
    queued.losses += 1
    return queued.losses < MOST_LOSSES
  }

  /** What comes next does not wait for a thread to begin because of what came before. */
  #replace(ended: SandboxWorker, step: SandboxStep): void {
    this.#threads.delete(ended)
    const thread = this.#start()
    thread.prepare(step)
    this.#rest(thread)
  }

  #rest(thread: SandboxWorker): void {
    this.#idle.push(thread)
    thread.rest(IDLE_MS, () => {
      this.#idle.splice(this.#idle.indexOf(thread), 1)
      this.#threads.delete(thread)
      void thread.end()
    })
  }

  #giveUp(queued: QueuedStep): void {
    if (!this.#queue.remove(queued.owner, queued)) return
    queued.reject(queued.signal.reason)
  }
}
