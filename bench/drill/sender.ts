import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { API_KEY } from '../service-process.ts'
import { type Body, makeBody } from './bodies.ts'
import { FLOWS, type FlowName } from './flows.ts'

/** A request that was answered with 202. */
export interface Accepted extends Body {
  readonly runId: string
  readonly flow: FlowName
  /** The life of the service that it was sent to. */
  readonly life: number
  /** The answer said that the run has succeeded. */
  readonly sawEnd: boolean
}

export interface Sender {
  readonly accepted: readonly Accepted[]
  /** Answers other than 202; there is no reason for one in a drill. */
  readonly refused: readonly string[]
  /** What follows is sent to this life, up to so many accepted requests; resolves with the first of them. */
  begin(life: Life): Promise<void>
  /** Resolves when this life has accepted so many requests. */
  hasAccepted(count: number): Promise<void>
  stop(): Promise<void>
}

export interface Life {
  readonly number: number
  readonly quota: number
  /** Requests per second; none: as fast as they are answered. */
  readonly pace?: number
}

const CLIENTS = 24
/** How soon a client that found nobody listening knocks again. */
const KNOCK_AGAIN_MS = 10
/** One request in so many waits for the end of its run. */
const WAIT_EVERY = 8

/** Clients that never stop sending: the service may die and come back whenever it likes. */
export function startSender({ url, random }: { url: string; random: () => number }): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const accepted: Accepted[] = []
  const refused: string[] = []
  let life: Life = { number: 0, quota: 0 }
  let acceptedInLife = 0
  let sent = 0
  let isStopped = false
  let news = Promise.withResolvers<void>()

  function tell(): void {
    const { resolve } = news
    news = Promise.withResolvers()
    resolve()
  }

  async function hasAccepted(count: number): Promise<void> {
    const { number } = life
    while (acceptedInLife < count && life.number === number) await news.promise
  }

  async function client(): Promise<void> {
    while (!isStopped) {
      if (acceptedInLife >= life.quota) await news.promise
      else await sendOne()
    }
  }

  async function sendOne(): Promise<void> {
    const { number, pace } = life
    const order = sent++
    const flow: FlowName = random() < 0.5 ? 'ledger' : 'pure'
    const body = makeBody(flow, order, random)
    const path = `/api/v1/webhook/${FLOWS[flow].slug}`
    try {
      const answer = await post({ agent, url: url + path, body, waits: order % WAIT_EVERY === 0 })
      if (answer.status !== 202) refused.push(`${answer.status} ${answer.text}`)
      else keep({ ...body, ...readAnswer(answer.text), flow, life: number })
      if (pace !== undefined) await wait((2 * random() * CLIENTS * 1000) / pace)
    } catch {
      // Nobody listens, or the service died before it answered: such a request may be lost, as its sender knows.
      await wait(KNOCK_AGAIN_MS)
    }
  }

  function keep(one: Accepted): void {
    accepted.push(one)
    if (one.life === life.number) acceptedInLife++
    tell()
  }

  const clients = Array.from({ length: CLIENTS }, client)
  return {
    accepted,
    refused,
    begin(next) {
      life = next
      acceptedInLife = 0
      tell()
      return hasAccepted(1)
    },
    hasAccepted,
    async stop() {
      isStopped = true
      tell()
      await Promise.all(clients)
      agent.destroy()
    }
  }
}

function readAnswer(text: string): { runId: string; sawEnd: boolean } {
  const { run_id: runId, status } = JSON.parse(text) as { run_id: string; status: string }
  return { runId, sawEnd: status === 'succeeded' }
}

interface Post {
  readonly agent: Agent
  readonly url: string
  readonly body: Body
  readonly waits: boolean
}

function post({ agent, url, body, waits }: Post): Promise<{ status: number; text: string }> {
  const headers = {
    'x-api-key': API_KEY,
    'content-length': body.bytes.length,
    ...(waits ? { prefer: 'wait=20' } : {})
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        // A body that was cut off ends too; only a whole answer counts.
        if (!response.complete) return reject(new Error('the answer was cut off'))
        resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body.bytes)
  })
}
