import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiClient, RunBody } from './api-client.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import {
  MODEL_KEY,
  type ModelCall,
  type ModelProvider,
  type ModelReply,
  startModelProvider
} from './model-provider/model-provider.ts'
import { BOT_TOKEN, type ShopServices, startShopServices } from './shop-services.ts'

/** What the model of the templates says: data where it is asked by a schema. */
function say({ body }: ModelCall): ModelReply {
  const asked = JSON.stringify(body)
  if (asked.includes('"urgent"'))
    return { pieces: ['{"topic":"delivery","urgent":true,', '"draft":"We are looking for your lamp, Ann."}'] }
  if (asked.includes('"currency"')) return { pieces: [JSON.stringify(invoiceIn(asked))] }
  return { pieces: ['Into the ', 'list of runs.'] }
}

/** What is asked by a schema, read as far as a test can read. */
function invoiceIn(asked: string) {
  const [, total, currency] = /Total ([\d.]+) (\w+)/.exec(asked) ?? []
  return {
    number: /Invoice (\S+?)\\/.exec(asked)?.[1],
    from: 'Mill & Sons',
    total: Number(total),
    currency
  }
}

/** What the flows of the gallery reached. */
export interface GalleryCounterparts {
  readonly services: ShopServices
  readonly models: ModelProvider
  readonly mail: MailServer
  /** The rows of a query in the database that flows write to. */
  rows(query: string): Record<string, unknown>[]
}

export const SENDER_SECRET = 'a-secret-of-the-tests-and-long'

/** Makes the connections that worked templates name, to counterparts that the test starts. */
export async function startGalleryCounterparts(
  lifetime: Lifetime,
  service: ApiClient
): Promise<GalleryCounterparts> {
  const services = await startShopServices(lifetime)
  const http = (name: string, settings: object = {}, secrets: object = {}) =>
    connect(service, {
      name,
      kind: 'http',
      settings: { base_url: services.origin, auth: 'none', ...settings },
      secrets
    })
  for (const name of ['carrier', 'shop-api', 'embeddings']) await http(name)
  await http('slack', { auth: 'bearer' }, { token: 'xoxb-of-the-tests' })
  await http('telegram', { base_url: services.url('/bot{token}') }, { token: BOT_TOKEN })
  for (const name of ['telegram-webhook', 'stripe-webhook'])
    await connect(service, {
      name,
      kind: 'webhook',
      settings: { url: services.url('/hook') },
      secrets: { signing_secret: SENDER_SECRET }
    })
  await connect(service, {
    name: 'customer-webhook',
    kind: 'webhook',
    settings: { url: services.url('/hook') },
    secrets: { signing_secret: `whsec_${Buffer.from('a key of the tests').toString('base64')}` }
  })
  const models = await startModelProvider(lifetime, { models: ['gpt-5-mini'], reply: say })
  await connect(service, {
    name: 'models',
    kind: 'openai',
    settings: { base_url: models.baseUrl('openai') },
    secrets: { api_key: MODEL_KEY }
  })
  const mail = await startMailServer(lifetime, { tls: 'none' })
  await connect(service, {
    name: 'mail',
    kind: 'smtp',
    settings: { host: '127.0.0.1', port: mail.port, from: 'Shop <orders@shop.example>' }
  })
  const file = await makeShopDatabase(lifetime)
  await connect(service, { name: 'shop-database', kind: 'sqlite', settings: { file, read_only: true } })
  for (const name of ['stock-database', 'notes-database', 'books'])
    await connect(service, { name, kind: 'sqlite', settings: { file } })
  return { services, models, mail, rows: (query) => readRows(file, query) }
}

/** The run of a sample, when it has ended. What it asks people is answered with the first choice. */
export async function runGallerySample(
  service: ApiClient,
  flow: { readonly id: string },
  sample: unknown
): Promise<RunBody> {
  const run = (await service.post(`/api/v1/run/${flow.id}`, { input: sample })).json<RunBody>()
  if (run.status !== 'waiting') return run
  const asked = await service.get(`/api/v1/approvals?status=open&flow_id=${flow.id}`)
  for (const { id, choices } of asked.json<{ approvals: { id: string; choices: string[] }[] }>().approvals)
    await service.post(`/api/v1/approvals/${id}`, { choice: choices[0], comment: 'Fine.' })
  return service.waitForRun(run.id)
}

async function connect(service: ApiClient, connection: object): Promise<void> {
  const made = await service.post('/api/v1/connections', connection)
  if (made.status !== 201) throw new Error(`the connection was refused: ${made.text}`)
}

async function makeShopDatabase(lifetime: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-gallery-'))
  cleanUp(lifetime, () => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.db')
  const database = new DatabaseSync(file)
  database.exec(`create table orders (number integer, customer text, total real, state text);
    insert into orders values (977, 'ann@example.com', 1264, 'delivered'), (1041, 'jo@example.com', 5, 'sent'),
      (1042, 'ann@example.com', 89.5, 'sent');
    create table stock (sku text primary key, quantity integer);
    create table shop_orders (number integer primary key, total real);
    create table pieces (title, place, text, meaning, primary key (title, place));
    create table invoices (number, sender, total real, currency, handed_in_by, primary key (number, sender));`)
  database.close()
  return file
}

function readRows(file: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare(query).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}
