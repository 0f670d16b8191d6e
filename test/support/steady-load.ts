import type { TestContext } from 'node:test'
import type { ApiClient } from './api-client.ts'
import { cleanUp } from './clean-up.ts'

export interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
}

/** Senders that never stop by themselves, whatever happens to the service. */
export interface SteadyLoad {
  /** Ids of runs that were answered with 202. */
  readonly accepted: readonly string[]
  /** Any other answer. A connection that broke is none. */
  readonly refused: readonly Refusal[]
  /** Resolves when so many more were accepted than now. */
  moreAccepted(count: number): Promise<void>
  moreRefused(count: number): Promise<void>
  /** Resolves when the last answer has come. */
  stop(): Promise<void>
}

export interface LoadOrder {
  /** The requests go to them in turn. */
  readonly clients: readonly ApiClient[]
  readonly flow: string
  readonly body: string
}

const SENDERS = 12

export function startLoad(test: TestContext, { clients, flow, body }: LoadOrder): SteadyLoad {
  const accepted: string[] = []
  const refused: Refusal[] = []
  let isOver = false
  let news = Promise.withResolvers<void>()

  async function send(client: ApiClient): Promise<void> {
    try {
      const answer = await client.webhook(flow, body)
      if (answer.status === 202) accepted.push(answer.json<{ run_id: string }>().run_id)
      else refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') })
    } catch {
      // Who gets no answer knows that the request may be lost.
    }
    news.resolve()
    news = Promise.withResolvers()
  }

  const senders = Array.from({ length: SENDERS }, async (_, place) => {
    while (!isOver) await send(clients[place % clients.length]!)
  })
  const grown = async (list: readonly unknown[], by: number) => {
    const enough = list.length + by
    while (list.length < enough && !isOver) await news.promise
  }
  const stop = async () => {
    isOver = true
    await Promise.all(senders)
  }
  cleanUp(test, stop)
  return {
    accepted,
    refused,
    moreAccepted: (count) => grown(accepted, count),
    moreRefused: (count) => grown(refused, count),
    stop
  }
}
