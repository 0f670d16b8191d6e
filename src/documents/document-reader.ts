import type { Clock } from '../clock.ts'
import type { DocumentTask, GivenDocument } from '../flows/step/step-documents.ts'
import { type Owner, TurnQueue } from '../sandbox/turn-queue.ts'
import type { DocumentOrder } from './document-messages.ts'
import { type ReadAnswer, ReadingProcess } from './reading-process.ts'

interface DocumentJob {
  readonly task: DocumentTask
  readonly documents: readonly GivenDocument[]
  /** What comes of them may have so many characters, as JSON. */
  readonly mostCharacters: number
}

/** What came of a job: as the process says, or that its time was over. */
export type JobAnswer = ReadAnswer | { readonly kind: 'timeout' }

interface DocumentLimits {
  /** Of one process, with the packages that it has loaded, which are a hundred megabytes. */
  readonly residentBytes: number
  /** For all documents of a job. */
  readonly timeoutMs: number
}

export const DOCUMENT_LIMITS: DocumentLimits = { residentBytes: 512 * 1024 ** 2, timeoutMs: 30_000 }

/** Two, so that one that takes long does not hold up all others. */
const MOST_PROCESSES = 2
const IDLE_MS = 60_000

interface QueuedJob {
  readonly owner: Owner
  readonly job: DocumentJob
  readonly signal: AbortSignal
  readonly resolve: (answer: JobAnswer) => void
  readonly reject: (reason: unknown) => void
}

interface ReaderOptions {
  readonly clock: Pick<Clock, 'startTimer'>
  readonly limits?: DocumentLimits
}

/**
 * The processes that read documents, one job in each at a time. Contexts take turns, and within each its flows. There is none until the
 * first job, and none is left when no job has come for a minute.
 */
export class DocumentReader {
  readonly #clock: ReaderOptions['clock']
  readonly limits: DocumentLimits
  readonly #queue = new TurnQueue<QueuedJob>()
  readonly #processes = new Set<ReadingProcess>()
  readonly #idle = new Map<ReadingProcess, { stop(): void }>()
  #isClosed = false

  constructor({ clock, limits = DOCUMENT_LIMITS }: ReaderOptions) {
    this.#clock = clock
    this.limits = limits
  }

  /** How many there are at this moment. */
  get processes(): number {
    return this.#processes.size
  }

  /** Rejects only with the reason of the signal. Never settles where the service stops first: the next one reads them. */
  read(job: DocumentJob, signal: AbortSignal, owner: Owner): Promise<JobAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const queued: QueuedJob = { owner, job, signal, resolve, reject }
      signal.addEventListener('abort', () => this.#giveUp(queued), { once: true })
      this.#queue.add(owner, queued)
      this.#assign()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.clear()
    for (const timer of this.#idle.values()) timer.stop()
    const ending = [...this.#processes].map((process) => process.end())
    this.#idle.clear()
    this.#processes.clear()
    await Promise.all(ending)
  }

  #assign(): void {
    while (!this.#isClosed && !this.#queue.isEmpty) {
      const process = this.#takeIdle() ?? this.#start()
      if (process === undefined) return
      void this.#execute(process, this.#queue.take()!)
    }
  }

  #takeIdle(): ReadingProcess | undefined {
    for (const [process, timer] of this.#idle) {
      timer.stop()
      this.#idle.delete(process)
      if (process.isUsable) return process
      this.#processes.delete(process)
    }
    return undefined
  }

  #start(): ReadingProcess | undefined {
    if (this.#processes.size >= MOST_PROCESSES) return undefined
    const process = new ReadingProcess(this.limits.residentBytes)
    this.#processes.add(process)
    return process
  }

  async #execute(process: ReadingProcess, { job, signal, resolve, reject }: QueuedJob): Promise<void> {
    let isLate = false
    const end = () => void process.end()
    const timer = this.#clock.startTimer(this.limits.timeoutMs, () => {
      isLate = true
      void process.end()
    })
    signal.addEventListener('abort', end, { once: true })
    const { task, documents, mostCharacters } = job
    const coming = documents.map(({ bytes, filename, contentType }) => {
      return { size: bytes.byteLength, filename, contentType }
    })
    const order: DocumentOrder = { kind: 'order', task, documents: coming, mostCharacters }
    const answer = await process.read(order, documents)
    timer.stop()
    signal.removeEventListener('abort', end)
    if (this.#isClosed) return
    if (process.isUsable) this.#rest(process)
    else this.#processes.delete(process)
    if (signal.aborted) reject(signal.reason)
    else resolve(isLate ? { kind: 'timeout' } : answer)
    this.#assign()
  }

  #rest(process: ReadingProcess): void {
    const timer = this.#clock.startTimer(IDLE_MS, () => {
      this.#idle.delete(process)
      this.#processes.delete(process)
      void process.end()
    })
    this.#idle.set(process, timer)
  }

  #giveUp(queued: QueuedJob): void {
    if (!this.#queue.remove(queued.owner, queued)) return
    queued.reject(queued.signal.reason)
  }
}
