import { url as debuggerUrl } from 'node:inspector'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PlacedStep, StepWatch } from '../../runs/steps/step-watch.ts'
import type { StorePlace } from './note-hung-step.ts'
import { StepMarks } from './step-marks.ts'

export interface WatchdogOptions {
  /** For so long one computation may hold the service's thread; 0 is for ever. */
  readonly hangMs: number
  /** A stop that takes longer is ended. */
  readonly stopMs: number
  /** For so long the end of a process that hangs is put off to note which step it was. */
  readonly noteMs: number
  /** Where that is noted. */
  readonly store: StorePlace
  readonly isSilent: boolean
  /** The file that tells the next process in which step this one died; null where there is none. */
  readonly marks: string | null
}

const BEAT_MS = 1_000

/** Places in the numbers that both threads see. Steps are numbered from 1; 0 stands for no step. */
const PLACES = { beats: 0, computing: 1, pending: 2, stopping: 3, ready: 4, debugged: 5 } as const

/**
 * A thread of its own that ends the process when the service's thread does not answer any more: a component that loops
 * would stop everybody for good, and no signal could end it, since signals are looked at by that very thread.
 *
 * The service's thread says that it lives, once a second, and which step it computes, by storing two numbers where both
 * threads see them. The other thread sleeps, and looks now and then.
 */
export class Watchdog implements StepWatch {
  readonly #options: WatchdogOptions
  readonly #memory = {
    ints: new SharedArrayBuffer(4 * Object.keys(PLACES).length),
    runs: new SharedArrayBuffer(16)
  }
  readonly #ints = new Int32Array(this.#memory.ints)
  /** The numbers of the runs: that of the step that is computed, and that of the step that waits. */
  readonly #runs = new Float64Array(this.#memory.runs)
  readonly #pending = new Set<PlacedStep>()

  #marks: StepMarks | undefined
  /** Steps of runs up to this one are marked. */
  #newestMarked = -1
  #deadly: PlacedStep | undefined
  #suspect: PlacedStep | undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** Once: who retries the run wants to see whether it still is. */
  takeDeadly(seq: number): number | undefined {
    const deadly = this.#deadly
    if (deadly?.seq !== seq) return undefined
    this.#deadly = undefined
    return deadly.index
  }

  takeSuspect(seq: number): number | undefined {
    const suspect = this.#suspect
    if (suspect?.seq !== seq) return undefined
    this.#suspect = undefined
    return suspect.index
  }

  suspect(newestSeq: number): void {
    if (this.#marks?.isAfterDeath === true) this.#newestMarked = newestSeq
  }

  /** Before the first run goes on: it may be one that loops. */
  start(onError: (error: unknown) => void): void {
    const { hangMs, marks } = this.#options
    this.#marks = marks === null ? undefined : openMarks(marks, onError)
    this.#deadly = this.#marks?.deadly
    this.#suspect = this.#marks?.suspect
    this.#beat()
    setInterval(() => this.#beat(), Math.min(BEAT_MS, hangMs / 4 || BEAT_MS)).unref()
    // As it is named here, and where this is built.
    const noteModule = new URL(`note-hung-step${extname(import.meta.url)}`, import.meta.url).href
    const thread = new Worker(new URL('watchdog-thread.cjs', import.meta.url), {
      workerData: { memory: this.#memory, places: PLACES, noteModule, ...this.#options },
      // Its own: what the service is set up with is for much larger heaps.
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
      execArgv: []
    })
    // The service goes on as it would have without a watch.
    thread.on('error', onError)
    thread.unref()
  }

  /** The service has started: from now on it is not only steps that must not hold the thread. */
  ready(): void {
    Atomics.store(this.#ints, PLACES.ready, 1)
  }

  /** From now on the process has to end in time. */
  stopping(): void {
    this.#beat()
    Atomics.store(this.#ints, PLACES.stopping, 1)
    Atomics.notify(this.#ints, PLACES.stopping)
  }

  began(seq: number, index: number): void {
    this.#runs[0] = seq
    this.#ints[PLACES.computing] = index + 1
    if (seq <= this.#newestMarked) this.#marks?.set({ seq, index })
  }

  left(): void {
    this.#ints[PLACES.computing] = 0
    if (this.#runs[0]! <= this.#newestMarked) this.#marks?.clear()
  }

  /** The service has stopped in order. */
  stopped(): void {
    this.#marks?.close()
  }

  waits(seq: number, index: number, promise: Promise<unknown>): void {
    const step = { seq, index }
    const settled = () => {
      this.#pending.delete(step)
      this.#tellPending()
    }
    this.#pending.add(step)
    this.#tellPending()
    // Not `promise.then`: it may be of a class of the plugin's own.
    Promise.prototype.then.call(promise, settled, settled)
  }

  /** Of several that wait nobody could tell which one goes on when the thread is held. */
  #tellPending(): void {
    const [only] = this.#pending.size === 1 ? this.#pending : []
    this.#runs[1] = only?.seq ?? 0
    this.#ints[PLACES.pending] = only === undefined ? 0 : only.index + 1
  }

  #beat(): void {
    // Whoever looks at the process with a debugger lets it stand still. One can be connected at any time.
    this.#ints[PLACES.debugged] = debuggerUrl() === undefined ? 0 : 1
    Atomics.add(this.#ints, PLACES.beats, 1)
  }
}

/** The service goes on without, as it would with a full disk. */
function openMarks(path: string, onError: (error: unknown) => void): StepMarks | undefined {
  try {
    return new StepMarks(path)
  } catch (error) {
    onError(error)
    return undefined
  }
}
