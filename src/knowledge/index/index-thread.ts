import { Worker } from 'node:worker_threads'
import type { TextChunk } from '../../store/collections.ts'
import type { IndexMatch, IndexQuestion } from './collection-index.js'

/** What the thread is told to do with the index of this name. */
type Order =
  | { readonly kind: 'begin'; readonly name: string; readonly model: string | null }
  | { readonly kind: 'add'; readonly name: string; readonly pieces: readonly TextChunk[] }
  | { readonly kind: 'retain'; readonly name: string; readonly revisions: readonly number[] }
  | { readonly kind: 'state'; readonly name: string }
  | { readonly kind: 'search'; readonly name: string; readonly question: IndexQuestion }
  | { readonly kind: 'forget'; readonly name: string }

interface Answers {
  readonly begin: undefined
  readonly add: undefined
  readonly retain: undefined
  readonly state: { readonly alive: number; readonly isOld: boolean }
  readonly search: readonly IndexMatch[]
  readonly forget: undefined
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

interface Message {
  readonly id: number
  readonly answer?: unknown
  readonly error?: string
}

/** Of words and numbers of texts; vectors are beside it. */
const HEAP_MB = 1_024

/** One thread with the indexes that it was told to make: see knowledge-thread.js. */
export class IndexThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #isUsable = true

  constructor() {
    this.#worker = new Worker(new URL('knowledge-thread.js', import.meta.url), {
      // Nothing that the service knows is its business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }
    })
    this.#worker.on('message', (message: Message) => this.#receive(message))
    this.#worker.on('error', (error) => this.#ended(error))
    this.#worker.on('exit', () => this.#ended(new Error('the thread that searches ended')))
    this.#worker.unref()
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Rejects where the thread ends, or fails, over it. */
  ask<Kind extends Order['kind']>(order: Extract<Order, { kind: Kind }>): Promise<Answers[Kind]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (!this.#isUsable) reject(new Error('the thread that searches ended'))
    else {
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage({ id, order })
    }
    return promise as Promise<Answers[Kind]>
  }

  async end(): Promise<void> {
    this.#ended(new Error('the service stops'))
    await this.#worker.terminate()
  }

  #receive({ id, answer, error }: Message): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (error === undefined) waiting?.resolve(answer)
    else waiting?.reject(new Error(error))
  }

  #ended(error: Error): void {
    this.#isUsable = false
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
