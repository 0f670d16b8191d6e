import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import { acceptedRun } from '../../runs/stored-run.test-kit.ts'
import type { Change } from '../../store/store.ts'
import { type Audience, EventStream, endOf } from './event-stream.ts'

const audience: Audience = {
  flowIds: () => null,
  sees: () => true,
  isWelcome: () => true,
  until: null,
  onChange: () => () => {},
  onNews: () => () => {},
  onUnwelcome: () => () => {}
}

describe('a stream of events', () => {
  it('stays open while the store is away, and goes on where it was', async (t) => {
    const { clock, store, listener } = await openStream(t)
    store.isAway = true
    for (let tries = 2; tries < 5; tries++) {
      await pass(clock)
      assert.equal(store.asked, tries)
    }
    store.isAway = false
    store.stored = [queued(1), queued(2)]
    await pass(clock)
    assert.deepEqual(idsIn(await readTwo(listener)), ['1.0', '2.0'])
    assert.equal(listener.readableEnded, false)
  })

  it('asks the store no more once its listener has gone', async (t) => {
    const { clock, store, stream } = await openStream(t)
    await pass(clock)
    const { asked } = store
    stream.end()
    await pass(clock)
    await pass(clock)
    assert.equal(store.asked, asked)
  })

  it('ends at a change that cannot be told', async (t) => {
    const { clock, store, listener } = await openStream(t)
    store.isAway = false
    store.stored = [{ kind: 'journal', no: 1, flowId: 'flow-1', runId: 'run-1', entry: 'torn' }]
    await pass(clock)
    listener.resume()
    await once(listener, 'end')
  })
})

/** Connected over HTTP, with a store that is away from the beginning. */
async function openStream(t: TestContext) {
  const clock = manualClock()
  const store = {
    isAway: true,
    asked: 0,
    stored: [] as Change[],
    async changes(_: unknown, after: number): Promise<Change[]> {
      store.asked++
      if (store.isAway) throw new Error('the database is away')
      return store.stored.filter(({ no }) => no > after)
    }
  }
  const opened = Promise.withResolvers<EventStream>()
  const url = await serve(t, (out) => {
    const stream = new EventStream({ out, audience, store, clock }, endOf(0))
    stream.start()
    opened.resolve(stream)
  })
  const [listener] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  return { clock, store, listener, stream: await opened.promise }
}

async function serve(t: TestContext, answer: (out: ServerResponse) => void): Promise<string> {
  const server = createServer((_, out) => answer(out)).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Lets what has been answered take effect, and then so much time go by that the store is asked again. */
async function pass(clock: ManualClock): Promise<void> {
  await new Promise(setImmediate)
  clock.advance(500)
  await new Promise(setImmediate)
}

/** What was sent, up to the second event. */
async function readTwo(listener: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of listener.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (idsIn(text).length === 2) break
  }
  return text
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1]!)
}

function queued(no: number): Change {
  return { kind: 'accepted', no, flowId: 'flow-1', run: acceptedRun(no) }
}
