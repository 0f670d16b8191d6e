import type { Socket } from 'node:net'
import type { PgAnswer, PostgresExchange } from './postgres-exchange.ts'

/** What the driver has and its types do not tell. */
export interface ExchangeClient {
  query(exchange: PostgresExchange): void
  readonly connection: { readonly stream: Pick<Socket, 'write' | 'writable' | 'cork' | 'uncork'> }
}

/**
 * Exchanges whose messages are sent, in the order of their answers. The driver has one of them at a time: more it takes with a
 * warning, and from its next version on not at all.
 */
export class ExchangeLine {
  readonly #client: ExchangeClient
  readonly #later: PostgresExchange[] = []
  #isAnswering = false
  #cutBy: Error | undefined

  constructor(client: ExchangeClient) {
    this.#client = client
  }

  send(messages: Buffer, exchange: PostgresExchange): Promise<PgAnswer> {
    if (this.#cutBy !== undefined) {
      exchange.fail(this.#cutBy)
      return exchange.answer
    }
    const { stream } = this.#client.connection
    if (stream.writable) stream.write(messages)
    if (this.#isAnswering) this.#later.push(exchange)
    else this.#listen(exchange)
    return exchange.answer
  }

  /** What is sent until the end of this tick is one packet: a write takes longer than all else that is done here. */
  sendTogether(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** From now on nobody hears what the server answers, be it in the packet that is just read: whoever is in line fails. */
  cut(error: Error): void {
    this.#cutBy = error
    for (const exchange of this.#later.splice(0)) exchange.fail(error)
  }

  #listen(exchange: PostgresExchange): void {
    this.#isAnswering = true
    exchange.whenOver(() => {
      const next = this.#later.shift()
      if (next === undefined) this.#isAnswering = false
      else this.#listen(next)
    })
    this.#client.query(exchange)
  }
}
