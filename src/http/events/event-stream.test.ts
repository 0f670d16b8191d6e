import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import { MillraceError } from '../../errors.ts'
import { acceptedRun } from '../../runs/record/stored-run.test-kit.ts'
import type { Change } from '../../store/store.ts'
import { EventPages } from './event-pages.ts'
import { type Audience, EventStream, endOf, MOST_MISSED, readPlace } from './event-stream.ts'
import { TextEvents } from './text-events.ts'

const audience: Audience = {
  flows: () => ({ ids: null, name: 'all' }),
  sees: () => true,
  isWelcome: () => true,
  until: null,
  onChange: () => () => {},
  onText: () => () => {},
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
    assert.deepEqual(idsIn(await readTo(listener, '2.0')), ['1.0', '2.0'])
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

  it('says at once where it begins: who loses it before the first event comes back to there', async (t) => {
    const { listener } = await openStream(t, { place: endOf(7) })
    assert.match(await readTo(listener, '7.999999999'), /^retry: 1000\nid: 7\.999999999\n/)
  })

  it('says at its end that its place went to another key', async (t) => {
    const { stream, listener } = await openStream(t)
    stream.endFor(new MillraceError('streams_limited', 'Too many.'))
    const told = (await Array.fromAsync(listener.setEncoding('utf8'))).join('')
    assert.match(
      told,
      /\n\nevent: streams_limited\ndata: \{"code":"streams_limited","message":"Too many."\}\n\n$/
    )
  })

  it('ends at a change that cannot be told', async (t) => {
    const { clock, store, listener } = await openStream(t)
    store.isAway = false
    store.stored = [{ kind: 'journal', no: 1, flowId: 'flow-1', runId: 'run-1', entry: 'torn' }]
    await pass(clock)
    let told = ''
    listener.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    await once(listener, 'end')
    assert.equal(listener.complete, true)
    assert.doesNotMatch(told, /torn|run-1/)
  })

  it('tells who has missed too much to read the lists, and goes on from there without a gap', async (t) => {
    const stored = Array.from({ length: MOST_MISSED + 2 }, (_, index) => queued(index + 1))
    const { listener, happen, store } = await openStream(t, { isAway: false, stored, place: endOf(1) })
    const last = MOST_MISSED + 2
    const reset = await readTo(listener, `${last}.999999999`)
    assert.deepEqual(idsIn(reset), [`${last}.999999999`])
    assert.match(reset, /^event: reset\ndata: \{"message":"More than 10000 changes were missed\./m)
    happen(queued(last + 1))
    assert.deepEqual(idsIn(await readTo(listener, `${last + 1}.0`)), [`${last + 1}.0`])
    assert.ok(store.reads <= 2, `${store.reads} reads`)
  })

  it('tells all to who has missed just so much', async (t) => {
    const stored = Array.from({ length: MOST_MISSED + 1 }, (_, index) => queued(index + 1))
    const { listener } = await openStream(t, { isAway: false, stored, place: endOf(1) })
    const ids = idsIn(await readTo(listener, `${MOST_MISSED + 1}.0`))
    assert.deepEqual(
      ids,
      stored.slice(1).map(({ no }) => `${no}.0`)
    )
  })

  it('leaves a listener that takes nothing for a minute, and no other', () => {
    for (const isRead of [false, true]) {
      const clock = manualClock()
      let isDestroyed = false
      const out = {
        write: () => isRead,
        get writableNeedDrain() {
          return !isRead
        },
        once: () => out,
        destroy: () => {
          isDestroyed = true
        }
      }
      const store = new Store([], false)
      const pages = new EventPages({ runStore: store, clock })
      const deps = { audience, pages, textEvents: new TextEvents(), store, clock }
      new EventStream({ ...deps, out: out as unknown as ServerResponse }, endOf(0)).start()
      clock.advance(59_000)
      assert.equal(isDestroyed, false)
      clock.advance(2_000)
      assert.equal(isDestroyed, !isRead)
    }
  })

  it('takes the id of a reset for a place to go on from', () => {
    assert.deepEqual(readPlace('12.999999999', 20), endOf(12))
  })
})

/** Connected over HTTP, with a store that is away from the beginning unless it is said otherwise. */
async function openStream(t: TestContext, { isAway = true, place = endOf(0), stored = [] as Change[] } = {}) {
  const clock = { ...manualClock(), soon: (then: () => void) => void setImmediate(then) }
  const store = new Store(stored, isAway)
  const pages = new EventPages({ runStore: store, clock })
  const heard = new Set<(change: Change) => void>()
  const onChange: Audience['onChange'] = (listener) => {
    heard.add(listener)
    return () => heard.delete(listener)
  }
  const opened = Promise.withResolvers<EventStream>()
  const url = await serve(t, (out) => {
    const stream = new EventStream(
      { out, audience: { ...audience, onChange }, pages, textEvents: new TextEvents(), store, clock },
      place
    )
    stream.start()
    opened.resolve(stream)
  })
  const [listener] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  /** Stored, and told to who listens. */
  const happen = (change: Change) => {
    store.stored.push(change)
    for (const hear of heard) hear(change)
  }
  return { clock, store, listener, happen, stream: await opened.promise }
}

class Store {
  stored: Change[]
  isAway: boolean
  /** How often changes were read. */
  reads = 0
  asked = 0

  constructor(stored: Change[], isAway: boolean) {
    this.stored = stored
    this.isAway = isAway
  }

  async changes(_: unknown, after: number, limit: number): Promise<Change[]> {
    this.reads++
    this.#ask()
    return this.stored.filter(({ no }) => no > after).slice(0, limit)
  }

  async countChanges(_: unknown, after: number, most: number): Promise<number> {
    this.#ask()
    return Math.min(most, this.stored.filter(({ no }) => no > after).length)
  }

  async lastChange(): Promise<number> {
    this.#ask()
    return this.stored.at(-1)?.no ?? 0
  }

  #ask(): void {
    this.asked++
    if (this.isAway) throw new Error('the database is away')
  }
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

/** What was sent, up to this event. */
async function readTo(listener: IncomingMessage, id: string): Promise<string> {
  let text = ''
  for await (const chunk of listener.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes(`id: ${id}\n`, text.length - chunk.length - id.length - 5)) break
  }
  return text
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/^id: (.*)\nevent: /gm)].map((match) => match[1]!)
}

function queued(no: number): Change {
  return { kind: 'accepted', no, flowId: 'flow-1', run: acceptedRun(no) }
}
