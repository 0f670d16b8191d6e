import { once } from 'node:events'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

type Row = Record<string, unknown>

/** Reads from the database and lets nothing else happen meanwhile: what must be true is judged in the moment in which something begins. */
export class BlockingReader {
  readonly #flag = new Int32Array(new SharedArrayBuffer(4))
  readonly #channel = new MessageChannel()
  readonly #worker: Worker

  constructor(url: string) {
    const port = this.#channel.port2
    this.#worker = new Worker(new URL('reader-thread.ts', import.meta.url), {
      workerData: { url, flag: this.#flag, port },
      transferList: [port]
    })
  }

  /** The rows of each of these statements. They are prepared, so there should be few. */
  ask(texts: readonly string[]): Row[][] {
    Atomics.store(this.#flag, 0, 0)
    this.#channel.port1.postMessage(texts)
    Atomics.wait(this.#flag, 0, 0)
    const { answers, error } = receiveMessageOnPort(this.#channel.port1)!.message as {
      answers?: Row[][]
      error?: string
    }
    if (answers === undefined) throw new Error(`The rows could not be read: ${error}`)
    return answers
  }

  async end(): Promise<void> {
    const ended = once(this.#worker, 'exit')
    this.#channel.port1.postMessage(null)
    await ended
    this.#channel.port1.close()
  }
}
