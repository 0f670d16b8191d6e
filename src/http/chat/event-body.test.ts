import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import { EventBody } from './event-body.ts'

const BEAT_MS = 15_000

/** A stream with a caller that has read nothing yet. */
async function asked(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    caller.destroy()
    server.close()
  })
  caller.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  const reply = { raw, headers: () => reply, send: (body: Readable) => void body.pipe(raw) }
  const clock: ManualClock = manualClock()
  const body = new EventBody(reply as unknown as FastifyReply, clock)
  const beats = async (count: number) => {
    for (let beat = 0; beat < count; beat++) {
      // What may be sent is.
      await turn()
      clock.advance(BEAT_MS)
    }
  }
  return { body, raw, caller, beats }
}

const MUCH = 'x'.repeat(12 * 1024 * 1024)

describe('a stream of events', () => {
  it('ends for who takes nothing of it for a minute, whether or not all has been said', async (t) => {
    for (const hasEnded of [false, true]) {
      const { body, raw, beats } = await asked(t)
      body.tell('delta', { text: MUCH })
      if (hasEnded) body.end()
      await beats(3)
      assert.ok(!raw.destroyed)
      await beats(1)
      assert.ok(raw.destroyed)
      assert.ok(body.gone.aborted || (await once(body.gone, 'abort')))
    }
  })

  it('goes on for who reads slowly, and for who is told little', async (t) => {
    const { body, raw, caller, beats } = await asked(t)
    await beats(10)
    body.tell('delta', { text: MUCH })
    await beats(3)
    const drained = once(raw, 'drain')
    caller.resume()
    await drained
    await beats(3)
    assert.ok(!raw.destroyed)
    body.end()
    await once(raw, 'close')
    assert.ok(raw.writableFinished)
  })
})
