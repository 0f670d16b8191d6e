import type { ServerResponse } from 'node:http'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { type Answer, type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts'

const PAGE = 20

export interface ShopServices extends MisbehavingServer {
  /** How many pages of orders there are. */
  pages: number
  /** How often an export is asked for before it is done. */
  patience: number
  /** Every so many requests for a page are refused with 429. */
  refuseEach: number
}

/** The services that worked flows call, as far as they do: a carrier, a shop, Telegram, Slack, a model of embeddings. */
export async function startShopServices(lifetime: Lifetime): Promise<ShopServices> {
  const said = { pages: 1, patience: 0, refuseEach: Number.POSITIVE_INFINITY }
  let asked = 0
  let looked = 0
  const answers: Readonly<Record<string, Answer>> = {
    '/parcels': (response) =>
      json(response, { code: 'PX-7', label_url: 'https://labels.example/PX-7.pdf' }, 201),
    '/hook': (response) => void response.writeHead(202).end(),
    '/orders': (response, { query }) => {
      asked += 1
      if (asked % said.refuseEach === 0)
        return void response.writeHead(429, { 'retry-after': '0' }).end('slow down')
      const page = Number(query.get('page'))
      json(response, { orders: page > said.pages ? [] : ordersOf(page) })
    },
    '/exports': (response) => json(response, { id: 'e-1', status: 'begun' }, 202),
    '/exports/e-1': (response) => {
      looked += 1
      const isDone = looked > said.patience
      json(
        response,
        isDone
          ? { id: 'e-1', status: 'done', url: 'https://shop.example/e-1.csv' }
          : { id: 'e-1', status: 'working' }
      )
    },
    [`/bot${BOT_TOKEN}/sendMessage`]: (response) => json(response, { ok: true, result: { message_id: 18 } }),
    '/chat.postMessage': (response) => json(response, { ok: true, ts: '1772445600.000100' }),
    '/embeddings': (response, { body }) => {
      const { input } = JSON.parse(body) as { input: string }
      json(response, { data: [{ index: 0, embedding: embeddingOf(input) }] })
    }
  }
  const server = await startMisbehavingServer({ answers })
  cleanUp(lifetime, () => server.stop())
  return Object.assign(said, server)
}

export const BOT_TOKEN = '813492001:AAF-of-the-tests'

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function ordersOf(page: number) {
  return Array.from({ length: PAGE }, (_, at) => {
    const number = (page - 1) * PAGE + at + 1
    return { number, total: number + 0.5 }
  })
}

/** Texts that have words in common point to the same side, which is what embeddings are for. */
function embeddingOf(text: string): number[] {
  const counts = Array<number>(64).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}{4,}/gu) ?? []) {
    let place = 0
    for (const letter of word) place = (place * 31 + letter.codePointAt(0)!) % counts.length
    counts[place]! += 1
  }
  const length = Math.hypot(...counts) || 1
  return counts.map((count) => count / length)
}
