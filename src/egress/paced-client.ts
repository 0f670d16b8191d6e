import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Clock } from '../clock.ts'
import { SocketReads } from './socket-reads.ts'

type Connect = ReturnType<typeof buildConnector>

/** Handed over with a request, and given back with its answer: who says how often the socket is read. */
export interface SentBy {
  client?: Pick<PacedClient, 'readEvery'>
}

/** One socket, which one request at a time goes over. There may be thousands, and few have to be paced. */
export class PacedClient extends Client {
  readonly #clock: Pick<Clock, 'startTimer'>
  #socket: Socket | undefined
  #reads: SocketReads | undefined

  constructor(origin: URL, options: Client.Options, clock: Pick<Clock, 'startTimer'>) {
    const connect: Connect = (to, callback) =>
      (options.connect as Connect)(to, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        this.#socket = socket
        this.#reads = undefined
        callback(null, socket)
      })
    super(origin, { ...options, connect })
    this.#clock = clock
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { opaque } = options as { readonly opaque?: SentBy }
    if (opaque !== undefined) opaque.client = this
    return super.dispatch(options, handler)
  }

  /** Of the request that is under way. Returns what ends that. */
  readEvery(waitMs: () => number): () => void {
    if (this.#socket === undefined) return () => {}
    this.#reads ??= new SocketReads(this.#socket, this.#clock)
    return this.#reads.every(waitMs)
  }
}
