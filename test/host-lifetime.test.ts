import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import call from './plugins/call.ts'
import { flowIn, pathsOf } from './support/contexts.ts'
import { callFlow } from './support/documents.ts'
import { createHost } from './support/host.ts'
import { startOutside } from './support/outside.ts'

async function sales(_context: FastifyInstance): Promise<void> {}

describe('an application with Millrace in it', () => {
  it('ends cleanly, and another one can start on the same home and goes on', async (t) => {
    const first = await createHost(t, { plugins: [sales] })
    const client = await first.listen()
    const { slug } = await client.createFlow(flowIn('/sales'))
    const { id } = await client.run(slug)
    await first.close()
    const second = await createHost(t, { plugins: [sales], home: first.home })
    const again = await second.listen()
    assert.equal((await again.readRun(id)).status, 'succeeded')
    assert.equal((await again.run(slug)).status, 'succeeded')
    assert.deepEqual(await pathsOf(again), ['/', '/sales'])
  })

  it('loses nothing of what it accepted when it ends in the middle of a run', async (t) => {
    const first = await createHost(t, { plugins: [call] })
    const client = await first.listen()
    const outside = await startOutside(t)
    const node = { retry: { attempts: 2, backoff_ms: 0 } }
    const { slug } = await client.createFlow(callFlow(outside.url(), { call: node }))
    const id = await client.start(slug)
    const pending = await outside.next()
    const closed = first.close()
    pending.answer({}, 500)
    await closed
    outside.answerAll(() => ({ body: { ok: true } }))
    const second = await createHost(t, { plugins: [call], home: first.home })
    assert.equal((await (await second.listen()).waitForRun(id)).status, 'succeeded')
  })

  it('refuses a home that another one has, and leaves that one as it is', async (t) => {
    const first = await createHost(t)
    const client = await first.listen()
    const second = await createHost(t, { home: first.home })
    await assert.rejects(
      async () => second.app.ready(),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'store_locked')
        assert.ok(error.message.includes(first.home), error.message)
        return true
      }
    )
    await second.close()
    assert.equal((await client.run('orders', '{"order_id":1,"customer":"A"}')).status, 'succeeded')
  })

  it('does not start where a plugin fails, is told which, and gives the home back when it is closed', async (t) => {
    async function broken() {
      throw new Error('no licence')
    }
    const first = await createHost(t, { plugins: [broken] })
    await assert.rejects(async () => first.app.ready(), {
      code: 'plugin_failed',
      message: 'Plugin "broken" failed to load in context "/broken": no licence'
    })
    await first.close()
    const second = await createHost(t, { home: first.home })
    await second.app.ready()
    assert.equal((await second.app.inject('/flows/api/v1/flows')).statusCode, 401)
  })

  it('can be closed before it was ready', async (t) => {
    const host = await createHost(t)
    await host.close()
    const second = await createHost(t, { home: host.home })
    await second.app.ready()
    assert.equal((await second.app.inject('/flows/api/v1/flows')).statusCode, 401)
  })
})
