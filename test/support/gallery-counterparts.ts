import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiClient, RunBody } from './api-client.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { startMailServer } from './mail-server.ts'
import { type Answer, startMisbehavingServer } from './misbehaving-server.ts'
import {
  MODEL_KEY,
  type ModelCall,
  type ModelReply,
  startModelProvider
} from './model-provider/model-provider.ts'

/** What the flows of the gallery call, for their samples. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/parcels': (response) =>
    void response
      .writeHead(201, { 'content-type': 'application/json' })
      .end('{"code":"PX-7","label_url":"https://labels.example/PX-7.pdf"}'),
  '/hook': (response) => void response.writeHead(202).end()
}

/** What the model of the templates says: data where it is asked by a schema. */
function say({ body }: ModelCall): ModelReply {
  if (!JSON.stringify(body).includes('"urgent"')) return { pieces: ['Into the ', 'list of runs.'] }
  return { pieces: ['{"topic":"delivery","urgent":true,', '"draft":"We are looking for your lamp, Ann."}'] }
}

/** Makes the connections that worked templates name, to counterparts that the test starts. */
export async function startGalleryCounterparts(lifetime: Lifetime, service: ApiClient): Promise<void> {
  const server = await startMisbehavingServer({ answers: ANSWERS })
  cleanUp(lifetime, () => server.stop())
  await connect(service, {
    name: 'carrier',
    kind: 'http',
    settings: { base_url: server.origin, auth: 'none' }
  })
  await connect(service, {
    name: 'customer-webhook',
    kind: 'webhook',
    settings: { url: server.url('/hook') },
    secrets: { signing_secret: `whsec_${Buffer.from('a key of the tests').toString('base64')}` }
  })
  const provider = await startModelProvider(lifetime, { models: ['gpt-5-mini'], reply: say })
  await connect(service, {
    name: 'models',
    kind: 'openai',
    settings: { base_url: provider.baseUrl('openai') },
    secrets: { api_key: MODEL_KEY }
  })
  const { port } = await startMailServer(lifetime, { tls: 'none' })
  await connect(service, {
    name: 'mail',
    kind: 'smtp',
    settings: { host: '127.0.0.1', port, from: 'Shop <orders@shop.example>' }
  })
  const file = await makeShopDatabase(lifetime)
  await connect(service, { name: 'shop-database', kind: 'sqlite', settings: { file, read_only: true } })
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
      (1042, 'ann@example.com', 89.5, 'sent')`)
  database.close()
  return file
}
