import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Clock } from '../clock.ts'
import { SocketReads } from './socket-reads.ts'

type Connect = ReturnType<typeof buildConnector>

/** A request that wants to say how often the socket is read that it goes over. */
export interface PacedRequest {
  readonly onReads?: (reads: Pick<SocketReads, 'every'>) => void
}

/** One socket, which one request at a time goes over. */
export class PacedClient extends Client {
  readonly #reads: SocketReads

  constructor(origin: URL, options: Client.Options, clock: Pick<Clock, 'startTimer'>) {
    const reads = new SocketReads(clock)
    super(origin, { ...options, connect: told(options.connect as Connect, reads) })
    this.#reads = reads
  }

  override dispatch(
    options: Dispatcher.DispatchOptions & PacedRequest,
    handler: Dispatcher.DispatchHandler
  ): boolean {
    options.onReads?.(this.#reads)
    return super.dispatch(options, handler)
  }
}

function told(connect: Connect, reads: SocketReads): Connect {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (socket !== null) reads.begin(socket)
      if (error === null) callback(null, socket)
      else callback(error, null)
    })
}
