import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import Fastify from 'fastify'
import millrace from 'millrace'
import sales from './sales.ts'

const apiKey = 'a key for this test only'

it('a quote has the discount that the node says', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'sales-'))
  const app = Fastify()
  t.after(async () => {
    await app.close()
    await rm(home, { recursive: true })
  })
  app.register(millrace, { home, apiKey, plugins: [sales] })
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey }, payload })

  const saved = await post('/api/v1/flows', {
    name: 'Quote',
    context: '/sales',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'q', type: 'quote', fields: { discount: 10 } }
    ],
    edges: [{ from: 'w.data', to: 'q.data' }]
  })
  assert.equal(saved.statusCode, 201, saved.body)
  const run = (await post('/api/v1/run/quote', { input: { customer: 'Ann', price: 50 } })).json()
  assert.deepEqual(run.steps[1].outputs, { data: { customer: 'Ann', total: 45 } })
})
