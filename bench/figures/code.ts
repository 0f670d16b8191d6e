import { createFlow } from '../create-flow.ts'
import { PAYLOAD, webhookOf } from '../load.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median, percentile } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const STEP: Target = { name: 'Code: a fresh sandbox per step, median', unit: 'ms', must: { atMost: 2 } }
const ACCEPT: Target = {
  name: '100 steps of Code at once: a webhook is answered meanwhile in, p99',
  unit: 'ms',
  must: { atMost: 50 }
}
const PAST: Target = {
  name: 'attacks on the sandbox: longest past their limit',
  unit: 'ms',
  must: { atMost: 500 }
}
const LIVE: Target = {
  name: 'attacks on the sandbox: slowest /livez meanwhile',
  unit: 'ms',
  must: { atMost: 50 }
}

const STEPS = 300
const AT_ONCE = 100
/** One of the hundred computes for about so long on its own: together they keep the threads busy for seconds. */
const BUSY = 'let n = 0\nfor (let i = 0; i < 100_000; i++) n += i % 7\nreturn n'
const LIMIT_MS = 500
const PROBE_EVERY_MS = 5

const TOTAL = 'return { total: data.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) }'

interface Attack {
  readonly name: string
  readonly type: 'code' | 'transform'
  readonly source: string
}

const ATTACKS: readonly Attack[] = [
  { name: 'a loop', type: 'code', source: 'for (;;) {}' },
  { name: '4 GB', type: 'code', source: 'return new Uint8Array(4 * 1024 ** 3).length' },
  { name: 'memory', type: 'code', source: 'const all = []\nfor (;;) all.push({ n: all.length })' },
  { name: 'a native loop', type: 'code', source: 'return new Array(3e7).join()' },
  { name: 'a pattern', type: 'code', source: 'return /^(a+)+$/.test("a".repeat(40) + "b")' },
  { name: 'recursion', type: 'code', source: 'const f = () => f() + 1\nreturn f()' },
  { name: 'JSONata: a text', type: 'transform', source: '$pad("x", 1e8)' },
  { name: 'JSONata: recursion', type: 'transform', source: '($f := function($x){ $f($x + 1) }; $f(1))' },
  {
    name: 'JSONata: a pattern',
    type: 'transform',
    source: '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaab", /^(a+)+$/)'
  }
]

/** People's code: what a step costs, and what it does to everybody else. */
export const codeGroup: FigureGroup = {
  key: 'code',
  about: 'steps of Code, a hundred at once while requests are accepted, and attacks while /livez is asked',
  targets: [STEP, ACCEPT, PAST, LIVE],
  async measure({ workspace, say }: Bench): Promise<Figure[]> {
    const service = await startService(workspace, { home: workspace.folder('bench-code') })
    await createComputing(service, 'bench-total', { type: 'code', source: TOTAL })
    await createComputing(service, 'bench-busy', { type: 'code', source: BUSY })
    const figures = [await freshStep(service), await acceptMeanwhile(service)]
    say('code: attacks')
    figures.push(...(await attackAll(service, say)))
    await service.stop()
    return figures
  }
}

function createComputing(
  service: Service,
  slug: string,
  { type, source }: Pick<Attack, 'type' | 'source'>
): Promise<void> {
  const fields = { [type === 'code' ? 'code' : 'expression']: source, timeout_ms: LIMIT_MS }
  return createFlow(service, {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'compute', type, fields }
    ],
    edges: [{ from: 'webhook-1.data', to: 'compute.data' }]
  })
}

async function freshStep(service: Service): Promise<Figure> {
  const times: number[] = []
  for (let n = 0; n < STEPS; n++) times.push(await stepMs(service, 'bench-total'))
  const measured = median(times.slice(STEPS / 3))
  return {
    ...STEP,
    measured,
    detail: `duration_ms of ${STEPS} steps, one after the other, the first third left out`
  }
}

async function acceptMeanwhile(service: Service): Promise<Figure> {
  let isOver = false
  const since = performance.now()
  const computed = Promise.all(Array.from({ length: AT_ONCE }, () => stepMs(service, 'bench-busy'))).finally(
    () => {
      isOver = true
    }
  )
  const times = await probe(
    () => isOver,
    () => timed(webhookOf(service), PAYLOAD)
  )
  await computed
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  return {
    ...ACCEPT,
    // The first one was sent behind a hundred new connections of this process.
    measured: percentile(times.slice(1), 0.99),
    detail: `${times.length} webhooks during ${seconds} s of computing, median ${median(times).toFixed(1)} ms`
  }
}

async function attackAll(service: Service, say: Bench['say']): Promise<Figure[]> {
  const past: number[] = []
  const lives: number[] = []
  for (const [index, attack] of ATTACKS.entries()) {
    const slug = `bench-attack-${index}`
    await createComputing(service, slug, attack)
    let isOver = false
    const ended = stepMs(service, slug).finally(() => {
      isOver = true
    })
    const times = await probe(
      () => isOver,
      () => timed(`${service.url}/livez`)
    )
    const took = await ended
    say(
      `code: ${attack.name} ended after ${Math.round(took)} ms, /livez ≤ ${Math.max(...times).toFixed(1)} ms`
    )
    past.push(took - LIMIT_MS)
    lives.push(...times)
  }
  return [
    {
      ...PAST,
      measured: Math.max(0, ...past),
      detail: `${ATTACKS.length} attacks, each with ${LIMIT_MS} ms`
    },
    {
      ...LIVE,
      measured: Math.max(...lives),
      detail: `${lives.length} answers, median ${median(lives).toFixed(1)} ms`
    }
  ]
}

/** What the step took that computes, by the service itself. */
async function stepMs(service: Service, slug: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/run/${slug}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: `{"input":${PAYLOAD}}`
  })
  const { steps } = (await response.json()) as { steps: { node: string; duration_ms: number }[] }
  return steps.find(({ node }) => node === 'compute')!.duration_ms
}

async function probe(isOver: () => boolean, once: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  do {
    times.push(await once())
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
  } while (!isOver())
  return times
}

async function timed(url: string, body?: string): Promise<number> {
  const since = performance.now()
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    ...(body !== undefined && { body })
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`)
  return performance.now() - since
}
