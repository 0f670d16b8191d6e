import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import myPlugin from './index.js'

/** Millrace itself, in this process, with a store that is thrown away. */
describe('my-plugin in Millrace', { skip: whatIsMissing() }, () => {
  it('greets as the node says', async (t) => {
    const post = await serve(t)
    const saved = await post('/api/v1/flows', {
      name: 'Greeting',
      context: '/myPlugin',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'greet-1', type: 'my-plugin', fields: { greeting: 'Hi' } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'greet-1.data' }]
    })
    assert.equal(saved.statusCode, 201, saved.body)
    const run = (await post('/api/v1/run/greeting', { input: { name: 'Ann' } })).json()
    assert.deepEqual(run.steps[1].outputs, { text: 'Hi Ann' })
  })
})

/** @param {import('node:test').TestContext} t */
async function serve(t) {
  const [{ default: fastify }, { default: millrace }] = await Promise.all([
    import('fastify'),
    import('millrace')
  ])
  const home = await mkdtemp(join(tmpdir(), 'my-plugin-'))
  const app = fastify()
  t.after(async () => {
    await app.close()
    await rm(home, { recursive: true })
  })
  const apiKey = 'a key for this test only'
  app.register(millrace, { home, apiKey, plugins: [myPlugin] })
  /** @type {(url: string, payload: object) => Promise<import('fastify').LightMyRequestResponse>} */
  const post = (url, payload) =>
    app.inject({ method: 'POST', url, headers: { 'x-api-key': apiKey }, payload })
  return post
}

function whatIsMissing() {
  try {
    import.meta.resolve('millrace')
    return false
  } catch {
    return 'run npm install first'
  }
}
