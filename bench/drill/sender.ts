import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { API_KEY } from '../service-process.ts'
import { type Body, makeBody } from './bodies.ts'
import { FLOWS, type FlowName } from './flows.ts'

/** A request that was answered with 202. */
export interface Accepted extends Body {
  readonly runId: string
  readonly flow: FlowName
  /** The lives of the service in which it was sent and answered; where there is one process, they are the same. */
  readonly life: number
  readonly answeredIn: number
  /** The answer said that the run has succeeded. */
  readonly sawEnd: boolean
}

export interface Sender {
  readonly accepted: readonly Accepted[]
  /** Answers other than 202 for which there is no reason in a drill. */
  readonly refused: readonly string[]
  /** Answers that asked to come again later, where that is to be expected. */
  readonly turnedAway: number
  /** The longest time in which nothing was accepted. */
  readonly longestGapMs: number
  /** What follows is sent to this life, up to so many accepted requests; resolves with the first of them. */
  begin(life: Life): Promise<void>
  /** Resolves when this life has accepted so many requests. */
  hasAccepted(count: number): Promise<void>
  /** Resolves when all lives together have accepted so many. */
  haveAccepted(count: number): Promise<void>
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
const KNOCK_AGAIN_MS = 50
/** One request in so many starts each of those that make much of it. */
const LARGE_EVERY = 20
const LARGE: Readonly<Record<number, FlowName>> = { 1: 'program', 7: 'repeat', 13: 'cancelled' }
/** One request in so many waits for the end of its run. */
const WAIT_EVERY = 8

export interface SenderOptions {
  /** Each client has one of them. */
  readonly urls: readonly string[]
  readonly random: () => number
  /** Whether the service may answer 503 with Retry-After. */
  readonly mayTurnAway?: boolean
  /** How long those wait that wait for the end of their run, in seconds. */
  readonly patience?: number
  readonly onAccepted?: (one: Accepted) => void
}

/** Clients that never stop sending: the service may die and come back whenever it likes. */
export function startSender(options: SenderOptions): Sender {
  const { urls, random, mayTurnAway = false, patience = 20, onAccepted } = options
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const accepted: Accepted[] = []
  const refused: string[] = []
  let life: Life = { number: 0, quota: 0 }
  let acceptedInLife = 0
  let sent = 0
  let turnedAway = 0
  let lastAccepted: number | undefined
  let longestGapMs = 0
  let stoppedAt: number | undefined
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

  async function haveAccepted(count: number): Promise<void> {
    while (accepted.length < count) await news.promise
  }

  async function client(url: string): Promise<void> {
    while (!isStopped) {
      if (acceptedInLife >= life.quota) await news.promise
      else await sendOne(url)
    }
  }

  async function sendOne(url: string): Promise<void> {
    const { number, pace } = life
    const order = sent++
    const large = LARGE[order % LARGE_EVERY]
    const flow = large ?? anyChain(random())
    const body = makeBody(flow, order, random)
    const path = `/api/v1/webhook/${FLOWS[flow].slug}`
    try {
      // Those wait for others, and clients are not to wait with them.
      const prefer = order % WAIT_EVERY === 0 && large === undefined ? `wait=${patience}` : undefined
      const answer = await post({ agent, url: url + path, body, prefer })
      if (answer.status === 202) keep({ ...body, ...readAnswer(answer.text), flow, life: number })
      else await refuse(answer)
      if (pace !== undefined) await wait((2 * random() * CLIENTS * 1000) / pace)
    } catch {
      // Nobody listens, or the service died before it answered: such a request may be lost, as its sender knows.
      await wait(KNOCK_AGAIN_MS)
    }
  }

  function keep(one: Omit<Accepted, 'answeredIn'>): void {
    const kept = { ...one, answeredIn: life.number }
    accepted.push(kept)
    onAccepted?.(kept)
    if (one.life === life.number) acceptedInLife++
    const now = performance.now()
    longestGapMs = Math.max(longestGapMs, now - (lastAccepted ?? now))
    lastAccepted = now
    tell()
  }

  async function refuse({ status, text, retryAfter }: Answer): Promise<void> {
    if (!mayTurnAway || status !== 503 || !(Number(retryAfter) > 0)) refused.push(`${status} ${text}`)
    else turnedAway++
    await wait(KNOCK_AGAIN_MS)
  }

  const clients = Array.from({ length: CLIENTS }, (_, place) => client(urls[place % urls.length]!))
  return {
    accepted,
    refused,
    get turnedAway() {
      return turnedAway
    },
    get longestGapMs() {
      const now = stoppedAt ?? performance.now()
      return Math.max(longestGapMs, now - (lastAccepted ?? now))
    },
    begin(next) {
      life = next
      acceptedInLife = 0
      tell()
      return hasAccepted(1)
    },
    hasAccepted,
    haveAccepted,
    async stop() {
      isStopped = true
      stoppedAt ??= performance.now()
      tell()
      await Promise.all(clients)
      agent.destroy()
    }
  }
}

function anyChain(choice: number): FlowName {
  return choice < 0.5 ? 'ledger' : 'pure'
}

function readAnswer(text: string): { runId: string; sawEnd: boolean } {
  const { run_id: runId, status } = JSON.parse(text) as { run_id: string; status: string }
  return { runId, sawEnd: status === 'succeeded' }
}

interface Post {
  readonly agent: Agent
  readonly url: string
  readonly body: Body
  readonly prefer: string | undefined
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
}

function post({ agent, url, body, prefer }: Post): Promise<Answer> {
  const headers = {
    'x-api-key': API_KEY,
    'content-length': body.bytes.length,
    ...(prefer === undefined ? {} : { prefer })
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        // A body that was cut off ends too; only a whole answer counts.
        if (!response.complete) return reject(new Error('the answer was cut off'))
        resolve({
          status: response.statusCode!,
          text: Buffer.concat(chunks).toString(),
          retryAfter: response.headers['retry-after']
        })
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body.bytes)
  })
}
