import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { startEmbeddingProvider } from './support/model-provider/embedding-provider.ts'
import { MODEL_KEY } from './support/model-provider/model-provider.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

interface Collection {
  readonly id: string
  readonly count: number
  readonly chunks: number
}

const TEXT = Array.from({ length: 300 }, (_, place) => `This is sentence number ${place + 1000}.`).join(' ')

for (const store of ['the embedded store', 'PostgreSQL'])
  it(`a text is in ${store} once and whole, wherever the process that writes it is killed`, async (t) => {
    const env = {
      MILLRACE_API_KEY: CHILD_KEY,
      ...(store === 'PostgreSQL' && {
        DATABASE_URL: await postgres.emptyDatabase(),
        MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64')
      })
    }
    let dies = 0
    let arrived = Promise.withResolvers<void>()
    const provider = await startEmbeddingProvider(t, {
      // The first call is never answered, nor one after pieces were written.
      before: () => {
        dies++
        if (dies !== 1 && dies !== 7) return undefined
        arrived.resolve()
        return new Promise(() => {})
      }
    })
    let service = await spawnService(t, { env })
    const restart = async (): Promise<ApiClient> => {
      await service.end('SIGKILL')
      service = await spawnService(t, { env, home: service.home })
      return service.client(CHILD_KEY)
    }
    let client = await service.client(CHILD_KEY)
    await client.post('/api/v1/connections', {
      name: 'models',
      kind: 'openai',
      settings: { base_url: provider.baseUrl('openai') },
      secrets: { api_key: MODEL_KEY }
    })
    const made = await client.post('/api/v1/collections', {
      name: 'manual',
      connection: 'models',
      model: 'small'
    })
    const path = `/api/v1/collections/${made.json<Collection>().id}`
    const flow = await client.createFlow({
      name: 'Write',
      nodes: [
        { id: 'w', type: 'webhook' },
        {
          id: 'k',
          type: 'knowledge-write',
          fields: { collection: 'manual', id: 'one', chunk: 50, overlap: 0 }
        }
      ],
      edges: [{ from: 'w.data', to: 'k.data' }]
    })

    const id = await client.start(flow.slug, JSON.stringify(TEXT))
    await arrived.promise
    arrived = Promise.withResolvers<void>()
    await restart()
    await arrived.promise
    client = await restart()
    const run = await client.waitForRun(id)
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const written = (await client.get(path)).json<Collection>()
    const pieces = (run.steps.find(({ node }) => node === 'k')!.outputs as { result: Collection }).result
      .chunks
    assert.ok(pieces > 200)
    const { texts } = (await client.get(`${path}/texts`)).json<{ texts: { id: string; chunks: number }[] }>()
    assert.deepEqual(
      texts.filter(({ id }) => id === 'one').map(({ chunks }) => chunks),
      [pieces]
    )
    assert.equal(
      written.chunks,
      texts.reduce((sum, { chunks }) => sum + chunks, 0)
    )
    const found = await client.post(`${path}/search`, { query: 'sentence 1234', mode: 'Words', limit: 3 })
    const { matches } = found.json<{ matches: { text: string }[] }>()
    assert.match(matches[0]!.text, /1234/)
  })
