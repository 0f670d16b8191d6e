import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'

type PacedSocket = Pick<Readable, '_read' | 'push' | 'destroyed'>

interface DelayedRead {
  readonly timer: { stop(): void }
  readonly read: () => void
}

/** Node reads 64 kB at once, and for TLS 16 kB with its overhead. Where that is about what has come, more is waiting. */
const FULL_READ = 12 * 1024

/**
 * How often a socket is read. What comes in many small packets is read packet by packet otherwise, each
 * with a system call, a buffer and a turn of the parser; what has waited in the socket is read as one.
 */
export class SocketReads {
  readonly #socket: PacedSocket
  readonly #clock: Pick<Clock, 'startTimer'>
  #waitMs: (() => number) | undefined
  #delayed: DelayedRead | undefined
  /** Bytes since a read was waited for. */
  #came = 0

  /** Goes by what every stream is implemented with: `_read` is asked for more, and `push` says whether to go on. */
  constructor(socket: PacedSocket, clock: Pick<Clock, 'startTimer'>) {
    this.#socket = socket
    this.#clock = clock
    const [read, push] = [socket._read.bind(socket), socket.push.bind(socket)]
    socket._read = (size) => this.#readInTime(() => read(size))
    socket.push = (chunk, encoding) => {
      const hasRoom = push(chunk, encoding)
      return this.#mayReadOn(chunk) && hasRoom
    }
  }

  /** From now on a read comes so many milliseconds after the one before. Returns what ends that. */
  every(waitMs: () => number): () => void {
    this.#waitMs = waitMs
    return () => {
      if (this.#waitMs !== waitMs) return
      this.#waitMs = undefined
      this.#waitNoLonger()
    }
  }

  #readInTime(readNow: () => void): void {
    if (this.#waitMs === undefined) return readNow()
    // TLS brings what it has read record by record, and is asked for more at each.
    if (this.#delayed !== undefined) return
    const read = () => {
      this.#delayed = undefined
      this.#came = 0
      if (!this.#socket.destroyed) readNow()
    }
    if (this.#came >= FULL_READ) return read()
    this.#delayed = { timer: this.#clock.startTimer(this.#waitMs(), read), read }
  }

  #mayReadOn(chunk: { readonly length: number } | null): boolean {
    if (this.#waitMs === undefined) return true
    this.#came += chunk?.length ?? 0
    if (this.#came < FULL_READ) return false
    this.#waitNoLonger()
    return true
  }

  #waitNoLonger(): void {
    this.#delayed?.timer.stop()
    this.#delayed?.read()
  }
}
