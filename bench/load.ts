import autocannon from 'autocannon'
import { API_KEY, type Service } from './service-process.ts'
import { percentile } from './statistics.ts'

export const CONNECTIONS = 100

/** About 300 bytes, as an order of a shop looks. */
export const PAYLOAD = JSON.stringify({
  order_id: 48_213,
  customer: 'Ann Example',
  email: 'ann@example.com',
  currency: 'EUR',
  total: 129.9,
  items: [
    { sku: 'MR-1001', title: 'Water wheel, small', quantity: 1, price: 99.9 },
    { sku: 'MR-2040', title: 'Mill stone, pair', quantity: 2, price: 15 }
  ],
  note: 'Please leave it at the door by the race.'
})

/** The same bytes go to both servers, whether or not they look at them. */
const headersOf = (type: string) => ({ 'content-type': type, 'x-api-key': API_KEY })

export interface Loaded {
  readonly answered: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadOptions {
  readonly url: string
  /** How long, or how many requests. */
  readonly seconds?: number
  readonly amount?: number
  readonly connections?: number
  /** Makes the body of each request, of this type. */
  readonly body?: () => Buffer
  readonly type?: string
}

/** Sends as fast as the answers come, over 100 connections. Any answer but a 2xx makes the measurement worthless. */
export async function load({
  url,
  seconds = 1,
  amount,
  connections = CONNECTIONS,
  body,
  type = 'application/json'
}: LoadOptions): Promise<Loaded> {
  const latencies: number[] = []
  const since = performance.now()
  let last = since
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        method: 'POST',
        headers: headersOf(type),
        ...(body === undefined
          ? { body: PAYLOAD }
          : { requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }] }),
        connections,
        // It looks only at these ticks whether its time is over; at its own one second it would overrun by as much.
        sampleInt: 100,
        ...(amount === undefined ? { duration: seconds } : { amount })
      },
      (error, done) => (error ? reject(error) : resolve(done))
    )
    // Its own percentiles are in whole milliseconds, too coarse for a ratio of numbers around ten.
    run.on('response', (_client, _status, _bytes, responseTime) => {
      latencies.push(responseTime)
      last = performance.now()
    })
  })
  assertClean(url, result)
  const elapsed = (last - since) / 1000
  return {
    answered: latencies.length,
    seconds: elapsed,
    perSecond: latencies.length / elapsed,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99)
  }
}

function assertClean(url: string, result: autocannon.Result): void {
  const { errors, timeouts, non2xx } = result
  if (errors === 0 && timeouts === 0 && non2xx === 0 && result['2xx'] > 0) return
  const codes = Object.entries(result.statusCodeStats ?? {}).map(([code, { count }]) => `${code} × ${count}`)
  throw new Error(
    `the load on ${url} was not clean: ${errors} errors, ${timeouts} timeouts, answers ${codes.join(', ') || 'none'}`
  )
}

export function webhookOf(service: Service, flow = 'orders'): string {
  return `${service.url}/api/v1/webhook/${flow}`
}

export interface LoadedService extends Loaded {
  /** From the first request until the last accepted run had ended and was stored. */
  readonly secondsToTheEnd: number
  readonly finished: number
}

/** Loads the service and waits until everything that it accepted has ended. */
export async function loadToTheEnd(
  service: Service,
  { flow, ...options }: Omit<LoadOptions, 'url'> & { readonly flow?: string }
): Promise<LoadedService> {
  const before = await service.counts()
  const since = performance.now()
  const loaded = await load({ ...options, url: webhookOf(service, flow) })
  const finished = await untilFinished(service, before.succeeded + loaded.answered)
  const secondsToTheEnd = (performance.now() - since) / 1000
  return { ...loaded, secondsToTheEnd, finished: finished - before.succeeded }
}

const LOOK_EVERY_MS = 50
const FINISH_WITHIN_MS = 300_000

/** Resolves to the number of runs that have succeeded, once that many have and nothing is left. */
async function untilFinished(service: Service, expected: number): Promise<number> {
  const deadline = performance.now() + FINISH_WITHIN_MS
  for (;;) {
    const { backlog, succeeded, failed, cancelled } = await service.counts()
    if (failed > 0 || cancelled > 0) throw new Error(`${failed} runs failed, ${cancelled} were cancelled`)
    if (backlog === 0 && succeeded >= expected) return succeeded
    if (performance.now() > deadline) {
      throw new Error(`accepted runs do not end: ${succeeded} of ${expected} succeeded, backlog ${backlog}`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
