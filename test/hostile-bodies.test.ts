import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiClient, RunBody } from './support/api-client.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

/** What the whole of it takes is some milliseconds; the machine may be busy. */
const PROMPT_MS = 2_000

/** Open to everybody, and converts what comes. */
function openFlow(fields: object, name: string) {
  return {
    name,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { auth: 'None' } },
      { id: 'convert-1', type: 'convert', fields }
    ],
    edges: [{ from: 'webhook-1.data', to: 'convert-1.data' }]
  }
}

/** Sends without a key, and holds that the service answers others meanwhile. Gives the run as it ended. */
async function sendAndLook(client: ApiClient, slug: string, body: string): Promise<RunBody> {
  const answer = await client.webhook(slug, body, { key: null })
  assert.equal(answer.status, 202, answer.text)
  let run: RunBody | undefined
  const ended = client.waitForRun(answer.json<{ run_id: string }>().run_id).then((body) => {
    run = body
  })
  for (let longest = 0; run === undefined; assert.ok(longest < PROMPT_MS, `/readyz took ${longest} ms`)) {
    const askedAt = performance.now()
    assert.equal((await client.get('/readyz', { key: null })).status, 200)
    longest = Math.max(longest, performance.now() - askedAt)
  }
  await ended
  return run
}

describe('what anybody sends without a key', () => {
  it('holds nobody up: CSV of equal column names', async (t) => {
    const client = await shared(t)
    const flow = await client.createFlow(openFlow({ mode: 'CSV to rows', field: 'payload' }, 'CSV'))
    const run = await sendAndLook(client, flow.slug, `${'a,'.repeat(12_000)}a\n${'1,'.repeat(12_000)}1`)
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
    const { outputs } = run.steps.find(({ node }) => node === 'convert-1')!
    assert.ok(JSON.stringify(outputs).includes('"a_12000":1,"a_12001":1}'))
    // Each on a line of its own would be a row; so many columns are nobody's table.
    const wide = await sendAndLook(client, flow.slug, 'a,'.repeat(500_000))
    assert.match(wide.error!.message, /more than 16384 cells/)
  })

  it('holds nobody up: the largest body, of numbers that are kept as they were written', async (t) => {
    const client = await shared(t)
    const flow = await client.createFlow(openFlow({ mode: 'Data to JSON' }, 'Numbers'))
    const body = `[${'-0,'.repeat(300_000)}1e5]`
    const run = await sendAndLook(client, flow.slug, body)
    assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  })
})
