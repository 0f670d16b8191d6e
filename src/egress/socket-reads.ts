import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'

type PacedSocket = Pick<Readable, '_read' | 'push' | 'destroyed'>

interface WaitingRead {
  readonly timer: { stop(): void }
  readonly read: () => void
}

/** Node reads 64 kB at once, and for TLS 16 kB with its overhead. Where that is about what has come, more is waiting. */
const FULL_READ = 12 * 1024

/**
 * How often the socket of a client is read. What comes in many small packets is read packet by packet otherwise, each
 * with a system call, a buffer and a turn of the parser; what has waited in the socket is read as one.
 */
export class SocketReads {
  readonly #clock: Pick<Clock, 'startTimer'>
  #socket: PacedSocket | undefined
  #isPaced = false
  #waitMs: (() => number) | undefined
  #waiting: WaitingRead | undefined
  /** Bytes since a read was waited for. */
  #came = 0

  constructor(clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
  }

  /** The client has opened another socket. */
  begin(socket: PacedSocket): void {
    this.#waiting?.timer.stop()
    this.#waiting = undefined
    this.#waitMs = undefined
    this.#socket = socket
    this.#isPaced = false
  }

  /** From now on a read comes so many milliseconds after the one before. Returns what ends that. */
  every(waitMs: () => number): () => void {
    this.#waitMs = waitMs
    // Most sockets are never read at intervals, and stay as Node made them.
    if (this.#socket !== undefined && !this.#isPaced) this.#pace(this.#socket)
    return () => {
      if (this.#waitMs !== waitMs) return
      this.#waitMs = undefined
      this.#waitNoLonger()
    }
  }

  /** By what every stream is implemented with: `_read` is asked for more, and `push` says whether to go on. */
  #pace(socket: PacedSocket): void {
    this.#isPaced = true
    const [read, push] = [socket._read.bind(socket), socket.push.bind(socket)]
    socket._read = (size) => this.#readInTime(socket, () => read(size))
    socket.push = (chunk, encoding) => {
      const hasRoom = push(chunk, encoding)
      return this.#goesOn(chunk) && hasRoom
    }
  }

  #readInTime(socket: PacedSocket, readNow: () => void): void {
    if (this.#waitMs === undefined || socket !== this.#socket) return readNow()
    // TLS brings what it has read record by record, and is asked for more at each.
    if (this.#waiting !== undefined) return
    const read = () => {
      this.#waiting = undefined
      this.#came = 0
      if (!socket.destroyed) readNow()
    }
    if (this.#came >= FULL_READ) return read()
    this.#waiting = { timer: this.#clock.startTimer(this.#waitMs(), read), read }
  }

  #goesOn(chunk: { readonly length: number } | null): boolean {
    if (this.#waitMs === undefined) return true
    this.#came += chunk?.length ?? 0
    if (this.#came < FULL_READ) return false
    this.#waitNoLonger()
    return true
  }

  #waitNoLonger(): void {
    this.#waiting?.timer.stop()
    this.#waiting?.read()
  }
}
