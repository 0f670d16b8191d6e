import { type BenchFlow, createFlow } from '../create-flow.ts'
import { loadToTheEnd, PAYLOAD, webhookOf } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import { until } from '../until.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench } from './group.ts'

export const ITEMS_TARGET: Target = {
  name: 'For each over 10,000 items, items/s ÷ webhooks completed/s of the same two steps',
  unit: '',
  must: { atLeast: 1.5 }
}

const ITEMS = 10_000
const LIST = `[${new Array(ITEMS).fill(PAYLOAD).join(',')}]`

const PARSER = { id: 'parser-1', type: 'parser', fields: { template: 'Order {order_id} from {customer}' } }
const PROMPT = { id: 'prompt-1', type: 'prompt', fields: { template: 'Thank you. {order}' } }
const WEBHOOK = { id: 'webhook-1', type: 'webhook', fields: {} }
const BETWEEN = { from: 'parser-1.parsed_text', to: 'prompt-1.order' }

/** The same two steps: for each webhook, and for each item of one. */
const BODY: BenchFlow = {
  name: 'Bench body',
  slug: 'bench-body',
  nodes: [WEBHOOK, PARSER, PROMPT],
  edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }, BETWEEN]
}
const EACH: BenchFlow = {
  name: 'Bench each',
  slug: 'bench-each',
  nodes: [
    WEBHOOK,
    { id: 'each', type: 'for-each', fields: {} },
    { ...PARSER, parent: 'each' },
    { ...PROMPT, parent: 'each' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'each.items' },
    { from: 'each.item', to: 'parser-1.data' },
    BETWEEN,
    { from: 'prompt-1.prompt', to: 'each.result' }
  ]
}

interface Round {
  readonly items: number
  readonly webhooks: number
}

/** From the request to the stored end, both ways, in alternation. */
export async function measureItems({ workspace, options, say }: Bench): Promise<Figure[]> {
  const home = workspace.folder('bench-items')
  const service = await startService(workspace, { home, env: { MILLRACE_BODY_LIMIT: '8mb' } })
  await createFlow(service, BODY)
  await createFlow(service, EACH)
  await playRound(service, 0)
  const rounds = await quietRounds({
    rounds: options.rounds,
    pids: [service.child.pid!],
    play: (index) => playRound(service, index),
    onRound: ({ items, webhooks }, index, isQuiet) =>
      say(
        `waits: round ${index + 1}: ${whole(items)} items/s, ${whole(webhooks)} webhooks/s${isQuiet ? '' : '; other work was going on'}`
      )
  })
  await service.stop()
  const of = (which: keyof Round) => whole(median(rounds.map((round) => round[which])))
  return [
    {
      ...ITEMS_TARGET,
      measured: median(rounds.map(({ items, webhooks }) => items / webhooks)),
      detail: `${of('items')} items/s of one webhook with a list ÷ ${of('webhooks')} webhooks/s, each from the first request to the last stored end`
    }
  ]
}

async function playRound(service: Service, index: number): Promise<Round> {
  if (index % 2 === 0) {
    const items = await itemsPerSecond(service)
    return { items, webhooks: await webhooksPerSecond(service) }
  }
  const webhooks = await webhooksPerSecond(service)
  return { items: await itemsPerSecond(service), webhooks }
}

async function webhooksPerSecond(service: Service): Promise<number> {
  const { answered, secondsToTheEnd } = await loadToTheEnd(service, { amount: ITEMS, flow: BODY.slug })
  return answered / secondsToTheEnd
}

async function itemsPerSecond(service: Service): Promise<number> {
  const before = await service.counts()
  const since = performance.now()
  const response = await fetch(webhookOf(service, EACH.slug), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: LIST
  })
  if (response.status !== 202) throw new Error(`the list was answered ${response.status}`)
  const hasEnded = async () => {
    const { succeeded, failed } = await service.counts()
    if (failed > before.failed) throw new Error('the run of the list failed')
    return succeeded > before.succeeded
  }
  await until(hasEnded, { withinMs: 120_000, everyMs: 20, otherwise: 'the run of the list did not end' })
  return ITEMS / ((performance.now() - since) / 1000)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
