import fc from 'fast-check'
import type { ApiClient } from '../api-client.ts'
import { chatFlow, ordersFlow } from '../documents.ts'
import type { Hints } from './schema-values.ts'

interface Found {
  readonly id: string
  readonly [member: string]: unknown
}

type Pools = Readonly<Record<string, readonly string[]>>

const WAITS = {
  name: 'Waits',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'later', type: 'delay', fields: { for: '1d' } },
    { id: 'call', type: 'wait-for-call' },
    { id: 'ask', type: 'approve', fields: { question: 'Yes?' } }
  ],
  edges: ['later', 'call', 'ask'].map((node) => ({ from: 'webhook-1.data', to: `${node}.data` }))
}

const SETTINGS = { base_url: 'http://127.0.0.1:1', auth: 'bearer' }

const KEYS = [
  { name: 'reader', rights: ['read'] },
  { name: 'writer', rights: ['write', 'trigger'] },
  { name: 'of one flow', rights: ['read', 'write', 'trigger'], flow: 'orders' }
]

/** What there is in a service that generated requests go to, so that some of them mean something. */
export class ApiWorld {
  readonly #client: ApiClient
  #pools: Pools = {}
  #keys: readonly { readonly id: string; readonly key: string }[] = []
  #made = 0

  constructor(client: ApiClient) {
    this.#client = client
  }

  /** Puts things in the place of their marks. */
  fill(text: string): string {
    return text.replace(/\{\{(\w+):(\d+)\}\}/g, (_, kind: string, number: string) => {
      const pool = this.#pools[kind] ?? []
      return pool[Number(number) % pool.length] ?? 'absent'
    })
  }

  /** Looks at what there is, and makes anew what requests have taken away. */
  async refresh(): Promise<void> {
    const flows = await this.#flows()
    const approvals = await this.#list('approvals?limit=4', 'approvals')
    if (!approvals.some(({ status }) => status === 'open')) await this.#post('run/waits')
    const connections = await this.#connections()
    const contexts = await this.#contexts()
    const keys = await this.#makeKeys()
    const waiting = await this.#list('runs?status=waiting&steps=true&limit=3', 'runs')
    const runs = [...(await this.#list('runs?limit=8', 'runs')), ...waiting]
    this.#pools = {
      flow: flows.flatMap(({ id, slug }) => [id, String(slug)]),
      alias: flows.flatMap(({ aliases }) => aliases as string[]),
      deleted: idsOf(await this.#list('flows?deleted=true&limit=3', 'flows')),
      run: idsOf(runs),
      token: waiting.flatMap(tokensOf),
      approval: idsOf(approvals),
      connection: idsOf(connections),
      connectionName: connections.map(({ name }) => String(name)),
      context: contexts.flatMap(({ id, path }) => [id, path].map((each) => encodeURIComponent(String(each)))),
      key: idsOf(keys),
      adminKey: [this.#client.key],
      apiKey: [...Array(12).fill(this.#client.key), ...this.#keys.map(({ key }) => key), '']
    }
  }

  async #flows(): Promise<readonly Found[]> {
    const find = () => this.#list('flows?limit=6', 'flows')
    for (const { id, paused } of await find()) if (paused !== null) await this.#post(`flows/${id}/resume`)
    for (const flow of [ordersFlow({ slug: 'orders' }), chatFlow(), { ...WAITS, slug: 'waits' }]) {
      const slug = 'slug' in flow ? flow.slug : 'chat'
      const { status } = await this.#client.get(`/api/v1/flows/${slug}`)
      if (status === 404) await this.#post('flows', { ...flow, slug })
    }
    await this.#post('run/orders', { input: { order_id: 7, customer: 'Ann' } })
    await this.#saveDraft()
    const known = await Promise.all(['orders', 'chat', 'waits'].map((slug) => this.#get(`flows/${slug}`)))
    return [...(known as Found[]), ...(await find()).slice(0, 3)]
  }

  /** One that can be published. */
  async #saveDraft(): Promise<void> {
    const { revision = 0 } = (await this.#get('flows/orders/draft')) as { revision?: number }
    const body = { ...ordersFlow({ slug: 'orders' }), description: `Draft ${this.#made++}`, revision }
    await this.#client.request('PUT', '/api/v1/flows/orders/draft', { body })
    await this.#client.request('PUT', '/api/v1/kept/value?key=a', { body: { value: [1] } })
  }

  async #connections(): Promise<readonly Found[]> {
    const found = await this.#list('connections', 'connections')
    if (found.length > 1) return found.slice(-5)
    const secrets = { token: 'a token' }
    await this.#post('connections', {
      name: `shop ${this.#made++}`,
      kind: 'http',
      settings: SETTINGS,
      secrets
    })
    return this.#connections()
  }

  async #contexts(): Promise<readonly Found[]> {
    await this.#post('contexts', { name: 'sales' })
    return this.#list('contexts', 'contexts')
  }

  async #makeKeys(): Promise<readonly Found[]> {
    const found = await this.#list('keys', 'keys')
    if (this.#keys.length === 0 || this.#keys.some(({ id }) => !idsOf(found).includes(id))) {
      const made = await Promise.all(KEYS.map((key) => this.#post('keys', key)))
      this.#keys = made as { id: string; key: string }[]
    }
    return found.slice(-5)
  }

  async #list(path: string, name: string): Promise<readonly Found[]> {
    const answer = await this.#client.get(`/api/v1/${path}`)
    return answer.json<Record<string, Found[]>>()[name] ?? []
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#client.get(`/api/v1/${path}`)).json()
  }

  async #post(path: string, body?: unknown): Promise<unknown> {
    return (await this.#client.post(`/api/v1/${path}`, body)).json()
  }
}

function idsOf(found: readonly Found[]): string[] {
  return found.map(({ id }) => id)
}

function tokensOf({ waiting }: Found): string[] {
  return (waiting as { resume_url?: string }[]).flatMap(
    ({ resume_url }) => resume_url?.split('/').at(-1) ?? []
  )
}

const one = (kind: string) => fc.nat({ max: 20 }).map((number) => `{{${kind}:${number}}}`)
const among = (...values: unknown[]) => fc.constantFrom(...values)
const flow = fc.oneof({ arbitrary: one('flow'), weight: 6 }, one('deleted'))
const node = among('parser-1', 'webhook-1', 'ask', 'later', 'absent')
const context = among('/', '/sales', '/absent')

/** What may be meant by members and parameters of these names; those in paths are named by what stands before. */
export const HINTS: Hints = {
  'flows/': flow,
  'webhook/': flow,
  'run/': flow,
  'runs/': one('run'),
  'approvals/': one('approval'),
  'connections/': one('connection'),
  'keys/': one('key'),
  'contexts/': one('context'),
  'versions/': fc.integer({ min: 1, max: 4 }),
  'nodes/': node,
  'pins/': node,
  'aliases/': one('alias'),
  'components/': among('parser', 'prompt', 'webhook', 'absent'),
  'resume/': one('token'),
  'x-api-key': one('apiKey'),
  flow,
  flow_id: flow,
  ids: fc.array(flow, { minLength: 1, maxLength: 3 }),
  run_id: one('run'),
  node,
  context,
  parent: fc.oneof(context, one('run')),
  version: fc.integer({ min: 1, max: 4 }),
  revision: fc.integer({ min: 0, max: 4 }),
  base_version: fc.integer({ min: 1, max: 4 }),
  live_version: fc.integer({ min: 1, max: 4 }),
  nodes: among([], ordersFlow().nodes, WAITS.nodes),
  edges: among([], ordersFlow().edges, WAITS.edges),
  fields: among({}, { template: '{a} and {b}' }, { mode: 'Stringify' }),
  outputs: among({ parsed_text: 'x' }, {}),
  choice: among('Approve', 'Reject', 'Perhaps'),
  api_key: one('adminKey'),
  connection: one('connectionName'),
  kind: among('http', 'component', 'variable'),
  settings: among({}, SETTINGS),
  secrets: among({}, { token: 'another' }),
  key: among('a', 'b', 'orders:7')
}
