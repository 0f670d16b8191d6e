import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GivenDocument } from '../flows/step/step-documents.ts'
import {
  type DocumentAnswer,
  type DocumentBytes,
  type DocumentOrder,
  type DocumentStart,
  PIECE_BYTES
} from './document-messages.ts'

const PROGRAM = fileURLToPath(new URL(`./document-process${extname(import.meta.url)}`, import.meta.url))

/** Of JavaScript alone; buffers are watched besides. */
const HEAP_MB = 256

/** Why there is no answer: it took too much memory, could not be started, or ended by itself. */
type NoAnswer = 'memory' | 'ended'

export type ReadAnswer =
  | { readonly kind: 'results'; readonly text: string }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'none'; readonly why: NoAnswer }

/** How one ends that has taken too much: by its own watch or the system's, or by its heap. */
const FULL: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGABRT', 'SIGTRAP']

/** One process that reads documents, an order after the other: see document-process.ts. */
export class ReadingProcess {
  readonly #process: ChildProcess
  #settle: ((answer: ReadAnswer) => void) | undefined
  #pieces: string[] = []
  #isUsable = true

  constructor(mostResident: number) {
    const start: DocumentStart = { parent: process.pid, mostResident }
    this.#process = fork(PROGRAM, [JSON.stringify(start)], {
      // Nothing that the service knows is its business.
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced'
    })
    this.#process.on('message', (answer: DocumentAnswer) => this.#receive(answer))
    this.#process.on('error', () => this.#ended('ended'))
    this.#process.on('exit', (_code, signal) => this.#ended(FULL.includes(signal) ? 'memory' : 'ended'))
    this.#rest()
  }

  get isUsable(): boolean {
    return this.#isUsable && this.#process.connected
  }

  async read(order: DocumentOrder, documents: readonly GivenDocument[]): Promise<ReadAnswer> {
    const { promise, resolve } = Promise.withResolvers<ReadAnswer>()
    this.#settle = resolve
    this.#pieces = []
    this.#process.ref()
    this.#process.channel?.ref()
    // Not waited for: one that ends in the middle takes no more, and is heard.
    void this.#sendAll(order, documents)
    return promise
  }

  /** At once, whatever it is doing. */
  async end(): Promise<void> {
    this.#isUsable = false
    const { exitCode, signalCode } = this.#process
    if (exitCode !== null || signalCode !== null || !this.#process.kill('SIGKILL')) return
    // Else nothing keeps this process for as long as that takes.
    this.#process.ref()
    await once(this.#process, 'exit')
  }

  /** Piece by piece, as they are taken: megabytes at once would hold up the thread. */
  async #sendAll(order: DocumentOrder, documents: readonly GivenDocument[]): Promise<void> {
    await this.#send(order)
    for (const { bytes } of documents)
      for (let from = 0; from < bytes.byteLength && this.#settle !== undefined; from += PIECE_BYTES)
        await this.#send({ kind: 'bytes', bytes: bytes.subarray(from, from + PIECE_BYTES) })
  }

  /** Where it cannot be sent, the process has ended, and that is heard. */
  #send(message: DocumentOrder | DocumentBytes): Promise<void> {
    return new Promise((resolve) => {
      if (this.isUsable) this.#process.send(message, () => resolve())
      else resolve()
    })
  }

  #receive(answer: DocumentAnswer): void {
    if (answer.kind !== 'piece') return this.#answer(answer)
    this.#pieces.push(answer.text)
    if (answer.isLast) this.#answer({ kind: 'results', text: this.#pieces.join('') })
  }

  #ended(why: NoAnswer): void {
    this.#isUsable = false
    this.#answer({ kind: 'none', why })
  }

  #answer(answer: ReadAnswer): void {
    const settle = this.#settle
    this.#settle = undefined
    this.#pieces = []
    this.#rest()
    settle?.(answer)
  }

  /** A process that waits for work does not keep the service from its end. */
  #rest(): void {
    this.#process.unref()
    this.#process.channel?.unref()
  }
}
